"""What makes a row unfit to publish: small rules with a name, whose sentence for the reader is in `data/rules.yml`.

A rule looks at the rows still in and returns which of them it refuses. The order matters: the first reason stays.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pandas as pd

from generator.normalise.bands import implausible
from generator.normalise.median import far_below_peers
from generator.normalise.numbers import UnreadableError, read_decimal
from generator.normalise.rows import column, reject, rows_of
from generator.sources import curated
from generator.tables.rules import Rules


def judge(frame: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the frame with a reason on every row that a rule refuses."""
    for reason, rule in ROW_RULES.items():
        candidates = frame[frame["reason"].eq("")]
        refused = rule(candidates, rules)
        if refused.any():
            detail = candidates.loc[refused, "usd_hour"].map(_shown).reindex(frame.index, fill_value="")
            frame = reject(frame, refused.reindex(frame.index, fill_value=False), reason, detail)
    return frame


def spot_not_offered(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a spot price of zero: that is how catalogues say that there is no spot."""
    del rules
    return rows["pricing_model"].eq("spot") & _hour(rows).eq(0)


def price_not_positive(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a price of zero or below."""
    del rules
    return _hour(rows).le(0)


def price_sentinel(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse the round numbers that stand for "unavailable"."""

    def is_sentinel(text: str, mark: str) -> bool:
        try:
            return read_decimal(text, mark) in rules.sentinels
        except UnreadableError:
            return False

    return column((is_sentinel(*row) for row in rows_of(rows, "price", "decimal_mark")), rows, "bool")


def estimated(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a price that somebody estimated; only what the provider publishes is a price."""
    del rules
    return (";" + rows["flags"] + ";").str.contains(";estimated_price;", regex=False)


def price_implausible(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a price per GPU outside the band of that card: bid floors, cents for dollars, a GPU for eight."""
    told = rows[["pricing_model", "currency"]].assign(gpu=rows["id_gpu"], usd=per_gpu_usd(rows))
    return implausible(told.assign(own=_per_gpu(rows, "hour")), rules)


def price_below_median(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a price far under what the provider asks for that card in machines that are no larger: a wrong item.

    Spot is left alone: it is meant to differ from region to region.
    """
    judged = rows["pricing_model"].ne("spot") & ~rows["tier"].isin(list(rules.owner_priced_tiers))
    return far_below_peers(rows.assign(usd=per_gpu_usd(rows))[judged], rules).reindex(rows.index, fill_value=False)


def rate_missing(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a live price in a currency without a rate: nothing tells whether it is plausible.

    A hand-kept one stays, in its own currency: a person has read it.
    """
    del rules
    return rows["source"].ne(curated.ID) & rows["hour"].notna() & rows["usd_hour"].isna()


def prices_all_equal(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Refuse a source's rows of a provider when cards of different kinds all cost the same: a default, not a price."""
    prices = per_gpu_usd(rows)
    key = [rows[name] for name in ("source", "provider", "pricing_model")]
    many = prices.groupby(key).transform("size") >= rules.limits["equal_from"]
    one_price = prices.groupby(key).transform("nunique").eq(1) | _hour(rows).groupby(key).transform("nunique").eq(1)
    return many & one_price & (rows["id_gpu"].groupby(key).transform("nunique") > 2)


ROW_RULES: dict[str, Callable[[pd.DataFrame, Rules], pd.Series]] = {
    "estimated": estimated,
    "spot_not_offered": spot_not_offered,
    "price_not_positive": price_not_positive,
    "price_sentinel": price_sentinel,
    "rate_missing": rate_missing,
    "prices_all_equal": prices_all_equal,
    "price_implausible": price_implausible,
    "price_below_median": price_below_median,
}


def per_gpu_usd(rows: pd.DataFrame) -> pd.Series:
    """Return US dollars per whole GPU, also for a slice, as float64; only for comparing, never for printing."""
    return _per_gpu(rows, "usd_hour")


def _per_gpu(rows: pd.DataFrame, name: str) -> pd.Series:
    prices = rows_of(rows, name, "count")
    each = (float(price / count) if price is not None and count else float("nan") for price, count in prices)
    return column(each, rows, "float64")


def _shown(price: Decimal | None) -> str:
    return "" if price is None else f"US$ {price.normalize():f}/h"


def _hour(rows: pd.DataFrame) -> pd.Series:
    return rows["hour"].map(lambda price: float("nan") if price is None else float(price)).astype("float64")
