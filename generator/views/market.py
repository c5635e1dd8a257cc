"""The market at a glance, and the facts of GPUs and providers as tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.model import Fact, Gpu, ProviderField
from generator.views import labels, summary
from generator.views.comparison import with_gpu_facts
from generator.views.offer_rows import Cell, sort_key
from generator.views.site import Site

GLANCE_ROWS = 12


@dataclass(frozen=True, slots=True)
class Price:
    """A price with who asks it and when; an empty `by` means that there is none."""

    cell: Cell
    by: str


@dataclass(frozen=True, slots=True)
class GlanceRow:
    """A GPU of the market table: its memory, its lowest recent prices, and the lowest one that is older than those."""

    gpu: str
    memory: Cell
    on_demand: Price
    spot: Price
    older: Price
    sellers: Cell


def glance(site: Site) -> list[GlanceRow]:
    """Return the GPUs that most providers sell on demand, largest memory first."""
    data = site.data
    offers = summary.comparable(with_gpu_facts(data.offers, data.gpus, site.today))
    offers = offers[~offers["is_apart"]]
    sellers = offers[offers["pricing_model"] == "on_demand"].groupby("gpu")["provider"].nunique()
    chosen = sorted(sellers.sort_index().nlargest(GLANCE_ROWS).index, key=lambda id_: (-data.gpus[id_].memory_gb, id_))
    return [_glance_row(data.gpus[id_], offers[offers["gpu"] == id_], int(sellers[id_]), data) for id_ in chosen]


def _glance_row(gpu: Gpu, offers: pd.DataFrame, sellers: int, data: Dataset) -> GlanceRow:
    is_old = offers["age_days"] > data.rules.highlight_days
    recent, old = offers[~is_old], offers[is_old]
    return GlanceRow(
        labels.short_gpu(gpu),
        Cell(fmt.quantity(gpu.memory_gb, "GB"), sort_key(gpu.memory_gb)),
        _lowest(recent, "on_demand", data),
        _lowest(recent, "spot", data),
        _lowest(old, "on_demand", data),
        Cell(fmt.number(sellers), str(sellers)),
    )


def _lowest(offers: pd.DataFrame, pricing_model: str, data: Dataset) -> Price:
    found = offers[offers["pricing_model"] == pricing_model].sort_values(["price_usd_gpu_hour", "offer_id"])
    if found.empty:
        return Price(Cell("—"), "")
    offer = found.iloc[0]
    price, day = offer["price_usd_gpu_hour"], fmt.day_short(offer["collected_at"].date())
    return Price(Cell(fmt.money(price), sort_key(price)), f"{data.providers[offer['provider']].name}, {day}")


@dataclass(frozen=True, slots=True)
class FactRow:
    """What one provider does, where that was read and when."""

    provider: str
    text: str
    source: str
    day: date | None


def provider_facts(data: Dataset, field: ProviderField) -> tuple[list[FactRow], list[str]]:
    """Return the providers whose fact is known, and the names of those for which nobody states it."""
    offering = [data.providers[id_] for id_ in sorted(data.offers["provider"].unique())]
    known: list[FactRow] = []
    unknown: list[str] = []
    for provider in sorted(offering, key=lambda each: each.name.casefold()):
        fact: Fact | None = provider.facts.get(field.id)
        if fact is None or not fact.text:
            unknown.append(provider.name)
        else:
            known.append(FactRow(provider.name, fact.text, fact.source, fact.source_date))
    return known, unknown


@dataclass(frozen=True, slots=True)
class GpuRow:
    """The facts of a GPU: memory, bandwidth, BF16 and FP8 rates in `numbers`, in that order."""

    name: str
    form: str
    numbers: tuple[Cell, ...]
    memory_type: str
    interconnect: str
    source: str


def gpu_facts(data: Dataset) -> list[GpuRow]:
    """Return every GPU that has an offer, as far as its confidence allows, largest memory first."""
    offered = set(data.offers["gpu"])
    cards = [gpu.published() for gpu in data.gpus.values() if gpu.id in offered and gpu.accelerator_class == "gpu"]
    return [_gpu_row(gpu) for gpu in sorted(cards, key=lambda gpu: (-gpu.memory_gb, gpu.name))]


def _gpu_row(gpu: Gpu) -> GpuRow:
    speed = gpu.bandwidth_gb_s
    numbers = (
        Cell(fmt.quantity(gpu.memory_gb, "GB"), sort_key(gpu.memory_gb)),
        Cell(fmt.NOT_INFORMED if speed is None else fmt.bandwidth(speed), sort_key(speed)),
        *(_rate(rate) for rate in (gpu.bf16_dense_tflops, gpu.fp8_dense_tflops)),
    )
    words = (fmt.or_not_informed(text) for text in (gpu.form_factor, gpu.memory_type, gpu.interconnect))
    form, memory_type, interconnect = words
    return GpuRow(gpu.name, form, numbers, memory_type, interconnect, gpu.source)


def _rate(tflops: float | None) -> Cell:
    return Cell(fmt.NOT_INFORMED) if tflops is None else Cell(fmt.quantity(tflops, "TFLOPS"), sort_key(tflops))


@dataclass(frozen=True, slots=True)
class GuideCard:
    """The way into a guide: its title, its page and today's counts."""

    title: str
    href: str
    text: str


def guide_cards(site: Site) -> list[GuideCard]:
    """Return one card per workload, in the order of the table."""
    return [
        GuideCard(workload.title, workload.guide.removesuffix(".md") + "/", summary.card_text(site, workload))
        for workload in site.data.workloads.values()
    ]
