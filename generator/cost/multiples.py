"""How much more the same machine costs in Brazil: computed from pairs of the same SKU, never typed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pandas as pd

from generator.dataset import Dataset

_SKU = ["provider", "upstream", "instance", "gpu", "gpu_count", "tier", "currency"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One machine in both regions: prices per hour in one currency, and the day each was read."""

    instance: str
    region: str
    baseline_region: str
    currency: str
    price: float
    baseline_price: float
    day: date
    baseline_day: date

    @property
    def multiple(self) -> float:
        """Return price in Brazil ÷ price in the baseline region."""
        return self.price / self.baseline_price


@dataclass(frozen=True, slots=True)
class Multiple:
    """The pairs of one GPU at one provider, smallest multiple first."""

    provider: str
    gpu: str
    pairs: tuple[Pair, ...]


def brazil_multiples(data: Dataset) -> list[Multiple]:
    """Return the multiples by provider and GPU, on demand, largest first; a SKU sold in one region alone has none."""
    merged = _brazil(data).merge(_baseline(data), on=_SKU, suffixes=("", "_base"))
    found = []
    for (provider, gpu), rows in merged.groupby(["provider", "gpu"]):
        pairs = sorted((_pair(row) for _, row in rows.iterrows()), key=lambda pair: (pair.multiple, pair.instance))
        found.append(Multiple(str(provider), str(gpu), tuple(pairs)))
    return sorted(found, key=lambda each: (each.provider, -each.pairs[-1].multiple, each.gpu))


def absent_from_brazil(data: Dataset) -> dict[str, list[str]]:
    """Return, by provider with a region in Brazil, the GPUs that it has in the baseline region and not in Brazil."""
    here, there = _brazil(data), _baseline(data)
    return {
        str(provider): sorted(set(there[there["provider"] == provider]["gpu"]) - set(rows["gpu"]))
        for provider, rows in here.groupby("provider")
    }


def _on_demand(data: Dataset) -> pd.DataFrame:
    offers = data.offers
    return offers[(offers["pricing_model"] == "on_demand") & offers["instance"].ne("") & (offers["price_hour"] > 0)]


def _brazil(data: Dataset) -> pd.DataFrame:
    offers = _on_demand(data)
    return offers[offers["country"] == "BR"]


def _baseline(data: Dataset) -> pd.DataFrame:
    offers = _on_demand(data)
    baseline = offers["provider"].map(data.cost.rules.baseline_regions).fillna("")
    return offers[baseline.ne("") & (offers["region"] == baseline)]


def _pair(row: pd.Series) -> Pair:
    return Pair(
        row["instance"],
        row["region"],
        row["region_base"],
        row["currency"],
        float(row["price_hour"]),
        float(row["price_hour_base"]),
        row["collected_at"].date(),
        row["collected_at_base"].date(),
    )
