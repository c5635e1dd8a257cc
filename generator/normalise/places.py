"""Regions as providers name them, to countries: a table kept by hand, then the country code a marketplace writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.tables.regions import Region

_CONTINENTS = frozenset({"AF", "AN", "AS", "EU", "NA", "OC", "SA"})
_PLACE = re.compile(r"(?:(?P<state>.*),)?\s*(?P<country>[A-Z]{2})\s*,\s*(?P<continent>[A-Z]{2})\s*")
_SHORT_PLACE = re.compile(r"(?P<state>.*),\s*(?P<country>[A-Z]{2})\s*")


@dataclass(frozen=True, slots=True)
class Regions:
    """The table of regions, by provider and name."""

    known: Mapping[tuple[str, str], Region]
    countries: frozenset[str] = frozenset()

    def find(self, provider: str, name: str) -> Region | None:
        """Return the region; no name is a place nobody told, and an unknown name is `None`, for a person to look at.

        Marketplaces write `State, CC, Continent` (the state may be missing) or `State, CC`; `NA` is Namibia as a
        country and North America as a continent, and never an absent value.
        """
        if not name.strip():
            return Region("", "")
        if (provider, name) in self.known:
            return self.known[provider, name]
        whole = _PLACE.fullmatch(name)
        found = whole if whole and whole["continent"] in _CONTINENTS else _SHORT_PLACE.fullmatch(name)
        if found and found["country"] in self.countries:
            return Region(found["country"], (found["state"] or "").strip())
        return None
