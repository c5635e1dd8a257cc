"""The comparison of a guide: which offers qualify, which stands for each provider × GPU × pricing model, in what order.

Prices stay in the table however old they are, each with its date; summaries prefer prices inside the highlight band and
say so when there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import pandas as pd

from generator.dataset import Dataset
from generator.model import Gpu, Workload

GROUPS = ("on_demand", "spot", "reserved_1y")
_GPU_FIELDS = ("memory_gb", "bandwidth_gb_s", "bf16_dense_tflops")
NOT_COMPARABLE = ("fraction", "modified", "restricted_region")  # not a whole card, not the maker's, not for everybody
APART = ("gpu_only_price",)  # comparable only after adding what is sold beside it


@dataclass(frozen=True)
class Comparison:
    """The rows of a guide by pricing model, those of Brazilian regions, and everything that qualified.

    Frames have the columns of the offers table plus the GPU's `memory_gb`, `bandwidth_gb_s`, `bf16_dense_tflops`, each
    with its amount per dollar (`…_per_usd`), `is_variant_unknown`, `is_apart` (ranked after the rest) and `age_days`.
    """

    workload: Workload
    groups: dict[str, pd.DataFrame]
    brazil: dict[str, pd.DataFrame]
    qualifying: pd.DataFrame

    @property
    def shown(self) -> pd.DataFrame:
        """Return every row of the table, in order."""
        return pd.concat([*self.groups.values(), *self.brazil.values()])


def has_any_flag(offers: pd.DataFrame, flags: tuple[str, ...]) -> pd.Series[bool]:
    """Return, row by row, whether the offer carries one of the flags."""
    return (";" + offers["flags"] + ";").str.contains(f";(?:{'|'.join(flags)});")


def _gpu_table(gpus: dict[str, Gpu]) -> pd.DataFrame:
    rows = {
        gpu.id: {
            **{field: getattr(gpu, field) for field in _GPU_FIELDS},
            "is_gpu": gpu.accelerator_class == "gpu",
            "is_variant_unknown": gpu.is_variant_unknown,
            "architecture": gpu.architecture,
        }
        for gpu in gpus.values()
    }
    return pd.DataFrame.from_dict(rows, orient="index").astype(dict.fromkeys(_GPU_FIELDS, "float64"))


def with_gpu_facts(offers: pd.DataFrame, gpus: dict[str, Gpu], today: date) -> pd.DataFrame:
    """Return the offers joined with their GPU's facts, the amounts per dollar and the age in days."""
    joined = offers.join(_gpu_table(gpus), on="gpu", how="inner")
    for field in _GPU_FIELDS:
        joined[f"{field}_per_usd"] = joined[field] / joined["price_usd_gpu_hour"]
    joined["is_apart"] = joined["is_variant_unknown"] | has_any_flag(joined, APART)
    joined["age_days"] = (pd.Timestamp(today, tz="UTC") - joined["collected_at"].dt.normalize()).dt.days
    return joined


def qualifying(data: Dataset, workload: Workload, today: date) -> pd.DataFrame:
    """Return the offers that meet every requirement of a workload; an unknown characteristic does not exclude."""
    offers = with_gpu_facts(data.offers, data.gpus, today)
    accelerated = {name for name, have in data.precisions.items() if set(workload.precisions) <= set(have)}
    keep = (
        offers["is_gpu"]
        & offers["price_usd_gpu_hour"].notna()
        & (offers["availability"] != "unavailable")
        & (offers["memory_gb"] >= workload.min_memory_gb)
        & ~(offers["bandwidth_gb_s"] < workload.min_bandwidth_gb_s)
        & offers["architecture"].isin(accelerated)
    )
    return offers[keep & ~has_any_flag(offers, NOT_COMPARABLE)]


def best_of_each(offers: pd.DataFrame, workload: Workload) -> pd.DataFrame:
    """Return the cheapest offer per GPU-hour of each provider × GPU × pricing model, best for the workload first.

    Equal prices go to the larger or smaller machine as the workload prefers, then to the offer id, so that the order of
    the input never shows. Rows set apart, and those whose ranking fact is unknown, come last.
    """
    metric = f"{workload.rank_by}_per_usd"
    by_price = offers.sort_values(
        ["price_usd_gpu_hour", "gpu_count", "offer_id"], ascending=[True, workload.prefer == "few", True]
    )
    best = by_price.drop_duplicates(["provider", "gpu", "pricing_model"])
    return best.sort_values(["is_apart", metric, "offer_id"], ascending=[True, False, True], na_position="last")


def few(best: pd.DataFrame, rows: int, highlight_days: int) -> pd.DataFrame:
    """Return at most `rows` of the best offers, in the same order.

    Recent prices come in first, because summaries quote them; then providers take turns, each with its next best, so
    that no seller with many cards crowds the others out.
    """
    turn = best.groupby("provider").cumcount()
    order = best.assign(is_old=best["age_days"] > highlight_days, turn=turn).sort_values(
        ["is_old", "turn", "is_apart"], kind="stable"
    )
    return best[best["offer_id"].isin(order["offer_id"].head(rows))]


@lru_cache(maxsize=16)
def compare(data: Dataset, workload: Workload, today: date) -> Comparison:
    """Return the comparison of one workload as of a day; pages ask for it many times."""
    offers = qualifying(data, workload, today)
    best = best_of_each(offers, workload)
    brazil = best_of_each(offers[offers["country"] == "BR"], workload)
    days = data.rules.highlight_days
    groups = {model: few(best[best["pricing_model"] == model], workload.rows[model], days) for model in GROUPS}
    shown = pd.concat(list(groups.values()))["offer_id"]
    rest = brazil[~brazil["offer_id"].isin(shown)].head(workload.rows["brazil"])
    return Comparison(workload, groups, {model: rest[rest["pricing_model"] == model] for model in GROUPS}, offers)


@dataclass(frozen=True)
class Highlight:
    """The cheapest offer of a selection; `is_recent` tells whether its price is inside the highlight band."""

    offer: pd.Series
    is_recent: bool


def cheapest(offers: pd.DataFrame, highlight_days: int, pricing_model: str = "on_demand") -> Highlight | None:
    """Return the cheapest offer per GPU-hour among the recent ones, or among those of the newest day when none is.

    A price older than the band never leads a sentence while something fresher exists.
    """
    is_quotable = offers["price_usd_gpu_hour"].notna() & ~has_any_flag(offers, APART)
    rows = offers[is_quotable & (offers["pricing_model"] == pricing_model)]
    if rows.empty:
        return None
    recent = rows[rows["age_days"] <= highlight_days]
    pool = rows[rows["age_days"] == rows["age_days"].min()] if recent.empty else recent
    first = pool.sort_values(["price_usd_gpu_hour", "offer_id"]).iloc[0]
    return Highlight(first, not recent.empty)
