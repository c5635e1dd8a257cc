"""Marketplaces where thousands of machines come and go: the cheapest of a kind in a country stands for all of them."""

from __future__ import annotations

import pandas as pd

from generator.normalise.rows import add_flag, reject

_KIND = ["source", "provider", "upstream", "id_gpu", "count", "country", "pricing_model", "tier"]


def cheapest_of_each_kind(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame where one offer per card, count and country of a live marketplace is left, named by its country.

    Machine by machine the table would change at every run, and no reader could rent most of what it shows.
    """
    market = frame["tier"].eq("marketplace") & frame["availability"].eq("available") & frame["id_gpu"].ne("")
    live = market & frame["reason"].eq("")
    if not market.any():
        return frame
    price = frame["usd_hour"].map(lambda value: float("inf") if value is None else float(value)).astype("float64")
    order = frame[live].assign(price_=price[live]).sort_values(["price_", "record"], kind="stable")
    dearer = order[order.duplicated(_KIND)].index
    frame = reject(frame, frame.index.isin(dearer), "market_dearer")
    named = market & frame["reason"].ne("region_unknown")  # also what is refused, so that it is known what it was
    frame = frame.assign(
        instance=frame["instance"].mask(named, ""), region=frame["region"].mask(named, frame["country"])
    )
    return add_flag(frame, live & frame["reason"].eq(""), "lowest_live_offer")
