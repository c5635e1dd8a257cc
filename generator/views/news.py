"""What a subscriber reads: what the last refreshes changed, and which prices there are by day, in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pandas as pd

from generator import formatting as fmt
from generator.views import labels
from generator.views.atlas import Atlas
from generator.views.comparison import APART, compare, has_any_flag
from generator.views.offer_rows import gpu_label

SHOWN = 12  # changes of price told one by one
CHEAPEST = 6  # cards whose lowest price of a day is told


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of news: a stable id, when it happened, and what it says, a paragraph each."""

    id: str
    title: str
    moment: datetime
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """The news of the whole site, or of one guide (`page` is its address)."""

    id: str
    path: str
    page: str
    title: str
    items: tuple[Item, ...]

    @property
    def moment(self) -> datetime:
        """Return when the newest of them happened."""
        return max(item.moment for item in self.items)


def feeds(atlas: Atlas) -> list[Feed]:
    """Return the feed of the site and one for each guide; a feed without news is not made."""
    catalogue = atlas.catalogue
    found = [_feed(atlas, "feed.xml", "", "Guia GPU na Nuvem: preços", catalogue.comparable)]
    for workload in catalogue.data.workloads.values():
        page = workload.guide.removesuffix(".md") + "/"
        offers = compare(catalogue.data, workload, catalogue.site.today).qualifying
        title = f"Guia GPU na Nuvem: preços para {workload.title}"
        found.append(_feed(atlas, f"{page}feed.xml", page, title, offers))
    return [feed for feed in found if feed.items]


def _id(*parts: str) -> str:
    """Return an identifier that the same news always has, wherever the site is published."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, '/'.join(('guia-gpu-na-nuvem', *parts)))}"


def _feed(atlas: Atlas, path: str, page: str, title: str, offers: pd.DataFrame) -> Feed:
    ids = set(offers["offer_id"])
    changed = [_changes(atlas, path, news, ids) for news in atlas.catalogue.data.quality.get("news", [])]
    daily = [_day(atlas, path, day, rows) for day, rows in offers.groupby(offers["collected_at"].dt.normalize())]
    items = sorted((item for item in (*changed, *daily) if item), key=lambda item: item.moment, reverse=True)
    return Feed(_id(path), path, page, title, tuple(items))


def _changes(atlas: Atlas, path: str, news: dict[str, Any], ids: Collection[str]) -> Item | None:
    """Return what one refresh changed among some offers."""
    moment = datetime.fromisoformat(news["moment"])
    repriced = [change for change in news["repriced"] if change[0] in ids]
    added = [offer for offer in news["added"] if offer in ids]
    parts = [
        fmt.count(len(added), "oferta nova", "ofertas novas") if added else "",
        fmt.count(len(repriced), "preço mudou", "preços mudaram") if repriced else "",
        fmt.count(news["removed"], "oferta saiu", "ofertas saíram") if news["removed"] and path == "feed.xml" else "",
    ]
    known = [part for part in parts if part]
    if not known:
        return None
    moves = tuple(_move(atlas, *change) for change in repriced[:SHOWN])
    text = f"{fmt.words(known)} na coleta de {fmt.day_long(moment.date())}."
    return Item(_id(path, news["moment"]), text[0].upper() + text[1:-1], moment, (text, *moves))


def _move(atlas: Atlas, offer_id: str, old: float, new: float, currency: str) -> str:
    """Return one change of price in words."""
    data = atlas.catalogue.data
    offer = data.offers[data.offers["offer_id"].eq(offer_id)].iloc[0]
    verb = "caiu" if new < old else "subiu"
    machine = gpu_label(data.gpus[offer["gpu"]], offer["gpu_count"])
    where = f", {labels.place(dict(offer), data)}" if offer["region"] else ""
    kind = labels.PRICING.get(offer["pricing_model"], offer["pricing_model"]).lower()
    who, share = data.providers[offer["provider"]].name, fmt.percent(abs(new / old - 1))
    prices = f"de {fmt.money(old, currency)} para {fmt.money(new, currency)} por hora"
    return f"{who}{where}: {machine}, {kind}, {verb} {share}, {prices}."


def _day(atlas: Atlas, path: str, day: pd.Timestamp, offers: pd.DataFrame) -> Item:
    """Return which prices are from one day, and the lowest on demand of the cards that most providers rent."""
    data = atlas.catalogue.data
    when = fmt.day_long(day.date())
    many = fmt.count(len(offers), "oferta", "ofertas")
    sellers = fmt.count(offers["provider"].nunique(), "provedor", "provedores")
    text = f"A base tem {many} de {sellers} com preço de {when}."
    quotable = offers[offers["pricing_model"].eq("on_demand") & ~has_any_flag(offers, APART)]
    cheapest = quotable.sort_values(["price_usd_gpu_hour", "offer_id"]).drop_duplicates("gpu").to_dict("records")
    popular = sorted(cheapest, key=lambda offer: (-atlas.catalogue.sellers[offer["gpu"]], offer["gpu"]))[:CHEAPEST]
    prices = [
        f"{labels.short_gpu(data.gpus[offer['gpu']])} a {fmt.money(offer['price_usd_gpu_hour'])} "
        f"({data.providers[offer['provider']].name})"
        for offer in popular
    ]
    lowest = (f"Os menores por GPU-hora, sob demanda, nesse dia: {'; '.join(prices)}.",) if prices else ()
    return Item(_id(path, day.date().isoformat()), f"Preços de {when}: {many}", day.to_pydatetime(), (text, *lowest))
