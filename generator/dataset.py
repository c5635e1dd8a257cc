"""The only reader and writer of `data/`: curated tables and offers in, the refreshed dataset out, whole or not."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pandas as pd

from generator.normalise.numbers import as_text
from generator.normalise.schema import COLUMNS, NUMBERS, QUARANTINE_COLUMNS, TEXT

DATA = "data"
CURATED = "data/curated"
OFFERS = "data/offers.csv"
QUARANTINE = "data/quarantine.csv"
QUALITY = "data/quality.json"


def curated_files(root: Path) -> dict[str, bytes]:
    """Return the hand-kept offer files by their path in the project."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted((root / CURATED).glob("*.yml"))}


def read_offers(root: Path) -> pd.DataFrame:
    """Return the offers table: text as text (`NA` included), numbers as float64 with NaN for unknown."""
    table = pd.read_csv(root / OFFERS, dtype="str", keep_default_na=False, encoding="utf-8")
    numbers = {name: pd.to_numeric(table[name].replace("", None)).astype("float64") for name in NUMBERS}
    moments = pd.to_datetime(table["collected_at"], utc=True).astype("datetime64[us, UTC]")
    return table.astype(dict.fromkeys(TEXT, "str")).assign(**numbers, collected_at=moments)[list(COLUMNS)]


def offers_csv(offers: pd.DataFrame) -> bytes:
    """Return the offers as they stand in the file: one a line, sorted by key, six decimals at most."""
    ordered = offers.sort_values("offer_id")[list(COLUMNS)]
    texts = {name: ordered[name].map(as_text) for name in NUMBERS}
    texts["collected_at"] = ordered["collected_at"].dt.strftime("%Y-%m-%dT%H:%M:%SZ")
    return _csv(ordered.assign(**texts))


def quarantine_csv(quarantine: pd.DataFrame) -> bytes:
    """Return the quarantine as it stands in the file."""
    return _csv(quarantine[list(QUARANTINE_COLUMNS)])


def write(root: Path, offers: pd.DataFrame, quarantine: pd.DataFrame, quality: dict[str, Any]) -> None:
    """Replace the refreshed files, each whole: a reader sees the old one or the new one."""
    text = json.dumps(quality, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    for path, payload in (
        (QUARANTINE, quarantine_csv(quarantine)),
        (QUALITY, text.encode()),
        (OFFERS, offers_csv(offers)),
    ):
        _replace(root / path, payload)


def _csv(table: pd.DataFrame) -> bytes:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return lines.getvalue().encode()


def _replace(path: Path, payload: bytes) -> None:
    """Write beside the file and rename over it, so that a killed run leaves the old file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.write_bytes(payload)
    beside.replace(path)
