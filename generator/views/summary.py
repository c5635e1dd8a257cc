"""Sentences computed from the dataset that read as a person would write them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.model import Workload
from generator.views import labels
from generator.views.comparison import NOT_COMPARABLE, Comparison, Highlight, cheapest, compare, has_any_flag
from generator.views.reais import how_reais_are_made
from generator.views.site import Site


def comparison_summary(comparison: Comparison, data: Dataset) -> list[str]:
    """Return the words above the table: how much qualified, what leads, how old it is."""
    sentences, older = [_counts(comparison)], ""
    for model, opening in (("on_demand", "Sob demanda"), ("spot", "Como spot")):
        found = cheapest(comparison.qualifying, data.rules.highlight_days, model)
        if found is not None:
            sentences.append(_cheapest(found, opening, data))
            older = older or _older(comparison, found)
    return [*sentences, older or span_of_days(comparison.shown)]


def _counts(comparison: Comparison) -> str:
    shown, fit = comparison.shown, comparison.qualifying
    return (
        f"**{fmt.count(len(shown), 'oferta', 'ofertas')} de "
        f"{fmt.count(shown['provider'].nunique(), 'provedor', 'provedores')}** para {comparison.workload.title}: "
        f"a melhor de cada provedor, GPU e modalidade, entre {fmt.count(len(fit), 'oferta', 'ofertas')} "
        f"que {'atende' if len(fit) == 1 else 'atendem'} aos critérios."
    )


def price_in_words(found: Highlight, data: Dataset) -> str:
    """Return a price with who asks it and when: `US$ 1,99 por GPU-hora (Lambda, 24/05/2026)`."""
    offer = found.offer
    day = fmt.day_short(offer["collected_at"].date())
    warning = "" if found.is_recent else ", preço antigo"
    price = fmt.money(offer["price_usd_gpu_hour"])
    return f"{price} por GPU-hora ({data.providers[offer['provider']].name}, {day}{warning})"


def _cheapest(found: Highlight, opening: str, data: Dataset) -> str:
    card = labels.short_gpu(data.gpus[found.offer["gpu"]])
    kind = "o menor preço recente" if found.is_recent else "não há preço recente; o menor do dia mais novo"
    return f"{opening}, {kind} é **{card} por {price_in_words(found, data)}**."


def _older(comparison: Comparison, found: Highlight) -> str:
    """Return a warning that the table also shows lower prices, older than the one quoted."""
    shown = comparison.groups[found.offer["pricing_model"]]
    lower = shown[shown["price_usd_gpu_hour"] < found.offer["price_usd_gpu_hour"]]
    if lower.empty:
        return ""
    newest = fmt.day_long(lower["collected_at"].max().date())
    return f"A tabela também traz preços menores, porém antigos, de até {newest}; a data de cada um está na linha dele."


def span_of_days(offers: pd.DataFrame) -> str:
    """Return the days that the prices of some offers are from."""
    first, last = offers["collected_at"].min().date(), offers["collected_at"].max().date()
    if first == last:
        return f"Todos os preços são de {fmt.day_long(last)}."
    return f"Os preços são de {fmt.day_long(first)} a {fmt.day_long(last)}; a data de cada um está na linha dele."


def comparable(offers: pd.DataFrame) -> pd.DataFrame:
    """Return the offers of whole, unmodified GPUs that anybody can rent: the only ones a price may be quoted from."""
    is_whole = offers["is_gpu"] & ~has_any_flag(offers, NOT_COMPARABLE)
    return offers[is_whole & (offers["availability"] != "unavailable")]


def footnote(data: Dataset, today: date) -> str:
    """Return how to read the table: what the reais are, and that nobody pays for a place."""
    order = (
        "Spot e sob demanda não se comparam entre si: estão em grupos separados. "
        "A ordem é calculada só com os números da linha; ninguém paga para aparecer."
    )
    return f"{how_reais_are_made(data, today)} {order}".strip()


def card_text(site: Site, workload: Workload) -> str:
    """Return the counts of a guide for the card that leads to it."""
    shown = compare(site.data, workload, site.today).shown
    providers = fmt.count(shown["provider"].nunique(), "provedor", "provedores")
    return f"{fmt.count(len(shown), 'oferta comparada', 'ofertas comparadas')} de {providers}"


@dataclass(frozen=True, slots=True)
class Freshness:
    """What the top of every page says about the age of the data; the browser tells `age` anew."""

    before: str
    age: str
    after: str
    day: date
    is_old: bool


def freshness(data: Dataset, today: date) -> Freshness:
    """Return how old the newest price is; a snapshot is called a snapshot, with the way to refresh it."""
    newest, oldest = data.offers["collected_at"].max().date(), data.offers["collected_at"].min().date()
    days = (today - newest).days
    if days <= data.rules.warn_days:
        return Freshness(f"Preços conferidos em {fmt.day_long(newest)}, ", fmt.age(days), ".", newest, is_old=False)
    before = f"Retrato, não preço de hoje: o preço mais novo é de {fmt.day_long(newest)} ("
    after = (
        f") e o mais antigo, de {fmt.day_long(oldest)}. Confira na fonte de cada linha. Quem mantém o site atualiza "
        "com make refresh."
    )
    return Freshness(before, fmt.age(days), after, newest, is_old=True)
