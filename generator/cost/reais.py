"""From a published price to reais, as the provider bills: with or without the tax on card purchases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generator.cost_model import IofRate
from generator.dataset import Tables
from generator.exchange import convert
from generator.model import ExchangeRate, Provider

BRL = "BRL"
REGIME_FIELD = "billing_regime"
FOREIGN_CARD = "foreign_card"


@dataclass(frozen=True, slots=True)
class Reais:
    """An amount in reais, not rounded, with everything it was made from.

    `iof` is there only where it was added; `rates` is empty for prices published in reais.
    """

    amount: Decimal
    regime: str  # national_brl, foreign_card, native_brl; empty when nobody told
    rates: tuple[ExchangeRate, ...]
    iof: IofRate | None


def regime_of(provider: Provider) -> str:
    """Return how a provider bills a reader in Brazil; empty when unknown."""
    fact = provider.facts.get(REGIME_FIELD)
    return fact.value if fact else ""


def iof_on(series: Iterable[IofRate], day: date) -> IofRate | None:
    """Return the tax in force on a day, or nothing before the series begins."""
    return max((rate for rate in series if rate.in_force_from <= day), key=lambda r: r.in_force_from, default=None)


def in_reais(amount: Decimal, currency: str, regime: str, tables: Tables, day: date) -> Reais | None:
    """Return what an amount costs in reais at the last rates known on a day, or nothing without a rate.

    A price in reais stays as published. A foreign card adds the IOF of the day to the converted amount: amount × PTAX ×
    (1 + IOF), without the bank's spread. Invoices in Brazil, and regimes nobody told, are converted and no more.
    """
    converted = convert(amount, currency, BRL, tables.rates, day)
    if converted is None:
        return None
    iof = iof_on(tables.cost.iof, day) if regime == FOREIGN_CARD and currency != BRL else None
    share = iof.percent / 100 if iof else Decimal(0)
    return Reais(converted.amount * (1 + share), regime, converted.rates, iof)


def iof_is_stale(tables: Tables, day: date) -> bool:
    """Return whether the tax in force was last checked longer ago than the rules allow."""
    iof = iof_on(tables.cost.iof, day)
    return iof is None or (day - iof.checked_on).days > tables.cost.rules.iof_check_days
