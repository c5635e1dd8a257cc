"""From raw offers to typed columns, one small step at a time; a row that fails a step keeps the reason and goes on.

Steps work on whole columns of a frame of text. The price is a `Decimal` until it is rounded, once, for the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any

import pandas as pd

from generator.normalise.gpu_names import Sighting, Verdict
from generator.normalise.money import Rates, machine_hour, per_gpu
from generator.normalise.numbers import UnreadableError, read_count, read_decimal, read_least, round_money
from generator.normalise.reference import Reference
from generator.normalise.schema import CLOSED
from generator.sources.raw import RawOffer

_FIELDS = tuple(field.name for field in fields(RawOffer))
_SAID = attrgetter(*(name for name in _FIELDS if name not in {"observed_on", "record"}))
_SPECS = ("vcpus", "ram_gib", "disk_gb", "node_network_gbps")
_UNKNOWN = float("nan")
_CACHE = 200_000  # catalogues repeat themselves; more than this would only hold memory
Quote = tuple[Decimal | None, Decimal | None, Decimal | None]


def text_frame(raws: Iterable[RawOffer]) -> pd.DataFrame:
    """Return one row per raw offer, every column text (`NA` is text), with no reason to leave any out yet."""
    rows = list(map(attrgetter(*_FIELDS), raws))
    frame = pd.DataFrame(rows, columns=list(_FIELDS), dtype="str")
    return frame.assign(reason="", detail="")


def record_hash(raw: RawOffer) -> str:
    """Return a short name of what the source said in a row, whenever it said it."""
    said = "\0".join(_SAID(raw))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def column(values: Iterable[Any], frame: pd.DataFrame, dtype: str = "str") -> pd.Series:
    """Return values as a column of a frame, of one type even when there is no row."""
    return pd.Series(list(values), index=frame.index, dtype=dtype)


def rows_of(frame: pd.DataFrame, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows of some columns as tuples of plain values, much faster than iterating the columns."""
    return zip(*(frame[name].to_numpy(dtype=object) for name in names), strict=True)


def reject(frame: pd.DataFrame, which: Any, reason: str, detail: Any = "") -> pd.DataFrame:
    """Return the frame with a reason on the rows that had none; the first reason of a row stays."""
    mask = pd.Series(which, index=frame.index, dtype=bool) & frame["reason"].eq("")
    details = pd.Series(detail, index=frame.index).astype("str")
    return frame.assign(
        reason=frame["reason"].mask(mask, reason),
        detail=frame["detail"].mask(mask, details),
    )


def add_flag(frame: pd.DataFrame, which: Any, flag: str) -> pd.DataFrame:
    """Return the frame with a flag on some rows; flags stay sorted and each once."""
    mask = pd.Series(which, index=frame.index, dtype=bool)
    if not mask.any():
        return frame
    changed = frame.loc[mask, "flags"].map(lambda flags: ";".join(sorted({*flags.split(";"), flag} - {""})))
    return frame.assign(flags=frame["flags"].where(~mask, changed.reindex(frame.index)))


