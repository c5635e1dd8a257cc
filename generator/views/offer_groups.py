"""The offers of a GPU or of a provider as a table: the best of each kind, by pricing model."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from generator.views import labels
from generator.views.catalogue import Catalogue
from generator.views.document import OfferGroup, Offers
from generator.views.offer_rows import offer_rows

RANK_BY = "bandwidth_gb_s"
ROWS = 100  # of a table, at most
NOTES = {
    "on_demand": "sua até você desligar",
    "spot": "mais barata; o provedor pode retomá-la a qualquer momento",
    "reserved_6m": "exige compromisso de uso",
    "reserved_1y": "exige compromisso de uso",
    "reserved_3y": "exige compromisso de uso",
}


def offers_table(catalogue: Catalogue, offers: pd.DataFrame, keys: list[str], caption: str) -> Offers:
    """Return the cheapest offer of each combination of `keys` and pricing model, cheapest first, at most `ROWS`."""
    best = offers[offers["price_usd_gpu_hour"].notna()].drop_duplicates([*keys, "pricing_model", "tier"]).head(ROWS)
    groups = []
    for model, note in NOTES.items():
        rows = offer_rows(best[best["pricing_model"] == model], catalogue.data, RANK_BY)
        if rows:
            plain = tuple(replace(row, anchor="") for row in rows)
            groups.append(OfferGroup(model, labels.PRICING[model], note, plain))
    return Offers(caption, labels.RANKING[RANK_BY], tuple(groups))
