"""`data/exchange_rates.csv`: dated rates, one per pair, day and kind, oldest first within a pair."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import fields
from decimal import Decimal

from generator import cells
from generator.exchange import jump
from generator.model import ExchangeRate
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records
from generator.tables.vocabularies import Vocabularies

COLUMNS = tuple(field.name for field in fields(ExchangeRate))


def parse_exchange_rates(
    text: str, path: str, vocabularies: Vocabularies, most_step: Decimal | None = None
) -> tuple[tuple[ExchangeRate, ...], list[Problem]]:
    """Return the rates in the order of pair and day; `most_step` is the largest believable change between two."""
    records, problems = csv_records(text, path, COLUMNS)
    before: dict[tuple[str, str], ExchangeRate] = {}

    def make(row: Record) -> ExchangeRate:
        rate = _rate(row, vocabularies)
        if not row.problems:
            _follow(row, rate, before.get((rate.base, rate.quote)), most_step)
            before[rate.base, rate.quote] = rate
        return rate

    rates, more = build_keyed(records, make, _key, "day")
    return tuple(rates[key] for key in sorted(rates)), problems + more


def _follow(row: Record, rate: ExchangeRate, previous: ExchangeRate | None, most_step: Decimal | None) -> None:
    """Note a rate that comes before its day, or that is too far from the previous one of its pair."""
    if previous is not None and rate.day < previous.day:
        row.note(
            "day",
            f"{rate.day} depois de {previous.day}",
            "cada par da data mais antiga à mais nova",
            "reordene as linhas",
        )
    elif most_step is not None and (reason := jump(rate, previous, most_step)):
        row.note("rate", reason, "uma mudança plausível entre duas cotações", "confira a vírgula e o dia na fonte")


def rates_csv(rates: Iterable[ExchangeRate]) -> bytes:
    """Return rates as lines to add to the table, in the order of day and pair."""
    lines = io.StringIO()
    ordered = sorted(rates, key=lambda rate: (rate.day, rate.base, rate.quote, rate.kind))
    rows = ((rate.base, rate.quote, rate.day.isoformat(), f"{rate.rate:f}", rate.kind, rate.source) for rate in ordered)
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue().encode()


def _key(rate: ExchangeRate) -> tuple[str, str, str, str]:
    return rate.base, rate.quote, rate.day.isoformat(), rate.kind


def _rate(row: Record, vocabularies: Vocabularies) -> ExchangeRate:
    currency = cells.one_of(vocabularies["currency"])
    rate = row.need("rate", cells.decimal)
    if rate is not None and rate <= 0:
        row.note("rate", f"cotação {rate}", "um número maior que zero", "confira a cotação na fonte")
    return ExchangeRate(
        base=row.need("base", currency),
        quote=row.need("quote", currency),
        day=row.need("day", cells.day),
        rate=rate,
        kind=row.maybe("kind", cells.one_of(vocabularies["rate_kind"]), ""),
        source=row.need("source", cells.text),
    )
