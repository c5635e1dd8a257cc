"""What `refresh` writes and reads back: the offers, what waits and what was said, all replaced as one."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from generator import history, storage
from generator.dataset import OFFERS, QUALITY, QUARANTINE, RATES
from generator.folder import Folder
from generator.model import ExchangeRate
from generator.normalise.across import Waiting
from generator.normalise.csv_files import (
    offers_csv,
    parse_offers,
    parse_provenance,
    parse_quarantine,
    parse_review,
    provenance_csv,
    quarantine_csv,
    review_csv,
)
from generator.tables.rates import rates_csv

PROVENANCE = "data/provenance.csv"
REVIEW = "data/review.csv"
FILES = (OFFERS, QUARANTINE, QUALITY, PROVENANCE, REVIEW)


@dataclass(frozen=True)
class LastGood:
    """What the last refresh left: the rows that stay when a source fails."""

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    quality: dict[str, Any]
    provenance: pd.DataFrame
    waiting: dict[tuple[str, str], Waiting]

    def rows_of(self, source: str) -> int:
        """Return how many rows a source gave the last time it was read well."""
        return int(self._told(source).get("rows_last_good", 0))

    def newest_of(self, source: str) -> str:
        """Return the newest day that a source spoke of, ISO 8601, or nothing."""
        return str(self._told(source).get("newest", ""))

    def _told(self, source: str) -> dict[str, Any]:
        found: dict[str, Any] = self.quality.get("sources", {}).get(source, {})
        return found


def last_good(root: Path) -> LastGood:
    """Return what the last refresh wrote; all empty in a project that never had one.

    Raises:
        ProblemsError: what it wrote can no longer be read.
    """
    folder = Folder(root)
    offers = folder.parse(parse_offers, OFFERS, missing="")
    quarantine = folder.parse(parse_quarantine, QUARANTINE, missing="")
    quality = json.loads(folder.text(QUALITY, missing="") or "{}")
    provenance = folder.parse(parse_provenance, PROVENANCE, missing="")
    waiting = folder.parse(parse_review, REVIEW, missing="")
    folder.done()
    return LastGood(offers, quarantine, quality, provenance, waiting)


@dataclass(frozen=True)
class Refreshed:
    """What a refresh writes; `rates` are those to add."""

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    quality: dict[str, Any]
    provenance: pd.DataFrame
    waiting: Collection[Waiting] = ()
    rates: Collection[ExchangeRate] = ()
    news: pd.DataFrame | None = None  # lines of the history
    moment: datetime | None = None


def write(root: Path, new: Refreshed) -> None:
    """Replace the refreshed files as one: a reader sees all the old ones or all the new ones."""
    text = json.dumps(new.quality, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    payloads = {
        OFFERS: offers_csv(new.offers),
        QUARANTINE: quarantine_csv(new.quarantine),
        QUALITY: text.encode(),
        PROVENANCE: provenance_csv(new.provenance),
        REVIEW: review_csv(new.waiting),
    }
    if new.rates:
        payloads[RATES] = storage.current(root, RATES).read_bytes() + rates_csv(new.rates)
    if new.news is not None and len(new.news) and new.moment:
        path = history.path_of(new.moment)
        file = storage.current(root, path)
        payloads[path] = history.with_news(file.read_bytes() if file.is_file() else b"", new.news)
    storage.replace_all(root, payloads)


def history_files(root: Path) -> list[Path]:
    """Return the files of the history, oldest first."""
    return sorted((root / history.FOLDER).glob("month=*/day=*.parquet"))
