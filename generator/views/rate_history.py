"""The history of the dollar in reais: a sentence while there are few rates, a line and a table afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from generator import formatting as fmt
from generator.model import ExchangeRate
from generator.views.brazil import Line, Table
from generator.views.offer_rows import Cell
from generator.views.reais import RATE_KINDS, rate_in_words
from generator.views.site import Site

WIDTH, HEIGHT, LEFT, MARGIN = 720, 240, 70, 16


@dataclass(frozen=True, slots=True)
class GridLine:
    """A level of the vertical axis, in units of the drawing."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class RateChart:
    """A line over days, ready to draw."""

    title: str
    points: str
    grid: tuple[GridLine, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT


def known_rates(site: Site) -> list[ExchangeRate]:
    """Return the rates of the dollar in reais up to today, oldest first, one a day: the sell rate where both are."""
    rates = [rate for rate in site.data.rates if (rate.base, rate.quote) == ("USD", "BRL") and rate.day <= site.today]
    by_day = {rate.day: site.data.rate("USD", "BRL", rate.day) for rate in rates}
    return [rate for _, rate in sorted(by_day.items()) if rate is not None]


def sentence(rates: list[ExchangeRate], points: int) -> str:
    """Return what is known of the history while it is too short for a chart."""
    if not rates:
        return "Ainda não há cotação registrada."
    known = fmt.count(len(rates), "cotação registrada", "cotações registradas")
    return f"Até aqui há {known}: a última é {rate_in_words(rates[-1])}. O gráfico aparece a partir de {points}."


def chart(rates: list[ExchangeRate]) -> RateChart:
    """Return the line of the rates; its axis spans the values, so that a change of a few cents shows."""
    values, days = [float(rate.rate) for rate in rates], [rate.day.toordinal() for rate in rates]
    low, high = min(values), max(values)
    across, up = max(1, days[-1] - days[0]), (high - low) or 1

    def x(day: int) -> float:
        return LEFT + (day - days[0]) / across * (WIDTH - LEFT - MARGIN)

    def y(value: float) -> float:
        return HEIGHT - MARGIN - (value - low) / up * (HEIGHT - 2 * MARGIN)

    levels = (low, (low + high) / 2, high) if high > low else (low,)
    title = (
        f"Dólar em reais, {fmt.day_long(rates[0].day)} a {fmt.day_long(rates[-1].day)}: "
        f"entre {fmt.exchange_rate(low)} e {fmt.exchange_rate(high)}, por último {fmt.exchange_rate(values[-1])}"
    )
    points = " ".join(f"{x(day):.1f},{y(value):.1f}" for day, value in zip(days, values, strict=True))
    return RateChart(title, points, tuple(GridLine(round(y(level), 1), fmt.exchange_rate(level)) for level in levels))


def table(rates: list[ExchangeRate]) -> Table:
    """Return the rates, newest first."""
    lines = tuple(
        Line(
            (
                Cell(fmt.day_short(rate.day), rate.day.isoformat()),
                Cell(f"{fmt.exchange_rate(rate.rate)}{RATE_KINDS[rate.kind]}", str(rate.rate)),
            ),
            rate.source,
        )
        for rate in reversed(rates)
    )
    return Table("cambio", "Cotações do dólar", ("Dia", "Reais por dólar", "Fonte"), frozenset({1}), lines)
