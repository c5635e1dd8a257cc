"""What pages from data look up: who sells what, at which quotable price, and which pages exist."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.language_model import LanguageModel
from generator.model import Gpu, Provider
from generator.views import labels, summary
from generator.views.comparison import APART, Highlight, cheapest, has_any_flag, with_gpu_facts
from generator.views.document import Entry
from generator.views.offer_rows import OfferRow, offer_rows, records, sort_key
from generator.views.site import Site

RANK_BY = "bandwidth_gb_s"  # what tables of pages from data show per dollar
LEAST_FACTS = 4  # known facts that make a page about a provider without offers worth opening


@dataclass(frozen=True)
class Catalogue:
    """The dataset of a site, grouped once for all pages."""

    site: Site

    @property
    def data(self) -> Dataset:
        """Return the dataset."""
        return self.site.data

    @cached_property
    def offers(self) -> pd.DataFrame:
        """Return every offer with the facts of its GPU, cheapest per GPU-hour first."""
        joined = with_gpu_facts(self.data.offers, self.data.gpus, self.site.today)
        return joined.sort_values(["price_usd_gpu_hour", "gpu_count", "offer_id"], na_position="last")

    @cached_property
    def comparable(self) -> pd.DataFrame:
        """Return the offers that a price may be quoted from."""
        return summary.comparable(self.offers)

    @cached_property
    def offers_of(self) -> dict[str, pd.DataFrame]:
        """Return the comparable offers by GPU."""
        return {str(gpu): frame for gpu, frame in self.comparable.groupby("gpu")}

    @cached_property
    def rows(self) -> dict[str, OfferRow]:
        """Return every offer as a reader sees it, by id; without anchors, which belong to the guides."""
        found = offer_rows(self.offers, self.data, RANK_BY)
        return {row.offer_id: replace(row, anchor="") for row in found}

    @cached_property
    def quotes(self) -> dict[tuple[str, str], Highlight]:
        """Return the price a sentence may quote, by GPU and pricing model."""
        days = self.data.rules.highlight_days
        found = {
            (gpu, model): cheapest(frame, days, model)
            for gpu, frame in self.offers_of.items()
            for model in ("on_demand", "spot")
        }
        return {key: quote for key, quote in found.items() if quote is not None}

    @cached_property
    def prices(self) -> dict[str, float]:
        """Return the quotable price on demand by GPU, in dollars for a GPU and hour."""
        return {
            gpu: float(quote.offer["price_usd_gpu_hour"])
            for (gpu, model), quote in self.quotes.items()
            if model == "on_demand"
        }

    def price(self, gpu: str) -> float | None:
        """Return the quotable price on demand of a GPU, or nothing."""
        return self.prices.get(gpu)

    @cached_property
    def sellers(self) -> dict[str, int]:
        """Return how many providers rent each GPU, whole and to anybody."""
        return {gpu: int(frame["provider"].nunique()) for gpu, frame in self.offers_of.items()}

    @cached_property
    def best(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the cheapest offer on demand by GPU and provider."""
        rows = self.comparable[self.comparable["pricing_model"].eq("on_demand") & ~has_any_flag(self.comparable, APART)]
        first = rows[rows["price_usd_gpu_hour"].notna()].drop_duplicates(["gpu", "provider"])
        return {(offer["gpu"], offer["provider"]): offer for offer in records(first)}

    def best_prices(self, gpu: str) -> list[float]:
        """Return the best price on demand of each provider, cheapest first, whatever its age."""
        return sorted(float(offer["price_usd_gpu_hour"]) for (name, _), offer in self.best.items() if name == gpu)

    @cached_property
    def gpus(self) -> dict[str, Gpu]:
        """Return the GPUs with a page, as far as they may be published: those with an offer or with known rates."""
        cards = {gpu.id: gpu.published() for gpu in self.data.gpus.values() if gpu.accelerator_class == "gpu"}
        return {
            name: gpu
            for name, gpu in cards.items()
            if name in self.offers_of or (gpu.bandwidth_gb_s and gpu.bf16_dense_tflops)
        }

    @cached_property
    def providers(self) -> dict[str, Provider]:
        """Return the providers with a page: those with an offer or with enough known facts."""
        selling = set(self.data.offers["provider"])
        return {
            name: provider
            for name, provider in self.data.providers.items()
            if name in selling or sum(bool(fact.text) for fact in provider.facts.values()) >= LEAST_FACTS
        }

    @cached_property
    def models(self) -> dict[str, LanguageModel]:
        """Return the models with a page: those of the catalogue whose memory can be computed."""
        return {
            name: model
            for name, model in self.data.models.items()
            if model.role == "catalogo" and model.architecture is not None
        }

    def lacks(self, gpu: Gpu, precision: str) -> bool:
        """Return whether the architecture of a card is known not to accelerate a precision."""
        have = self.data.precisions.get(gpu.architecture)
        return have is not None and precision not in have

    def gpu_entry(self, gpu: str, note: str = "") -> Entry:
        """Return a GPU as the first cell of a row, leading to its page."""
        name = labels.short_gpu(self.data.gpus[gpu])
        return Entry(name, name, f"~/gpus/{gpu}/" if gpu in self.gpus else "", note)

    def gpu_link(self, gpu: str) -> str:
        """Return a GPU inside a sentence, leading to its page."""
        name = labels.short_gpu(self.data.gpus[gpu])
        return f"[{name}](~/gpus/{gpu}/)" if gpu in self.gpus else name

    def provider_entry(self, provider: str, note: str = "") -> Entry:
        """Return a provider as the first cell of a row, leading to its page."""
        name = self.data.providers[provider].name
        return Entry(name, name, f"~/provedores/{provider}/" if provider in self.providers else "", note)

    def price_entry(self, gpu: str, model: str = "on_demand") -> Entry:
        """Return the quotable price of a GPU with who asks it and when."""
        quote = self.quotes.get((gpu, model))
        return Entry("—") if quote is None else self.offer_entry(dict(quote.offer), quote.is_recent)

    def offer_entry(self, offer: dict[str, Any], is_recent: bool = True) -> Entry:
        """Return the price of an offer per GPU-hour with who asks it and when."""
        price, day = offer["price_usd_gpu_hour"], fmt.day_short(offer["collected_at"].date())
        who = self.data.providers[offer["provider"]].name
        old = "" if is_recent else ", antigo"
        return Entry(fmt.money(price), sort_key(price), note=f"{who}, {day}{old}")
