"""Problems for programs: JSON, annotations of a pull request, and SARIF for editors and code scanners."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from generator.problems import Problem

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(problems: Iterable[Problem]) -> str:
    """Return a list of objects with the fields of a problem."""
    return json.dumps([problem.as_dict() for problem in problems], ensure_ascii=False)


def as_github(problems: Iterable[Problem]) -> str:
    """Return one workflow command per problem, which GitHub shows beside the line."""
    return "\n".join(f"::error {_properties(problem)}::{_escaped(problem.message)}" for problem in problems)


def as_sarif(problems: Iterable[Problem]) -> str:
    """Return a SARIF 2.1.0 log."""
    driver = {"name": "guia"}
    run = {"tool": {"driver": driver}, "results": [_result(problem) for problem in problems]}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, ensure_ascii=False)


FORMATS: Mapping[str, Callable[[Iterable[Problem]], str]] = {"json": as_json, "github": as_github, "sarif": as_sarif}


def _properties(problem: Problem) -> str:
    places = {"file": problem.path, "line": problem.line, "col": problem.column, "title": problem.rule}
    return ",".join(
        f"{name}={_escaped(str(value), more={':': '%3A', ',': '%2C'})}" for name, value in places.items() if value
    )


def _escaped(text: str, more: Mapping[str, str] | None = None) -> str:
    for character, code in {"%": "%25", "\r": "%0D", "\n": "%0A", **(more or {})}.items():
        text = text.replace(character, code)
    return text


def _result(problem: Problem) -> dict[str, Any]:
    region = {"startLine": problem.line} if problem.line else {}
    region |= {"startColumn": problem.column} if problem.line and problem.column else {}
    location: dict[str, Any] = {"artifactLocation": {"uri": problem.path}}
    location |= {"region": region} if region else {}
    return {
        "ruleId": problem.rule or "dados",
        "level": "error",
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": location}],
    }
