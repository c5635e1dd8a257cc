"""What only shows against the last good value: a price that jumps or changes currency waits to be confirmed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd

from generator.normalise.numbers import as_text
from generator.normalise.rows import column, reject, rows_of
from generator.tables.rules import Rules

MOMENT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A change that stays out until later runs, a second source or a person confirm it (`data/review.csv`)."""

    kind: str  # a reason of data/rules.yml
    key: str  # the offer, or `source/provider`
    source: str
    old: str
    new: str
    since: str  # when it was first seen, UTC
    seen: str  # the last run that counted
    confirmed: int = 0  # later runs that saw the same


@dataclass(frozen=True)
class Past:
    """The last good offers of live sources and what was waiting when they were written."""

    offers: pd.DataFrame
    waiting: Mapping[tuple[str, str], Waiting]
    now: datetime
    watched: Collection[str] = field(default_factory=frozenset)  # sources that nobody edits by hand


def across(
    frame: pd.DataFrame, past: Past | None, agreed: Collection[str], rules: Rules
) -> tuple[pd.DataFrame, list[Waiting]]:
    """Return the frame without the changes that have to wait, and those changes; `agreed` offers need not wait."""
    if past is None or past.offers.empty:
        return frame, []
    rows = _beside_the_past(frame, past, agreed)
    waiting: list[Waiting] = []
    for kind, rule in CHANGES.items():
        hit = rows[rule(rows, rules)]
        seen = [_row_waiting(kind, row, past, rules) for row in hit.to_dict("records")]
        held = [entry.confirmed < rules.limits["confirmations"] for entry in seen]
        detail = (hit["old"] + " → " + hit["new"])[held].reindex(frame.index, fill_value="")
        frame = reject(frame, frame.index.isin(hit.index[held]), kind, detail)
        waiting += [entry for entry, holds in zip(seen, held, strict=True) if holds]
        rows = rows.drop(hit.index)
    return frame, waiting


def currency_changed(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Hold an offer that comes in another currency: the mark may have changed and the number not, or both."""
    del rules
    return rows["currency"].ne(rows["was_currency"])


def price_jump(rows: pd.DataFrame, rules: Rules) -> pd.Series:
    """Hold a price more than the limit away from the last good one."""
    return (rows["is"] / rows["was"] - 1).abs() > rules.limits["price_jump"]


CHANGES = {"currency_changed": currency_changed, "price_jump": price_jump}


def confirmed(entry: Waiting, before: Waiting | None, now: datetime, hours: float) -> Waiting:
    """Return the entry with what earlier runs saw; a run counts when the last one that did is some hours away."""
    if before is None or before.new != entry.new:
        return entry
    apart = now - datetime.strptime(before.seen, MOMENT).replace(tzinfo=UTC) >= timedelta(hours=hours)
    seen = entry.seen if apart else before.seen
    return replace(before, seen=seen, confirmed=before.confirmed + int(apart))


def _beside_the_past(frame: pd.DataFrame, past: Past, agreed: Collection[str]) -> pd.DataFrame:
    """Return the live rows that had a price before, with both prices in their currencies."""
    alive = frame[frame["reason"].eq("") & frame["source"].isin(list(past.watched)) & ~frame["offer_id"].isin(agreed)]
    before = past.offers.set_index("offer_id")[["price_hour", "currency"]].add_prefix("was_")
    rows = alive[["offer_id", "source", "hour", "currency"]].join(before, on="offer_id", how="inner")
    rows = rows.assign(**{"is": rows["hour"].map(float).astype("float64"), "was": rows["was_price_hour"]})
    return rows.assign(old=_shown(rows, "was", "was_currency"), new=_shown(rows, "is", "currency"))


def _shown(rows: pd.DataFrame, price: str, currency: str) -> pd.Series:
    return column((f"{as_text(number)} {name}" for number, name in rows_of(rows, price, currency)), rows)


def _row_waiting(kind: str, row: Mapping[Any, Any], past: Past, rules: Rules) -> Waiting:
    moment = past.now.astimezone(UTC).strftime(MOMENT)
    entry = Waiting(kind, row["offer_id"], row["source"], row["old"], row["new"], moment, moment)
    return confirmed(entry, past.waiting.get((kind, entry.key)), past.now, rules.limits["confirm_hours"])
