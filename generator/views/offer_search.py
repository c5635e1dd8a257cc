"""Offers that match what a person asks on the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.problems import did_you_mean
from generator.views import labels
from generator.views.offer_rows import gpu_label, records


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked; `None` asks for nothing."""

    gpu: str | None = None
    max_usd_gpu_hour: float | None = None
    region: str | None = None
    pricing_model: str | None = None


def search(data: Dataset, wanted: Wanted) -> tuple[pd.DataFrame, str]:
    """Return the matching offers, cheapest per GPU-hour first, and what is wrong with the question, if anything."""
    offers = data.offers
    if wanted.gpu is not None and wanted.gpu not in data.gpus:
        return offers.head(0), f"GPU “{wanted.gpu}” não existe; {did_you_mean(wanted.gpu, data.gpus)}"
    if wanted.pricing_model is not None and wanted.pricing_model not in data.rules.pricing_models:
        return offers.head(0), f"modalidade “{wanted.pricing_model}” não existe; {', '.join(data.rules.pricing_models)}"
    keep = pd.Series(True, index=offers.index)
    if wanted.gpu is not None:
        keep &= offers["gpu"] == wanted.gpu
    if wanted.pricing_model is not None:
        keep &= offers["pricing_model"] == wanted.pricing_model
    if wanted.max_usd_gpu_hour is not None:
        keep &= offers["price_usd_gpu_hour"] <= wanted.max_usd_gpu_hour
    if wanted.region is not None:
        place = wanted.region.casefold()
        keep &= (offers["country"].str.casefold() == place) | (offers["region"].str.casefold() == place)
    return offers[keep].sort_values(["price_usd_gpu_hour", "offer_id"], na_position="last"), ""


def as_json(offers: pd.DataFrame) -> str:
    """Return the offers as a JSON list with the columns of the table; unknown is null."""
    rows = [
        {name: None if fmt.is_missing(value) else value for name, value in row.items()}
        for row in records(offers.assign(collected_at=offers["collected_at"].dt.strftime("%Y-%m-%dT%H:%M:%SZ")))
    ]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False)


def as_text(offers: pd.DataFrame, data: Dataset) -> str:
    """Return one line per offer: price, cards, seller, machine, place, pricing model and date."""
    lines = [
        "  ".join(
            (
                fmt.NOT_INFORMED if fmt.is_missing(row["price_usd_gpu_hour"]) else fmt.money(row["price_usd_gpu_hour"]),
                gpu_label(data.gpus[row["gpu"]], row["gpu_count"]),
                data.providers[row["provider"]].name,
                row["instance"],
                labels.place(row, data),
                labels.pricing(row["pricing_model"], row["tier"], data),
                fmt.day_short(row["collected_at"].date()),
            )
        )
        for row in records(offers)
    ]
    return "\n".join([*lines, f"{fmt.count(len(lines), 'oferta', 'ofertas')} (preço por GPU-hora)."])
