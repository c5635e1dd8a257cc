"""Closed lists and stated assumptions that the other tables lean on."""

from __future__ import annotations

from generator import cells
from generator.model import Assumption
from generator.problems import Problem
from generator.records import Record, yaml_record

Vocabularies = dict[str, dict[str, str]]
"""Name of the list → code → words for the reader."""


def parse_vocabularies(text: str, path: str) -> tuple[Vocabularies, list[Problem]]:
    """Return every closed list of the file."""
    root = yaml_record(text, path)
    lists = {name: _words(root.child(name)) for name in root.keys}
    return lists, root.problems


def parse_assumptions(text: str, path: str) -> tuple[dict[str, Assumption], list[Problem]]:
    """Return the stated assumptions by id."""
    root = yaml_record(text, path)
    found = {name: _assumption(name, root.child(name)) for name in root.keys}
    return found, root.problems


def _words(entries: Record) -> dict[str, str]:
    return {code: entries.need(code, cells.text) for code in entries.keys}


def _assumption(name: str, entry: Record) -> Assumption:
    return Assumption(
        id=name,
        value=entry.need("value", cells.positive),
        unit=entry.need("unit", cells.text),
        label=entry.need("label", cells.text),
        text=entry.need("text", cells.text),
        source=entry.need("source", cells.text),
    )
