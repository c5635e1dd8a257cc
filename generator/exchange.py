"""Dated exchange rates: which one holds on a day, what an amount becomes, and which new ones to believe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generator.model import ExchangeRate

_PREFERRED = ("sell", "", "mid", "buy")  # the buyer of dollars pays the sell rate; an untold kind is better than buy


@dataclass(frozen=True, slots=True)
class Converted:
    """An amount in another currency, not rounded, and the rates it went through (none between equal currencies)."""

    amount: Decimal
    rates: tuple[ExchangeRate, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A rate that is kept out, and why, in Portuguese."""

    rate: ExchangeRate
    reason: str


def latest(rates: Iterable[ExchangeRate], base: str, quote: str, day: date) -> ExchangeRate | None:
    """Return the last rate of a pair known on a day, as on weekends and holidays; among kinds of one day, sell."""
    known = [rate for rate in rates if (rate.base, rate.quote) == (base, quote) and rate.day <= day]
    return max(known, key=lambda rate: (rate.day, -_PREFERRED.index(rate.kind)), default=None)


def convert(
    amount: Decimal, currency: str, wanted: str, rates: tuple[ExchangeRate, ...], day: date
) -> Converted | None:
    """Return the amount at the last rates known on a day, through as few currencies as possible.

    `None` where no chain of rates leads to the wanted currency: an unknown rate is never 1.
    """
    pairs = {(rate.base, rate.quote) for rate in rates if rate.day <= day}
    reached = {currency: Converted(amount)}
    border = [currency]
    while border and wanted not in reached:
        found = [_step(reached[name], pair, name, rates, day) for name in border for pair in sorted(pairs)]
        border = []
        for name, converted in (each for each in found if each is not None):
            if name not in reached:
                reached[name] = converted
                border.append(name)
    return reached.get(wanted)


def _step(
    start: Converted, pair: tuple[str, str], currency: str, rates: tuple[ExchangeRate, ...], day: date
) -> tuple[str, Converted] | None:
    """Return the other currency of a pair and the amount there, or nothing where the pair does not touch this one."""
    rate = latest(rates, *pair, day) if currency in pair else None
    if rate is None:
        return None
    if currency == rate.base:
        return rate.quote, Converted(start.amount * rate.rate, (*start.rates, rate))
    return rate.base, Converted(start.amount / rate.rate, (*start.rates, rate))


def judge(
    found: Iterable[ExchangeRate], known: Iterable[ExchangeRate], today: date, most_step: Decimal
) -> tuple[tuple[ExchangeRate, ...], tuple[Refused, ...]]:
    """Return the new rates to believe, oldest first in whatever order they came, and those kept out.

    `most_step` is the share of the previous rate beyond which a change is a misread number.
    """
    good, accepted, refused = list(known), [], []
    for rate in sorted(found, key=lambda rate: (rate.base, rate.quote, rate.day)):
        reason = _doubt(rate, good, today, most_step)
        if reason:
            refused.append(Refused(rate, reason))
        elif rate not in good:
            good.append(rate)
            accepted.append(rate)
    return tuple(accepted), tuple(refused)


def _doubt(rate: ExchangeRate, good: list[ExchangeRate], today: date, most_step: Decimal) -> str:
    """Return why a rate is not to be believed, or nothing."""
    if rate.rate <= 0:
        return "cotação zero ou negativa"
    if rate.day > today:
        return "dia no futuro"
    twin = [each for each in good if _key(each) == _key(rate) and each.rate != rate.rate]
    if twin:
        return f"outra cotação, {twin[0].rate}, já registrada para o mesmo dia"
    return jump(rate, latest(good, rate.base, rate.quote, rate.day), most_step)


def jump(rate: ExchangeRate, previous: ExchangeRate | None, most_step: Decimal) -> str:
    """Return why a rate is too far from the previous one, in either direction, or nothing."""
    if previous is None or max(rate.rate, previous.rate) <= min(rate.rate, previous.rate) * (1 + most_step):
        return ""
    return f"cotação {rate.rate} longe demais da anterior ({previous.rate} em {previous.day.isoformat()})"


def _key(rate: ExchangeRate) -> tuple[str, str, date, str]:
    return rate.base, rate.quote, rate.day, rate.kind
