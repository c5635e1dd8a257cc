"""The price of a GPU over time: median and range of the providers seen on each day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from statistics import median

from generator import formatting as fmt
from generator.model import Gpu
from generator.tables.history import PricePeriod
from generator.views import labels
from generator.views.catalogue import Catalogue
from generator.views.document import Block, Column, Entry, History, Moment, Note, Table, Text
from generator.views.offer_rows import sort_key

LEAST = 12  # points that a chart needs; fewer would mislead


def history(catalogue: Catalogue, gpu: Gpu) -> tuple[Block, ...]:
    """Return the chart of a GPU on demand, or a sentence that says why there is none."""
    periods = [
        period for period in catalogue.data.history if period.gpu == gpu.id and period.pricing_model == "on_demand"
    ]
    moments = _moments(periods)
    if len(moments) < LEAST:
        return (Text((_too_few(len(moments)),)),)
    name = labels.short_gpu(gpu)
    sellers = sorted({catalogue.data.providers[period.provider].name for period in periods}, key=str.casefold)
    summary = _summary(name, moments, sellers)
    chart = History(f"Preço da {name} sob demanda, por GPU-hora", summary, moments, _table(name, moments))
    sources = "; ".join(dict.fromkeys(period.source for period in periods))
    return (chart, Note((f"Um provedor conta uma vez por dia, com o menor preço dele. Fonte: {sources}.",)))


def _too_few(points: int) -> str:
    have = f"só {fmt.count(points, 'dia', 'dias')} de preço" if points else "nenhum preço diário"
    return f"A base tem {have} desta GPU, e um gráfico pede ao menos {LEAST} dias para não enganar."


def _moments(periods: Iterable[PricePeriod]) -> tuple[Moment, ...]:
    """Return each day with a price, in order: every provider counts once, with its lowest."""
    days: dict[date, dict[str, float]] = {}
    for period in periods:
        for ahead in range((period.last_day - period.first_day).days + 1):
            prices = days.setdefault(period.first_day + timedelta(days=ahead), {})
            lowest = min(prices.get(period.provider, period.price_usd_gpu_hour), period.price_usd_gpu_hour)
            prices[period.provider] = lowest
    return tuple(
        Moment(day, median(prices.values()), min(prices.values()), max(prices.values()), len(prices))
        for day, prices in sorted(days.items())
    )


def _summary(name: str, moments: tuple[Moment, ...], sellers: list[str]) -> str:
    first, last = moments[0], moments[-1]
    days = fmt.count(len(moments), "dia", "dias")
    span = f"De {fmt.day_long(first.day)} a {fmt.day_long(last.day)}, em {days} com preço"
    who = f"{fmt.count(len(sellers), 'provedor', 'provedores')} ({fmt.words(sellers)})"
    move = last.median / first.median - 1
    if abs(move) < 0.005:
        change = f"ficou em {fmt.money(last.median)}"
    else:
        change = f"{'subiu' if move > 0 else 'caiu'} de {fmt.money(first.median)} para {fmt.money(last.median)}"
    middle = f"a mediana da {name} {change}" if len(sellers) > 1 else f"o preço da {name} {change}"
    spread = f", entre {fmt.money(last.low)} e {fmt.money(last.high)} no último dia" if last.high > last.low else ""
    return f"{span} de {who}, {middle} por GPU-hora{spread}."


def _table(name: str, moments: tuple[Moment, ...]) -> Table:
    """Return a row for each change, and the first and last day."""
    shown = [
        moment
        for before, moment in zip((None, *moments), moments, strict=False)
        if before is None or moment is moments[-1] or moment.values != before.values
    ]
    columns = (
        Column("Dia"),
        Column("Mediana", is_number=True),
        Column("Menor", is_number=True),
        Column("Maior", is_number=True),
        Column("Provedores", is_number=True),
    )
    rows = tuple(
        (
            Entry(fmt.day_short(moment.day), moment.day.isoformat()),
            *(Entry(fmt.money(price), sort_key(price)) for price in (moment.median, moment.low, moment.high)),
            Entry(fmt.number(moment.providers), str(moment.providers)),
        )
        for moment in shown
    )
    return Table(f"Preço da {name} sob demanda: os dias em que algo mudou", columns, rows)
