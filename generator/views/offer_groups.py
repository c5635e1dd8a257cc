"""The offers of a GPU or of a provider as a table: the best of each kind, by pricing model."""

from __future__ import annotations

import pandas as pd

from generator.views import labels
from generator.views.catalogue import RANK_BY, Catalogue
from generator.views.document import OfferGroup, Offers

ROWS = 100  # of a table, at most
NOTES = {
    "on_demand": "sua até você desligar",
    "spot": "mais barata; o provedor pode retomá-la a qualquer momento",
    "reserved_6m": "exige compromisso de uso",
    "reserved_1y": "exige compromisso de uso",
    "reserved_3y": "exige compromisso de uso",
}


def offers_table(catalogue: Catalogue, offers: pd.DataFrame, keys: list[str], name: str, caption: str) -> Offers:
    """Return the cheapest offer of each combination of `keys` and pricing model, cheapest first, at most `ROWS`.

    `name` is the id of what the offers are of.
    """
    best = offers[offers["price_usd_gpu_hour"].notna()].drop_duplicates([*keys, "pricing_model", "tier"]).head(ROWS)
    found = list(zip(best["pricing_model"].tolist(), best["offer_id"].tolist(), strict=True))
    groups = []
    for model, note in NOTES.items():
        rows = tuple(catalogue.rows[offer] for mine, offer in found if mine == model)
        if rows:
            groups.append(OfferGroup(model, labels.PRICING[model], note, rows))
    return Offers(name, caption, labels.RANKING[RANK_BY], tuple(groups))
