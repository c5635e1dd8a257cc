"""Front matter: read strictly, because a wrong one would be published as text."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from datetime import date

from generator.problems import Problem
from generator.strict_yaml import YamlDocument, read_yaml

_KEYS = ("title", "description", "workload", "updated", "template", "hide")
DESCRIPTION_CHARACTERS = range(50, 161)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a page says of itself; `workload` is empty on pages that are not guides."""

    title: str
    description: str
    updated: date | None
    workload: str = ""


def split(text: str) -> tuple[str, str, int]:
    """Return front matter, body and the number of lines before the body; BOM and CRLF are accepted."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return "", text, 0
    end = text.find("\n---\n", 3)
    if end < 0:
        return text[4:].removesuffix("\n---"), "", text.count("\n")
    head = text[4 : end + 1]
    return head, text[end + 5 :], head.count("\n") + 2


def read(text: str, path: str) -> tuple[FrontMatter, list[Problem]]:
    """Return the front matter of a page and everything that is wrong with it."""
    head, _, _ = split(text)
    document, problems = read_yaml(head, path, first_line=2)
    if problems:
        return FrontMatter("", "", None), problems
    values = document.value if isinstance(document.value, dict) else {}
    checks = [*_unknown_keys(values, document), *_texts(values, document)]
    updated = _date(values.get("updated"), document, checks)
    description = values.get("description")
    found = FrontMatter(
        str(values.get("title") or ""), str(description or ""), updated, str(values.get("workload") or "")
    )
    return found, checks


def _problem(document: YamlDocument, key: str, found: str, expected: str, todo: str) -> Problem:
    line, column = document.at_key(key) if key else (1, 1)
    return Problem(document.path, line, column, found, expected, todo)


def _unknown_keys(values: dict[str, object], document: YamlDocument) -> list[Problem]:
    found = []
    for key in values:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"quis dizer “{near[0]}”?" if near else "apague a linha"
            expected = f"esperado um destes: {', '.join(_KEYS)}"
            found.append(_problem(document, key, f"campo desconhecido “{key}” no cabeçalho", expected, hint))
    return found


def _texts(values: dict[str, object], document: YamlDocument) -> list[Problem]:
    found = []
    for key in ("title", "description"):
        if not isinstance(values.get(key), str) or not str(values[key]).strip():
            expected = "esperado um texto"
            found.append(_problem(document, key, f"falta “{key}” no cabeçalho", expected, f"escreva “{key}: …”"))
    length = len(str(values.get("description") or ""))
    if length and length not in DESCRIPTION_CHARACTERS:
        expected = "esperado de 50 a 160, que é o que um buscador mostra"
        todo = "reescreva a descrição" if length < 50 else "encurte a descrição"
        found.append(_problem(document, "description", f"“description” tem {length} caracteres", expected, todo))
    return found


def _date(value: object, document: YamlDocument, problems: list[Problem]) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(str(value)) if len(str(value)) == 10 else _refuse(value)
    except ValueError:
        expected = "esperada uma data que existe, no formato AAAA-MM-DD"
        problems.append(_problem(document, "updated", f"data inválida “{value}”", expected, "corrija “updated”"))
        return None


def _refuse(value: object) -> date:
    raise ValueError(value)
