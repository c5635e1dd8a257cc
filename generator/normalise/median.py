"""A price far under its provider's others for the same card, among machines that are no larger."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from generator.tables.rules import Rules

Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
_SOLD = ["provider", "id_gpu", "pricing_model", "tier", "cards"]  # prices per card of one and of eight are not alike
_OFFER = [*_SOLD, "instance", "region"]


def far_below_peers(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell which prices are far under the median of their peers; `usd` is US dollars per whole GPU.

    Peers are the newest rows of other machines or regions with no more CPU and memory for each GPU, so that the
    smallest machine of a family is compared with itself elsewhere and not with larger ones. The median is the upper
    one, which a low price does not pull down with it.
    """
    judged = rows[rows["usd"].notna()]
    judged = judged.assign(cards=judged["count"].map(float).astype("float64"))
    newest = judged.sort_values("collected_at", ascending=False, kind="stable")
    is_peer = (~newest.duplicated(_OFFER)).reindex(judged.index).to_numpy()
    price = judged["usd"].to_numpy()
    sizes = [(judged[name] / judged["cards"]).fillna(np.inf).to_numpy() for name in ("vcpus", "ram_gib")]
    below = np.zeros(len(judged), dtype=bool)
    for at in judged.groupby(_SOLD, sort=False).indices.values():
        if len(at) > 1:
            below[at] = _below(price[at], [size[at] for size in sizes], is_peer[at], rules)
    return pd.Series(below, index=judged.index, dtype=bool).reindex(rows.index, fill_value=False)


def _below(price: Numbers, sizes: list[Numbers], is_peer: Mask, rules: Rules) -> Mask:
    cpu, ram = sizes
    below = np.zeros(len(price), dtype=bool)
    for most_cpu, most_ram in set(zip(cpu.tolist(), ram.tolist(), strict=True)):
        peers = np.sort(price[is_peer & (cpu <= most_cpu) & (ram <= most_ram)])
        if len(peers) > 1:
            is_pair = len(peers) < rules.limits["median_from"]
            least = peers[len(peers) // 2] * rules.limits["pair_share" if is_pair else "median_share"]
            below |= (cpu == most_cpu) & (ram == most_ram) & (price < least)
    return below
