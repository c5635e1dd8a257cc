"""A second source that is never published: it confirms our prices, contradicts them, or has nothing to say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pandas as pd

from generator.normalise.judge import judge
from generator.normalise.merge import Review, money_text, relative_difference
from generator.normalise.rows import add_flag
from generator.tables.rules import Rules

_USABLE = ("", "region_unknown", "provider_unknown")  # a comparison needs neither
_SHOWN = ("gpu_unknown", "gpu_missing")  # new names are news, whoever writes them

Prices = dict[tuple[object, ...], list[tuple[Decimal, str]]]


def left_out(opinions: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the rows of a second source with a reason for each: none is published."""
    plain = opinions["reason"].eq("") | (
        opinions["reason"].isin(list(rules.quarantined)) & ~opinions["reason"].isin(_SHOWN)
    )
    return opinions.assign(reason=opinions["reason"].mask(plain, "second_opinion"), offer_id="")


def confirm(frame: pd.DataFrame, prices: Prices, rules: Rules) -> pd.DataFrame:
    """Let in the prices that looked too low beside their own provider, where a second source has the same."""
    doubted = frame[frame["reason"].eq("price_below_median")]
    agreed = [
        row.Index
        for row in _rows(doubted)
        if (found := _closest(row, prices)) and found[0] <= rules.limits["disagreement"]
    ]
    mask = frame.index.isin(agreed)
    return frame.assign(reason=frame["reason"].mask(mask, ""), detail=frame["detail"].mask(mask, ""))


def contradict(frame: pd.DataFrame, prices: Prices, rules: Rules) -> tuple[pd.DataFrame, list[Review], set[str]]:
    """Return the frame with a flag on the offers that a second source prices more than the limit apart, to review.

    Also return the offers on which it agrees.
    """
    reviews, disputed, agreed = [], [], set()
    for row in _rows(frame[frame["reason"].eq("")]) if prices else ():
        found = _closest(row, prices)
        if found and found[0] <= rules.limits["disagreement"]:
            agreed.add(str(row.offer_id))
        elif found:
            disputed.append(row.Index)
            ours, theirs = money_text(row.usd_hour), money_text(found[1])
            reviews.append(Review("second_opinion", str(row.offer_id), ours, theirs, found[2]))
    return add_flag(frame, frame.index.isin(disputed), "disputed_price"), reviews, agreed


def _rows(frame: pd.DataFrame) -> Iterable[Any]:
    return frame.itertuples()


def second_prices(opinions: pd.DataFrame, rules: Rules) -> Prices:
    """Return the prices by each way of recognising an offer."""
    known: Prices = defaultdict(list)
    usable = opinions[opinions["reason"].isin(_USABLE)]
    sound = judge(usable.assign(reason=""), rules)  # what was out for its place was never asked for its price
    for row in _rows(sound[sound["reason"].eq("")]):
        if row.usd_hour:
            for key in _keys(row):
                known[key].append((row.usd_hour, row.record))
    return known


def _keys(row: Any) -> tuple[tuple[object, ...], ...]:
    """Return the offer as a machine in a region, as a machine anywhere, and as so many cards."""
    sold = (row.provider, row.pricing_model)
    machine = (*sold, row.instance.lower())
    return (*machine, row.region), machine, (*sold, row.id_gpu, row.count)


def _closest(row: Any, prices: Prices) -> tuple[float, Decimal, str] | None:
    """Return the least difference with the second source's prices of the same offer, or nothing to compare with."""
    in_region, anywhere, cards = _keys(row)
    machine = prices.get(in_region) or _everywhere(prices.get(anywhere, []), row)
    found = machine if row.instance else prices.get(cards)
    if not found or not row.usd_hour:
        return None
    return min((relative_difference(row.usd_hour, theirs), theirs, record) for theirs, record in found)


def _everywhere(found: list[tuple[Decimal, str]], row: Any) -> list[tuple[Decimal, str]]:
    """Return prices of other regions where they tell something: ours is unknown, or they cost the same everywhere."""
    same = len({price for price, _ in found}) == 1
    return found if same or not row.region else []
