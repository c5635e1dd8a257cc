"""`data/regions.csv`: the regions of providers, with their country and the words a reader knows them by."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from generator import cells
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records

COLUMNS = ("provider", "region", "country", "place", "restriction")


@dataclass(frozen=True, slots=True)
class Region:
    """Where a region is."""

    country: str  # ISO 3166-1 alpha-2; empty when unknown
    place: str  # in Portuguese; empty when unknown
    restriction: str = ""  # government: closed to others


def parse_regions(
    text: str, path: str, providers: Collection[str]
) -> tuple[dict[tuple[str, str], Region], list[Problem]]:
    """Return the regions by provider and name."""
    records, problems = csv_records(text, path, COLUMNS)
    rows, more = build_keyed(records, lambda row: _row(row, providers), lambda row: row[0], "region")
    return {key: region for key, (_, region) in rows.items()}, problems + more


def _row(row: Record, providers: Collection[str]) -> tuple[tuple[str, str], Region]:
    key = row.need("provider", cells.one_of(providers)), row.need("region", cells.text)
    return key, Region(
        country=row.maybe("country", cells.country, ""),
        place=row.need("place", cells.text),
        restriction=row.maybe("restriction", cells.one_of({"government"}), ""),
    )
