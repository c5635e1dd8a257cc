"""One row per offer: the newest dated fact wins, and what disagrees is written down for a person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import pandas as pd

from generator.normalise.numbers import as_text
from generator.normalise.rows import column, reject, rows_of
from generator.tables.rules import Rules

_FILLED = (
    "gpu_interconnect", "node_network", "node_network_gbps", "vcpus", "ram_gib", "disk_gb", "disk_kind",
)  # fmt: skip
_SOLD = ("id_gpu", "count", "pricing_model")
_COMPARED = ("usd_hour", "vcpus", "ram_gib", "disk_gb")


@dataclass(frozen=True, slots=True)
class Review:
    """Two values for one offer that a person should look at."""

    kind: str  # conflict, disagreement, second_opinion, not_linear
    offer_id: str
    published_usd_hour: str
    other_usd_hour: str
    other: str  # where the other value stands

    def as_dict(self) -> dict[str, str]:
        """Return plain values, for `quality.json`."""
        return {name: getattr(self, name) for name in self.__slots__}


@lru_cache(maxsize=100_000)
def slug(text: str) -> str:
    """Return lower-case letters, digits, dots and hyphens only."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-.]*-[-.]*", "-", re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9.]+", "-", plain))).strip("-.")


def offer_id(row: tuple[str, str, str, str, Decimal | None, str, str, str]) -> str:
    """Return the readable key of an offer: seller, machine, cards, region, pricing model, tier; unknown parts out."""
    provider, upstream, instance, gpu, count, region, model, tier = row
    cards = f"{gpu}-{as_text(float(count))}x" if count else ""
    return "--".join(
        part for part in (slug(text) for text in (provider, upstream, instance, cards, region, model, tier)) if part
    )


def merge(frame: pd.DataFrame, rules: Rules) -> tuple[pd.DataFrame, list[Review]]:
    """Return the frame with one row left in per offer, blanks filled from the others, and what disagrees."""
    columns = ("provider", "upstream", "instance", "id_gpu", "count", "region", "pricing_model", "tier")
    frame = frame.assign(offer_id=column(map(offer_id, rows_of(frame, *columns)), frame))
    ranked = _ranked(frame[frame["reason"].eq("")])
    frame = _filled(frame, ranked)
    others = ranked[ranked["offer_id"].duplicated()]
    if others.empty:
        return frame, []
    firsts = ranked.drop_duplicates("offer_id").set_index("offer_id")
    chosen = firsts.loc[others["offer_id"]].set_axis(others.index)
    why = _why_left_out(chosen, others)
    frame = frame.assign(
        reason=why.reindex(frame.index).fillna(frame["reason"]),
        detail=chosen["record"].reindex(frame.index).fillna(frame["detail"]),
    )
    return frame, _reviews(chosen, others, why, rules)


def _ranked(alive: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the one to keep first in each offer: the newest; of one day, the dearest, to be prudent."""
    price = alive["usd_hour"].map(lambda value: -1.0 if value is None else float(value))
    return alive.assign(price_=price.astype("float64")).sort_values(
        ["offer_id", "collected_at", "price_", "source", "record"], ascending=[True, False, False, True, True]
    )


def _filled(frame: pd.DataFrame, ranked: pd.DataFrame) -> pd.DataFrame:
    """Return the frame where what a row does not know is what the newest other row of that machine says.

    A named machine is the same in every region; without a name only the rows of one offer are of one machine.
    """
    cards = ranked["id_gpu"] + "\0" + ranked["count"].map(str).astype("str")
    machine = ranked["provider"] + "\0" + ranked["instance"] + "\0" + cards
    same = machine.where(ranked["instance"].ne(""), ranked["offer_id"])
    newest = ranked.sort_values("collected_at", ascending=False, kind="stable")
    said = newest[list(_FILLED)].replace("", None).groupby(same).first()
    filled = {}
    for name in _FILLED:
        blank = frame[name].isna() | frame[name].eq("")
        filled[name] = frame[name].mask(blank, same.map(said[name]).reindex(frame.index)).fillna(frame[name])
    return frame.assign(**filled)


def _why_left_out(chosen: pd.DataFrame, others: pd.DataFrame) -> pd.Series:
    same = pd.Series(True, index=others.index)
    for name in _COMPARED:
        same &= chosen[name].eq(others[name]) | (chosen[name].isna() & others[name].isna())
    older = others["collected_at"] < chosen["collected_at"]
    return pd.Series("conflicting_duplicate", index=others.index).mask(same, "duplicate").mask(older, "superseded")


def _reviews(chosen: pd.DataFrame, others: pd.DataFrame, why: pd.Series, rules: Rules) -> list[Review]:
    found = []
    for ours, theirs, reason, key, record in zip(
        chosen["usd_hour"], others["usd_hour"], why, others["offer_id"], others["record"], strict=True
    ):
        far = relative_difference(ours, theirs) > rules.limits["disagreement"]
        if reason == "conflicting_duplicate" or (reason == "superseded" and far):
            kind = "conflict" if reason == "conflicting_duplicate" else "disagreement"
            found.append(Review(kind, key, money_text(ours), money_text(theirs), record))
    return found


def relative_difference(one: Decimal | None, other: Decimal | None) -> float:
    """Return the difference as a share of the smaller value; unknown values do not differ."""
    if not one or not other:
        return 0.0
    return float(abs(one - other) / min(one, other))


def money_text(value: Decimal | None) -> str:
    """Return money as CSV text."""
    return "" if value is None else as_text(float(value))


def sold_directly(frame: pd.DataFrame) -> set[tuple[object, ...]]:
    """Return what each provider sells itself: provider, card, count and pricing model."""
    return set(rows_of(frame[frame["reason"].eq("")], "provider", *_SOLD))


def without_resold(frame: pd.DataFrame, direct: Collection[tuple[object, ...]]) -> pd.DataFrame:
    """Leave out what a reseller offers of a provider that sells the same directly."""
    resold = [bool(row[0]) and row in direct for row in rows_of(frame, "upstream", *_SOLD)]
    return reject(frame, resold, "listed_directly", frame["upstream"])
