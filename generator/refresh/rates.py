"""Exchange rates of the day: the ones to believe are added to those that are kept, the others are told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generator.exchange import judge
from generator.model import ExchangeRate
from generator.problems import Problem
from generator.refresh.reading import Payloads, problem_of
from generator.refresh.report import SourceReport
from generator.sources import live
from generator.sources.failure import SourceError
from generator.tables.rules import Rules


@dataclass(frozen=True, slots=True)
class NewRates:
    """What to add to the table, and the account of each source."""

    rates: tuple[ExchangeRate, ...]
    reports: tuple[SourceReport, ...]


def new_rates(fetched: Payloads, known: Sequence[ExchangeRate], rules: Rules, today: date, step: Decimal) -> NewRates:
    """Return the rates of the sources of rates that were fetched; a doubtful rate fails its source.

    `step` is the share of the last rate beyond which a change is a misread number.
    """
    rates: list[ExchangeRate] = []
    reports = []
    for source in sorted(set(fetched) & set(live.RATES)):
        found, report = _read(source, fetched, [*known, *rates], rules, today, step)
        rates += found
        reports.append(report)
    return NewRates(tuple(rates), tuple(reports))


def _read(
    source: str, fetched: Payloads, known: Sequence[ExchangeRate], rules: Rules, today: date, step: Decimal
) -> tuple[list[ExchangeRate], SourceReport]:
    answer = fetched[source]
    try:
        if isinstance(answer, SourceError):
            raise answer
        rates = [rate for payload in answer.values() for rate in live.RATES[source].parse(payload)]
    except SourceError as error:
        return [], _report(source, (), (), problem_of(error))
    fresh = [rate for rate in rates if rate.day > _last_day(rate, known)]
    believed, refused = judge(fresh, known, today, step)
    doubted = [(rate, why) for rate in fresh if (why := _outside(rate, rules))] + [(r.rate, r.reason) for r in refused]
    if doubted:
        rate, why = doubted[0]
        found = f"{rate.base}/{rate.quote} {rate.rate:f} em {rate.day}: {why}"
        problem = Problem(source, 0, 0, found, "uma cotação perto da anterior", "confira na página da fonte")
        return [], _report(source, rates, {rate for rate, _ in doubted}, problem)
    return list(believed), _report(source, rates, (), None, len(believed))


def _last_day(rate: ExchangeRate, known: Sequence[ExchangeRate]) -> date:
    """Return the last day known of a pair: the table only grows, and what it has stays as it was read."""
    return max((other.day for other in known if (other.base, other.quote) == (rate.base, rate.quote)), default=date.min)


def _outside(rate: ExchangeRate, rules: Rules) -> str:
    """Return why a rate cannot be, whatever the last one was; nothing where it can."""
    low, high = rules.rates.get((rate.base, rate.quote), (Decimal(0), Decimal("Infinity")))
    return "" if low < rate.rate < high else f"fora de {low:f} a {high:f}"


def _report(
    source: str,
    rates: Collection[ExchangeRate],
    doubtful: Collection[ExchangeRate],
    problem: Problem | None,
    added: int = 0,
) -> SourceReport:
    rest = len(rates) - len(doubtful) - added
    return SourceReport(
        id=source,
        status="failed" if problem else "ok",
        rows_read=len(rates),
        rows_published=added,
        rows_quarantined=len(doubtful),
        rows_dropped={("rate_with_doubtful" if doubtful else "rate_known"): rest} if rest else {},
        rows_kept=0,
        rows_last_good=0 if problem else len(rates),
        problems=(problem,) if problem else (),
    )
