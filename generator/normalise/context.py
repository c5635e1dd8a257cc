"""What only shows beside the other offers: spot against on demand, larger machines, prices that do not scale."""

from __future__ import annotations

import pandas as pd

from generator.normalise.judge import per_gpu_usd
from generator.normalise.reference import Reference
from generator.normalise.rows import add_flag, reject

_MACHINE = ["provider", "instance", "id_gpu", "count", "region"]
_ANYWHERE = _MACHINE[:-1]
_FAMILY = ["provider", "family", "region", "id_gpu", "count", "pricing_model", "tier"]
_FIRST_WORD = r"^([^\W_]*)"
_EQUAL = 1e-9


def in_context(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    """Return the frame with spot prices that make no sense left out, and the flags that compare offers."""
    if not frame["reason"].eq("").any():
        return frame
    frame = _spot(frame)
    alive = frame[frame["reason"].eq("")]
    frame = add_flag(frame, _at(frame, _larger_machine(alive)), "larger_machine")
    frame = add_flag(frame, _at(frame, _not_linear(alive, reference.rules.limits["family_step"])), "price_not_linear")
    return add_flag(frame, _at(frame, _little_ram(alive, reference)), "ram_below_vram")


def _spot(frame: pd.DataFrame) -> pd.DataFrame:
    """Drop spot above on demand and flag its machine; flag spot that equals it, so that no discount is claimed."""
    alive = frame[frame["reason"].eq("")].assign(price=per_gpu_usd)
    spot = alive[alive["pricing_model"].eq("spot")]
    reference = _on_demand_price(alive, spot)
    above = spot["price"] > reference + _EQUAL
    equal = (spot["price"] - reference).abs() <= _EQUAL
    frame = add_flag(frame, _at(frame, equal), "spot_no_discount")
    frame = reject(frame, _at(frame, above), "spot_above_on_demand", spot["price"].reindex(frame.index))
    machines = set(map(tuple, spot.loc[above, _MACHINE].to_numpy()))
    sold = alive[alive["pricing_model"].eq("on_demand")]
    without_region = {machine[:-1] for machine in machines}  # where one of the two does not tell it, they may be one
    hit = [
        tuple(row) in machines or (*row[:-1], "") in machines or (not row[-1] and tuple(row[:-1]) in without_region)
        for row in sold[_MACHINE].to_numpy()
    ]
    return add_flag(frame, _at(frame, pd.Series(hit, index=sold.index, dtype=bool)), "spot_discarded")


def _on_demand_price(alive: pd.DataFrame, spot: pd.DataFrame) -> pd.Series:
    """Return, for each spot row, the on-demand price of its tier, else the dearest of any tier of that machine.

    A price whose region nobody told stands for any region; to a spot like that, the dearest region is the measure.
    """
    on_demand = alive[alive["pricing_model"].eq("on_demand")]
    by_tier = on_demand.groupby([*_MACHINE, "tier"])["price"].max()
    any_tier = on_demand.groupby(_MACHINE)["price"].max()
    same = spot.join(by_tier.rename("same"), on=[*_MACHINE, "tier"])["same"]
    here = same.fillna(spot.join(any_tier.rename("any"), on=_MACHINE)["any"])
    placeless = on_demand[on_demand["region"].eq("")].groupby(_ANYWHERE)["price"].max()
    dearest = on_demand.groupby(_ANYWHERE)["price"].max()
    there = spot.join(placeless.rename("any"), on=_ANYWHERE)["any"]
    return here.fillna(there).fillna(spot.join(dearest.rename("any"), on=_ANYWHERE)["any"].where(spot["region"].eq("")))


def _larger_machine(alive: pd.DataFrame) -> pd.Series:
    """Tell which offers cost more than a machine of their family with less CPU or memory for the same GPUs, there.

    The family is the first word of the machine's name; products of other names are other products.
    """
    prices = per_gpu_usd(alive)
    families = alive.assign(family=alive["instance"].str.extract(_FIRST_WORD, expand=False).fillna(""))
    keys = [families[name] for name in _FAMILY]
    larger = pd.Series(False, index=alive.index)
    for size in ("vcpus", "ram_gib"):
        least = alive[size].groupby(keys).transform("min")
        of_smallest = prices.where(alive[size].eq(least)).groupby(keys).transform("min")
        larger |= (alive[size] > least) & (prices > of_smallest)
    return larger


def _not_linear(alive: pd.DataFrame, step: float) -> pd.Series:
    """Tell where a GPU costs much more or less than in the cheapest machine with the least GPUs of the family."""
    prices = per_gpu_usd(alive)
    whole = alive["count"].map(lambda count: count is not None and count >= 1)
    rows = alive.assign(price=prices, cards=alive["count"].map(float))[whole]
    keys = ["provider", "region", "id_gpu", "pricing_model", "tier"]
    per_size = rows.groupby([*keys, "cards"])["price"].min()
    base = per_size.groupby(keys).transform("first")
    bent = ((per_size / base - 1).abs() > step).rename("bent")
    found = rows.join(bent, on=[*keys, "cards"])["bent"]
    return found.reindex(alive.index, fill_value=False).fillna(value=False).astype(bool)


def _little_ram(alive: pd.DataFrame, reference: Reference) -> pd.Series:
    """Tell where a server has less memory than its GPUs, often a sign of swapped columns."""
    memory = alive["id_gpu"].map(lambda gpu: reference.memory_gb.get(gpu, float("nan"))).astype("float64")
    return alive["ram_gib"] * 1.073741824 < memory * alive["count"].map(float).astype("float64")


def _at(frame: pd.DataFrame, mask: pd.Series) -> pd.Series:
    return mask.reindex(frame.index, fill_value=False)
