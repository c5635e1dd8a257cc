"""Money as `Decimal` from the text at the door to the rounded value in the table, with a dated rate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generator.cost_model import HOURS_IN_MONTH
from generator.exchange import convert
from generator.model import ExchangeRate
from generator.normalise.numbers import round_money

_USD = "USD"


@dataclass(frozen=True, slots=True)
class Rates:
    """Dated rates; a price is converted with the last one known on its day, or not at all: never with a rate of 1."""

    rates: tuple[ExchangeRate, ...] = ()
    currencies: frozenset[str] = frozenset({_USD})  # what a price may be in; anything else is an unknown name

    def to_usd(self, amount: Decimal, currency: str, day: date) -> Decimal | None:
        """Return US dollars, or `None` where no rate of that day or before is known."""
        converted = convert(amount, currency, _USD, self.rates, day)
        return converted.amount if converted else None


def machine_hour(price: Decimal, gpu_count: Decimal, price_for: str, price_every: str, scale: Decimal) -> Decimal:
    """Return the price of the whole machine for one hour, from what the source quotes."""
    whole = price * scale * (gpu_count if price_for in {"gpu", "gpu_only"} else 1)
    return round_money(whole / HOURS_IN_MONTH if price_every == "month" else whole)


def per_gpu(price: Decimal, gpu_count: Decimal) -> Decimal | None:
    """Return the price of one whole GPU; a slice has none, so that it is never compared with a whole card."""
    return round_money(price / gpu_count) if gpu_count >= 1 else None
