"""One row per offer: the newest dated fact wins, and what disagrees is written down for a person."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import pandas as pd

from generator.normalise.numbers import as_text
from generator.normalise.rows import reject
from generator.tables.rules import Rules

_FILLED = (
    "gpu_interconnect", "node_network", "node_network_gbps", "vcpus", "ram_gib", "disk_gb", "disk_kind",
)  # fmt: skip
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
    """Return the readable key of an offer: seller, machine, cards, region, pricing model, tier; unknown parts left out."""
    provider, upstream, instance, gpu, count, region, model, tier = row
    cards = f"{gpu}-{as_text(float(count))}x" if count else ""
    return "--".join(
        part for part in (slug(text) for text in (provider, upstream, instance, cards, region, model, tier)) if part
    )


def merge(frame: pd.DataFrame, rules: Rules) -> tuple[pd.DataFrame, list[Review]]:
    """Return the frame with one row left in per offer, blanks filled from the others, and what disagrees."""
    columns = ("provider", "upstream", "instance", "id_gpu", "count", "region", "pricing_model", "tier")
    frame = frame.assign(offer_id=[offer_id(row) for row in zip(*(frame[name] for name in columns), strict=True)])
    alive = frame[frame["reason"].eq("")]
    price = alive["usd_hour"].map(lambda value: Decimal(-1) if value is None else value).astype("float64")
    order = alive.assign(_price=price).sort_values(
        ["offer_id", "collected_at", "_price", "source", "record"], ascending=[True, False, False, True, True]
    )
    repeated = order[order["offer_id"].duplicated(keep=False)]
    for _, group in repeated.groupby("offer_id", sort=False):
        frame = _keep_first(frame, group)
    reviews = [review for _, group in repeated.groupby("offer_id", sort=False) for review in _reviews(group, rules)]
    return _without_resold(frame), reviews


def _keep_first(frame: pd.DataFrame, group: pd.DataFrame) -> pd.DataFrame:
    first = group.iloc[0]
    for index, other in group.iloc[1:].iterrows():
        frame.loc[index, "reason"] = _why_left_out(first, other)
        frame.loc[index, "detail"] = str(first["record"])
    for name in _FILLED:
        known = group[name][group[name].notna() & group[name].ne("")]
        if len(known):
            frame.loc[first.name, name] = known.iloc[0]
    return frame


def _why_left_out(first: pd.Series, other: pd.Series) -> str:
    if other["collected_at"] < first["collected_at"]:
        return "superseded"
    same = all(first[name] == other[name] or (pd.isna(first[name]) and pd.isna(other[name])) for name in _COMPARED)
    return "duplicate" if same else "conflicting_duplicate"


def _reviews(group: pd.DataFrame, rules: Rules) -> list[Review]:
    first = group.iloc[0]
    found = []
    for _, other in group.iloc[1:].iterrows():
        reason = _why_left_out(first, other)
        far = relative_difference(first["usd_hour"], other["usd_hour"]) > rules.limits["disagreement"]
        if reason == "conflicting_duplicate" or (reason == "superseded" and far):
            kind = "conflict" if reason == "conflicting_duplicate" else "disagreement"
            ours, theirs = money_text(first["usd_hour"]), money_text(other["usd_hour"])
            found.append(Review(kind, first["offer_id"], ours, theirs, other["record"]))
    return found


def relative_difference(one: Decimal | None, other: Decimal | None) -> float:
    """Return the difference as a share of the smaller value; unknown values do not differ."""
    if not one or not other:
        return 0.0
    return float(abs(one - other) / min(one, other))


def money_text(value: Decimal | None) -> str:
    """Return money as CSV text."""
    return "" if value is None else as_text(float(value))


def _without_resold(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out what a reseller offers of a provider that sells the same directly."""
    alive = frame["reason"].eq("")
    card = list(zip(frame["id_gpu"], frame["count"], frame["pricing_model"], strict=True))
    direct = {(seller, *rest) for seller, rest, here in zip(frame["provider"], card, alive, strict=True) if here}
    resold = [
        bool(upstream) and (upstream, *rest) in direct for upstream, rest in zip(frame["upstream"], card, strict=True)
    ]
    return reject(frame, resold, "listed_directly", frame["upstream"])
