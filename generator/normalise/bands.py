"""Whether a price per GPU is plausible: in dollars, or in its own currency while that has no rate."""

from __future__ import annotations

import pandas as pd

from generator.tables.rules import Rules

_EDGE = 1e-9  # a price at the edge is inside, whatever its division left in the last digit


def implausible(prices: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell which prices are outside the band of their card.

    `prices` has `gpu`, `pricing_model`, `currency`, and for one whole GPU and one hour `own` in that currency and `usd`
    in dollars, NaN where no rate is known. Such a price is held to the band in its own currency, as wide as
    `plausible_rates` allow; a currency that they do not reach is outside, because nothing can be said of its prices.
    """
    discounted = prices["pricing_model"].ne("on_demand")
    least = _of_card(prices, {gpu: float(band.on_demand) for gpu, band in rules.bands.items()})
    least = least.mask(discounted, _of_card(prices, {gpu: float(band.discounted) for gpu, band in rules.bands.items()}))
    most = _of_card(prices, {gpu: float(band.most) for gpu, band in rules.bands.items()})
    usd, own = prices["usd"], prices["own"]
    units = {name: found for name in prices["currency"].unique() if (found := rules.units_per_usd(name))}
    fewest = prices["currency"].map({name: float(few) for name, (few, _) in units.items()}).astype("float64")
    dearest = prices["currency"].map({name: float(many) for name, (_, many) in units.items()}).astype("float64")
    outside = _outside(usd, least, most)
    outside_in_own = fewest.isna() | _outside(own, least * fewest, most * dearest)
    return outside.where(usd.notna(), outside_in_own & own.notna())


def _of_card(prices: pd.DataFrame, values: dict[str, float]) -> pd.Series:
    return prices["gpu"].map(values).astype("float64")


def _outside(price: pd.Series, least: pd.Series, most: pd.Series) -> pd.Series:
    return (price < least * (1 - _EDGE)) | (price > most * (1 + _EDGE))
