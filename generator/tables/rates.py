"""`data/exchange_rates.csv`: dated rates, one per pair, day and kind."""

from __future__ import annotations

from dataclasses import fields

from generator import cells
from generator.model import ExchangeRate
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records
from generator.tables.vocabularies import Vocabularies

COLUMNS = tuple(field.name for field in fields(ExchangeRate))


def parse_exchange_rates(
    text: str, path: str, vocabularies: Vocabularies
) -> tuple[tuple[ExchangeRate, ...], list[Problem]]:
    """Return the rates in the order of pair and day."""
    records, problems = csv_records(text, path, COLUMNS)
    rates, more = build_keyed(records, lambda row: _rate(row, vocabularies), _key, "day")
    return tuple(rates[key] for key in sorted(rates)), problems + more


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
