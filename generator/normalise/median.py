"""A price far under its provider's others for the same card, among machines that are no larger."""

from __future__ import annotations

import numpy as np
import pandas as pd

from generator.normalise.rows import column
from generator.tables.rules import Rules

_SOLD = ["provider", "id_gpu", "pricing_model", "tier", "cards"]
_OFFER = ["instance", "region", "count"]
_SIZE = ["cpu_each", "ram_each"]


def far_below_peers(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell which prices are far under the median of their peers; `usd` is US dollars per whole GPU.

    Peers are the newest rows of other machines or regions with no more CPU and memory for each GPU, so that the
    smallest machine of a family is compared with itself elsewhere and not with larger ones. The median is the upper
    one, which a low price does not pull down with it.
    """
    if rows.empty:
        return column((), rows, "bool")
    count = rows["count"].map(float).astype("float64")
    sized = rows.assign(
        cards=count,  # prices per card of one and of eight are not alike
        cpu_each=(rows["vcpus"] / count).fillna(np.inf),
        ram_each=(rows["ram_gib"] / count).fillna(np.inf),
    )
    judged = sized[sized["usd"].notna()]
    found = [_below(group, rules) for _, group in judged.groupby(_SOLD, sort=False)]
    every: pd.Series = pd.concat([column((), rows[:0], "bool"), *found])
    return every.reindex(rows.index, fill_value=False)


def _below(group: pd.DataFrame, rules: Rules) -> pd.Series:
    peers = group.sort_values("collected_at", ascending=False, kind="stable").drop_duplicates(_OFFER)
    below = pd.Series(False, index=group.index)
    for (cpu, ram), alike in group.groupby(_SIZE, sort=False):
        prices = np.sort(peers["usd"][(peers["cpu_each"] <= cpu) & (peers["ram_each"] <= ram)])
        if len(prices) > 1:
            pair = len(prices) < rules.limits["median_from"]
            share = rules.limits["pair_share" if pair else "median_share"]
            below[alike.index] = alike["usd"] < prices[len(prices) // 2] * share
    return below
