"""`data/columns.yml`: what every published column means, for CSVs, the API and the page about the data."""

from __future__ import annotations

from dataclasses import dataclass

from generator import cells
from generator.problems import Problem
from generator.records import Record, yaml_record

TYPES = {"string", "number", "integer", "date", "datetime", "object"}
Columns = dict[str, dict[str, "PublishedColumn"]]
"""Table → column → what it means, in the order in which they are published."""


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """A column as others read it; `unit` is empty for what has none."""

    name: str
    type: str
    unit: str
    title: str
    description: str


def parse_columns(text: str, path: str) -> tuple[Columns, list[Problem]]:
    """Return the columns of every published table, and every problem."""
    root = yaml_record(text, path)
    tables = {table: _table(root.child(table)) for table in root.keys}
    return tables, root.problems


def _table(entries: Record) -> dict[str, PublishedColumn]:
    return {name: _column(name, entries.child(name)) for name in entries.keys}


def _column(name: str, entry: Record) -> PublishedColumn:
    return PublishedColumn(
        name=name,
        type=entry.need("type", cells.one_of(TYPES)),
        unit=entry.maybe("unit", cells.text, ""),
        title=entry.need("title", cells.text),
        description=entry.need("description", cells.text),
    )
