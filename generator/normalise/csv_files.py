"""The offers and the quarantine as text: one record a line, stable order and rounding, so that a diff reads as news."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import fields

import pandas as pd

from generator.normalise.across import Waiting
from generator.normalise.numbers import as_text
from generator.normalise.schema import COLUMNS, NUMBERS, PROVENANCE_COLUMNS, QUARANTINE_COLUMNS, TEXT
from generator.problems import Problem
from generator.strict_csv import CsvTable, read_csv

_MOMENT = "%Y-%m-%dT%H:%M:%SZ"
_WAITING = tuple(field.name for field in fields(Waiting))
_TOLD = _WAITING[:-1]  # text; the last column is a count
_SHOWN = 20  # problems of one column; the first ones tell what is wrong


def offers_csv(offers: pd.DataFrame) -> bytes:
    """Return the offers as they stand in the file, sorted by key, six decimals at most."""
    ordered = offers.sort_values("offer_id")[list(COLUMNS)]
    texts = {name: ordered[name].map(as_text) for name in NUMBERS}
    texts["collected_at"] = ordered["collected_at"].dt.strftime(_MOMENT)
    return _csv(ordered.assign(**texts))


def quarantine_csv(quarantine: pd.DataFrame) -> bytes:
    """Return the quarantine as it stands in the file."""
    return _csv(quarantine[list(QUARANTINE_COLUMNS)])


def parse_offers(text: str, path: str) -> tuple[pd.DataFrame, list[Problem]]:
    """Return the offers table: text as text (`NA` included), numbers as float64 with NaN, moments in UTC."""
    table, problems = read_csv(text or ",".join(COLUMNS), path, COLUMNS)
    frame = pd.DataFrame(table.rows, columns=list(COLUMNS), dtype="str")
    numbers = {name: _number(frame[name], table, problems) for name in NUMBERS}
    moments = pd.to_datetime(frame["collected_at"], format=_MOMENT, utc=True, errors="coerce")
    problems += _unreadable(frame["collected_at"], moments.isna(), table, "uma data e hora em UTC")
    typed = frame.astype(dict.fromkeys(TEXT, "str")).assign(
        **numbers, collected_at=moments.astype("datetime64[us, UTC]")
    )
    return typed, problems


def provenance_csv(provenance: pd.DataFrame) -> bytes:
    """Return where each offer comes from, as it stands in the file."""
    return _csv(provenance.sort_values("offer_id")[list(PROVENANCE_COLUMNS)])


def review_csv(waiting: Iterable[Waiting]) -> bytes:
    """Return the changes that wait to be confirmed, as they stand in the file."""
    rows = sorted(tuple(getattr(entry, name) for name in _WAITING) for entry in waiting)
    return _csv(pd.DataFrame(rows, columns=list(_WAITING)))


def parse_provenance(text: str, path: str) -> tuple[pd.DataFrame, list[Problem]]:
    """Return where each offer comes from, every column text."""
    table, problems = read_csv(text or ",".join(PROVENANCE_COLUMNS), path, PROVENANCE_COLUMNS)
    return pd.DataFrame(table.rows, columns=list(PROVENANCE_COLUMNS), dtype="str"), problems


def parse_review(text: str, path: str) -> tuple[dict[tuple[str, str], Waiting], list[Problem]]:
    """Return the changes that wait, by kind and key."""
    table, problems = read_csv(text or ",".join(_WAITING), path, _WAITING)
    found = [Waiting(**{name: row[name] for name in _TOLD}, confirmed=int(row["confirmed"])) for row in table.rows]
    return {(entry.kind, entry.key): entry for entry in found}, problems


def parse_quarantine(text: str, path: str) -> tuple[pd.DataFrame, list[Problem]]:
    """Return the quarantine, every column text."""
    table, problems = read_csv(text or ",".join(QUARANTINE_COLUMNS), path, QUARANTINE_COLUMNS)
    return pd.DataFrame(table.rows, columns=list(QUARANTINE_COLUMNS), dtype="str"), problems


def _number(texts: pd.Series, table: CsvTable, problems: list[Problem]) -> pd.Series:
    values = pd.to_numeric(texts.where(texts.ne("")), errors="coerce").astype("float64")
    problems += _unreadable(texts, values.isna() & texts.ne(""), table, "um número com ponto decimal")
    return values


def _unreadable(texts: pd.Series, which: pd.Series, table: CsvTable, expected: str) -> list[Problem]:
    todo = "rode `python -m generator refresh`, que escreve este arquivo"
    return [
        Problem(table.path, *table.at(row, str(texts.name)), f"«{texts[row]}» em {texts.name}", expected, todo)
        for row in texts.index[which][:_SHOWN]
    ]


def _csv(table: pd.DataFrame) -> bytes:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return lines.getvalue().encode()
