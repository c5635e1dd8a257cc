"""`data/sources.yml`: the live sources, what they answer with and how few rows mean that they failed."""

from __future__ import annotations

from dataclasses import dataclass

from generator import cells
from generator.problems import Problem
from generator.records import Record, yaml_record

KINDS = ("catalogue", "api", "opinion", "rates")
FORMS = ("json", "csv", "zip", "text")


@dataclass(frozen=True, slots=True)
class Source:
    """One live source. `minimum_rows` is what a whole answer never falls under."""

    id: str
    kind: str
    url: str
    form: str
    encoding: str
    minimum_rows: int


def parse_sources(text: str, path: str) -> tuple[dict[str, Source], list[Problem]]:
    """Return the sources by id, in the order of the file, and what is wrong with it."""
    file = yaml_record(text, path)
    sources = {name: _source(name, file.child(name)) for name in file.keys}
    return ({} if file.problems else sources), file.problems


def _source(name: str, record: Record) -> Source:
    return Source(
        id=name,
        kind=record.need("kind", cells.one_of(KINDS)),
        url=record.need("url", cells.https_url),
        form=record.need("form", cells.one_of(FORMS)),
        encoding=record.maybe("encoding", cells.one_of(("utf-8", "cp1252", "iso-8859-1")), "utf-8"),
        minimum_rows=record.need("minimum_rows", cells.integer),
    )