def typed(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    """Return every raw row of a text frame with its typed columns, and the reason where it cannot be published.

    Columns added: `id_gpu`, `count`, `country`, `hour`, `usd_hour`, `usd_gpu_hour` (Decimal or None), the specs as
    float64 and `collected_at`.
    """
    for step in (_sold, _gpus, _closed_lists, _places, _dates, _prices, _specs):
        frame = step(frame, reference)
    return frame


def _sold(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    """Leave out what is no machine with a GPU, and flag what the price is not."""
    del reference
    for reason in ("no_gpu", "addon"):
        frame = reject(frame, frame["price_for"].eq(reason), reason)
    frame = add_flag(frame, frame["price_for"].eq("gpu_only"), "gpu_only_price")
    return add_flag(frame, frame["price_every"].eq("month"), "monthly_estimate")


def _closed_lists(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    rules = reference.rules
    for name, valid in (
        ("provider", reference.providers),
        ("pricing_model", rules.pricing_models),
        ("tier", ("", *rules.tiers)),
        ("currency", ("", *reference.rates.currencies)),
    ):
        frame = reject(frame, ~frame[name].isin(list(valid)), f"{name}_unknown", frame[name])
    for name, valid in CLOSED.items():
        frame = reject(frame, ~frame[name].isin(list(valid)), "spec_unreadable", frame[name])
    known = lru_cache(_CACHE)(lambda flags: set(flags.split(";")) <= {"", *rules.flags})
    return reject(frame, ~frame["flags"].map(known).astype(bool), "flag_unknown", frame["flags"])


def _gpus(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    names = ("gpu", "provider", "instance", "gpu_memory", "gpu_memory_unit", "gpu_count")
    verdict = lru_cache(_CACHE)(lambda *row: _verdict(reference, *row))
    found = [verdict(*row) for row in zip(*(frame[name] for name in names), strict=True)]
    flags = [
        ";".join(sorted({*old.split(";"), *item.flags} - {""})) for old, item in zip(frame["flags"], found, strict=True)
    ]
    frame = frame.assign(
        id_gpu=column((item.gpu for item in found), frame),
        count=column((item.count for item in found), frame, "object"),
        flags=column(flags, frame),
    )
    return _reject_each(frame, [(item.reason, item.detail) for item in found])


def _verdict(reference: Reference, *row: str) -> Verdict:
    name, provider, instance, memory, unit, count = row
    try:
        seen = Sighting(name, provider, instance, read_decimal(memory) if memory else None, unit, read_count(count))
    except UnreadableError as error:
        return Verdict(reason="count_unreadable", detail=str(error))
    return reference.names.resolve(seen)


def _reject_each(frame: pd.DataFrame, reasons: list[tuple[str, str]]) -> pd.DataFrame:
    mask = [bool(reason) for reason, _ in reasons]
    if not any(mask):
        return frame
    kept = frame["reason"].ne("")
    new = pd.DataFrame(reasons, columns=["reason", "detail"], index=frame.index, dtype="str")
    return frame.assign(
        reason=frame["reason"].where(kept, new["reason"]), detail=frame["detail"].where(kept, new["detail"])
    )


def _places(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    find = lru_cache(_CACHE)(reference.regions.find)
    found = [find(*row) for row in rows_of(frame, "provider", "region")]
    frame = frame.assign(country=column((region.country if region else "" for region in found), frame))
    frame = add_flag(frame, [bool(region and region.restriction) for region in found], "restricted_region")
    return reject(frame, [region is None for region in found], "region_unknown", frame["region"])


def _dates(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    read = lru_cache(_CACHE)(_moment)
    found = [read(text) for (text,) in rows_of(frame, "observed_on")]
    moments = pd.to_datetime(column(found, frame, "object"), utc=True).astype("datetime64[us, UTC]")
    frame = frame.assign(
        collected_at=moments, day=column((moment and moment.date() for moment in found), frame, "object")
    )
    frame = reject(frame, moments.isna(), "date_unreadable", frame["observed_on"])
    today = reference.today
    late = [bool(today and found and found.date() > today) for found in found]
    return reject(frame, late, "date_in_future", frame["observed_on"])


def _moment(text: str) -> datetime | None:
    """Return the moment in UTC; a day is its midnight, and a moment without zone is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _prices(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    frame = reject(frame, frame["price"].str.strip().eq(""), "no_price")
    frame = reject(frame, frame["currency"].eq(""), "currency_missing")
    prices, frame = _numbers(frame, "price", "price_unreadable", read_decimal)
    quote = lru_cache(_CACHE)(lambda *row: _quote(reference.rates, *row))
    said = rows_of(frame, "count", "price_for", "price_every", "price_scale", "currency", "day")
    quotes = [quote(price, *row) for price, row in zip(prices, said, strict=True)]
    names = ("hour", "usd_hour", "usd_gpu_hour")
    return frame.assign(
        **{name: column((row[place] for row in quotes), frame, "object") for place, name in enumerate(names)}
    )


def _quote(rates: Rates, price: Decimal | None, count: Decimal | None, *said: Any) -> Quote:
    """Return the price of the machine as published, in US dollars, and in US dollars per GPU; unknown is None."""
    price_for, price_every, scale, currency, day = said
    if price is None or not count:
        return None, None, None
    hour = machine_hour(price, count, price_for, price_every, Decimal(scale))
    usd = rates.to_usd(hour, currency, day) if day else None
    return hour, usd if usd is None else round_money(usd), usd if usd is None else per_gpu(usd, count)


def _specs(frame: pd.DataFrame, reference: Reference) -> pd.DataFrame:
    for name in _SPECS:
        values, frame = _numbers(frame, name, "spec_unreadable", read_least)
        frame = reject(frame, [value is not None and value < 0 for value in values], "spec_unreadable", frame[name])
        outside = [bool(value) and not _within(value, *reference.rules.specs[name]) for value in values]
        frame = reject(frame, outside, "spec_implausible", name + " " + frame[name])
        frame[name] = column((float(value) if value else _UNKNOWN for value in values), frame, "float64")
    doubled = frame["cpu_unit"].eq("ocpu")  # on x86 an OCPU is a core with two threads
    return frame.assign(vcpus=frame["vcpus"].where(~doubled, frame["vcpus"] * 2))


def _within(value: Decimal | None, least: Decimal, most: Decimal) -> bool:
    return value is not None and least <= value <= most


def _numbers(
    frame: pd.DataFrame, name: str, reason: str, read: Callable[[str, str], Decimal]
) -> tuple[list[Decimal | None], pd.DataFrame]:
    """Return the numbers of a text column; an empty cell is unknown, and an unreadable one rejects its row."""
    values: list[Decimal | None] = []
    unreadable = []
    for text, mark in rows_of(frame, name, "decimal_mark"):
        try:
            values.append(read(text, mark) if text.strip() else None)
            unreadable.append(False)
        except UnreadableError:
            values.append(None)
            unreadable.append(True)
    return values, reject(frame, unreadable, reason, frame[name])
