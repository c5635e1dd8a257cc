"""Raw rows of all sources in, offers and quarantine out: typed, judged, merged, and every row accounted for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import pandas as pd

from generator.normalise.across import Past, Waiting, across
from generator.normalise.chunking import chunks
from generator.normalise.context import in_context
from generator.normalise.corrections import corrected
from generator.normalise.judge import judge
from generator.normalise.market import cheapest_of_each_kind
from generator.normalise.merge import Review, merge, sold_directly, without_resold
from generator.normalise.reference import Reference
from generator.normalise.rows import column, record_hash, text_frame, typed
from generator.normalise.schema import COLUMNS, NUMBERS, QUARANTINE_COLUMNS
from generator.normalise.second import Prices, confirm, contradict, left_out, second_prices
from generator.sources.raw import RawOffer


@dataclass(frozen=True)
class Outcome:
    """What became of the raw rows.

    `fates` has one row per raw row (source, provider, instance, region, record, offer_id, gpu, reason, detail); an
    empty reason is published, so that rows read = published + quarantined + dropped. `provenance` has the record of
    each offer and its hash.
    """

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    fates: pd.DataFrame
    reviews: tuple[Review, ...]
    provenance: pd.DataFrame
    waiting: tuple[Waiting, ...] = ()


def normalise(
    raws: Iterable[RawOffer], reference: Reference, opinions: Iterable[RawOffer] = (), past: Past | None = None
) -> Outcome:
    """Return offers fit to publish and what was left out, whatever the order of the rows.

    `opinions` are rows of sources that only confirm or contradict: none of them is published. `past` is what was
    published before; a large change against it waits to be confirmed.
    """
    second = judge(typed(corrected(text_frame(opinions), reference.corrections), reference), reference.rules)
    known = second_prices(second, reference.rules)
    direct: set[tuple[object, ...]] = set()
    parts = [_apart(left_out(second.assign(hash=""), reference.rules), reference)] if len(second) else []
    parts += [_judged(chunk, reference, known, past, direct) for chunk in chunks(raws)]
    return _together(parts)


def _judged(
    raws: list[RawOffer], reference: Reference, known: Prices, past: Past | None, direct: set[tuple[object, ...]]
) -> Outcome:
    """Return what became of some rows; `direct` is what other rows sell directly, and gets what these do."""
    rules = reference.rules
    frame = text_frame(raws)
    frame = frame.assign(hash=column(map(record_hash, raws), frame))
    raws.clear()
    frame = typed(corrected(frame, reference.corrections), reference)
    frame = confirm(judge(frame, rules), known, rules)
    frame, reviews = merge(cheapest_of_each_kind(frame), rules)
    direct |= sold_directly(frame)
    frame = in_context(without_resold(frame, direct), reference)
    frame, contradictions, agreed = contradict(frame, known, rules)
    frame, waiting = across(frame, past, agreed | _told_twice(frame), rules)
    return _apart(frame, reference, (*reviews, *contradictions), waiting)


def _told_twice(frame: pd.DataFrame) -> set[str]:
    """Return the offers for which another source has the same price."""
    same = frame[frame["reason"].eq("duplicate")]
    published = frame[frame["reason"].eq("")].set_index("offer_id")["source"]
    other = same["source"].ne(same["offer_id"].map(published))
    return set(same.loc[other, "offer_id"])


def _apart(
    frame: pd.DataFrame, reference: Reference, reviews: Collection[Review] = (), waiting: Collection[Waiting] = ()
) -> Outcome:
    """Return a judged frame as what is published, what waits and what became of each row."""
    alive = frame[frame["reason"].eq("")]
    return Outcome(
        offers=_offers(alive),
        quarantine=_quarantine(frame[frame["reason"].isin(list(reference.rules.quarantined))]),
        fates=frame[["source", "provider", "instance", "region", "record", "offer_id", "gpu", "reason", "detail"]],
        reviews=tuple(reviews),
        provenance=alive[["offer_id", "source", "record", "hash"]].rename(columns={"hash": "record_hash"}),
        waiting=tuple(waiting),
    )


def _together(parts: list[Outcome]) -> Outcome:
    def every(name: str, order: Iterable[str]) -> pd.DataFrame:
        frames = [frame for part in parts if len(frame := getattr(part, name))] or [getattr(parts[0], name)]
        whole: pd.DataFrame = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
        columns = list(order)
        return (whole.sort_values(columns) if columns else whole).reset_index(drop=True)

    return Outcome(
        offers=every("offers", ["offer_id"]),
        quarantine=every("quarantine", QUARANTINE_COLUMNS),
        fates=every("fates", ()),
        reviews=tuple(sorted(_all_reviews(parts), key=lambda review: tuple(review.as_dict().values()))),
        provenance=every("provenance", ["offer_id"]),
        waiting=tuple(entry for part in parts for entry in part.waiting),
    )


def _all_reviews(parts: list[Outcome]) -> Iterator[Review]:
    for part in parts:
        yield from part.reviews


def _offers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the published columns in their order, as the dataset keeps them."""
    named = frame.assign(
        gpu=frame["id_gpu"],
        gpu_count=frame["count"],
        price_hour=frame["hour"],
        price_usd_hour=frame["usd_hour"],
        price_usd_gpu_hour=frame["usd_gpu_hour"],
    )
    numbers = {name: pd.to_numeric(named[name]).astype("float64") for name in NUMBERS}
    return named.assign(**numbers)[list(COLUMNS)]


def _quarantine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that wait for a person, with the source's exact text."""
    days = frame["collected_at"].dt.strftime("%Y-%m-%dT%H:%M:%SZ").fillna(frame["observed_on"])
    return frame.assign(collected_at=days)[list(QUARANTINE_COLUMNS)].astype("str")
