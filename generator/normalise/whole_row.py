"""What has to hold between the columns of one published offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from generator.normalise.bands import implausible
from generator.tables.rules import Rules

_CENT = 0.01
_ROUNDING = 1e-6  # prices have six decimals


@dataclass(frozen=True, slots=True)
class RowRule:
    """A rule over several columns: those that it compares, what it expects in words, and whether each row keeps it."""

    names: tuple[str, ...]
    expected: str
    holds: Callable[..., pd.Series]

    def columns(self, offers: pd.DataFrame, row: int) -> str:
        """Return the compared columns of a row with their values."""
        values = ((name, offers[name].iloc[row]) for name in self.names)
        return ", ".join(f"{name} {'vazio' if pd.isna(value) or value == '' else value}" for name, value in values)


def _dollars_are_dollars(offers: pd.DataFrame, rules: Rules) -> pd.Series:
    del rules
    same = (offers["price_hour"] - offers["price_usd_hour"]).abs() <= _ROUNDING
    return same | offers["currency"].ne("USD")


def _per_gpu_agrees(offers: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell whether the price per GPU times the GPUs is the price of the machine, to the cent; slices have none."""
    del rules
    each, whole = offers["price_usd_gpu_hour"], offers["price_usd_hour"]
    agrees = (each * offers["gpu_count"] - whole).abs() <= _CENT
    absent = each.isna() & (whole.isna() | (offers["gpu_count"] < 1))
    return (agrees & (offers["gpu_count"] >= 1)) | absent


def _is_plausible(offers: pd.DataFrame, rules: Rules) -> pd.Series:
    own, count = offers["price_hour"], offers["gpu_count"]
    usd = offers["price_usd_hour"].mask(offers["currency"].eq("USD"), own)
    prices = offers[["gpu", "pricing_model", "currency"]].assign(own=own / count, usd=usd / count)
    return ~implausible(prices, rules)


def _text_is_sound(offers: pd.DataFrame, rules: Rules) -> pd.Series:
    """Tell whether no text was read in the wrong encoding (`São` as `SÃ£o`, or with a replacement character)."""
    del rules
    damaged = r"\ufffd|Ã[£§©¡ªº³\u00adµ]|Â[ºª°]"
    text = offers.select_dtypes(include=["object", "string"]).astype("str")
    found: pd.DataFrame = text.apply(lambda column: column.str.contains(damaged, regex=True))
    return ~found.any(axis=1)


_PRICES = ("price_hour", "currency", "price_usd_hour")
WHOLE_ROW = (
    RowRule(_PRICES, "em dólares, price_usd_hour igual a price_hour", _dollars_are_dollars),
    RowRule(
        ("gpu_count", "price_usd_hour", "price_usd_gpu_hour"),
        "price_usd_gpu_hour × gpu_count igual a price_usd_hour, e vazio em frações de GPU",
        _per_gpu_agrees,
    ),
    RowRule(
        ("gpu", "pricing_model", "gpu_count", *_PRICES),
        "um preço dentro da faixa da placa em data/rules.yml",
        _is_plausible,
    ),
    RowRule(("instance", "region", "source_url"), "texto em UTF-8, sem acentos estragados", _text_is_sound),
)
