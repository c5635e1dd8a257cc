"""Front matter: read strictly, because a wrong one would be published as text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from generator import cells
from generator.problems import Problem
from generator.records import Record, yaml_record

DESCRIPTION_CHARACTERS = range(50, 161)  # what a search engine shows


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a page says of itself; `workload` is empty on pages that are not guides."""

    title: str
    description: str
    updated: date | None
    workload: str = ""


def split(text: str) -> tuple[str, str]:
    """Return front matter and body; BOM and CRLF are accepted."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return "", text
    end = text.find("\n---\n", 3)
    if end < 0:
        return text[4:].removesuffix("\n---"), ""
    return text[4 : end + 1], text[end + 5 :]


def read(text: str, path: str) -> tuple[FrontMatter, list[Problem]]:
    """Return the front matter of a page and everything that is wrong with it."""
    head, _ = split(text)
    if not head:
        return FrontMatter("", "", None), [_missing(path)]
    record = yaml_record(head, path, first_line=2)
    found = FrontMatter(
        title=record.need("title", cells.text) or "",
        description=record.need("description", cells.text) or "",
        updated=record.maybe("updated", cells.day),
        workload=record.maybe("workload", cells.identifier, ""),
    )
    _check_length(record, found.description)
    return found, record.problems


def _missing(path: str) -> Problem:
    expected = "esperadas linhas “title: …” e “description: …” entre duas linhas “---”"
    return Problem(path, 1, 1, "página sem cabeçalho", expected, "escreva o cabeçalho no começo do arquivo")


def _check_length(record: Record, description: str | None) -> None:
    length = len(description or "")
    if length and length not in DESCRIPTION_CHARACTERS:
        todo = "conte mais do que a página traz" if length < DESCRIPTION_CHARACTERS.start else "encurte a descrição"
        record.note("description", f"«description» com {length} caracteres", "de 50 a 160", todo)
