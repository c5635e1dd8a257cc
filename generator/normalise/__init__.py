"""Raw rows of all sources in, offers and quarantine out: typed, judged, merged, and every row accounted for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from generator.normalise.context import in_context
from generator.normalise.judge import judge
from generator.normalise.merge import Review, merge
from generator.normalise.reference import Reference
from generator.normalise.rows import typed
from generator.normalise.schema import COLUMNS, NUMBERS, QUARANTINE_COLUMNS
from generator.normalise.second import confirm, contradict, left_out, second_prices
from generator.sources.raw import RawOffer


@dataclass(frozen=True)
class Outcome:
    """What became of the raw rows.

    `fates` has one row per raw row (source, record, offer_id, gpu, reason, detail); an empty reason is published, so
    that rows read = published + quarantined + dropped.
    """

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    fates: pd.DataFrame
    reviews: tuple[Review, ...]


def normalise(raws: Iterable[RawOffer], reference: Reference, opinions: Iterable[RawOffer] = ()) -> Outcome:
    """Return offers fit to publish and what was left out, whatever the order of the rows.

    `opinions` are rows of sources that only confirm or contradict: none of them is published.
    """
    rules = reference.rules
    second = judge(typed(opinions, reference), rules)
    known = second_prices(second)
    frame = confirm(judge(typed(raws, reference), rules), known, rules)
    frame, reviews = merge(frame, rules)
    frame = in_context(frame, reference)
    frame, contradictions = contradict(frame, known, rules)
    every = pd.concat([frame, left_out(second, rules)], ignore_index=True) if len(second) else frame
    return Outcome(
        offers=_offers(frame[frame["reason"].eq("")]),
        quarantine=_quarantine(every[every["reason"].isin(list(rules.quarantined))]),
        fates=every[["source", "record", "offer_id", "gpu", "reason", "detail"]],
        reviews=tuple(sorted([*reviews, *contradictions], key=lambda review: tuple(review.as_dict().values()))),
    )


def _offers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the published columns in their order, sorted by key, as the dataset keeps them."""
    named = frame.assign(
        gpu=frame["id_gpu"],
        gpu_count=frame["count"],
        price_hour=frame["hour"],
        price_usd_hour=frame["usd_hour"],
        price_usd_gpu_hour=frame["usd_gpu_hour"],
    )
    numbers = {name: pd.to_numeric(named[name]).astype("float64") for name in NUMBERS}
    return named.assign(**numbers)[list(COLUMNS)].sort_values("offer_id").reset_index(drop=True)


def _quarantine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that wait for a person, with the source's exact text, sorted."""
    days = frame["collected_at"].dt.strftime("%Y-%m-%dT%H:%M:%SZ").fillna(frame["observed_on"])
    table = frame.assign(collected_at=days)[list(QUARANTINE_COLUMNS)].astype("str")
    return table.sort_values(list(QUARANTINE_COLUMNS)).reset_index(drop=True)
