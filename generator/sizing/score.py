"""How far predictions are from published measurements, row by row and in summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from generator.sizing.bands import half_width
from generator.sizing.cases import Case
from generator.sizing.predict import Library, predict, relative_error, resolve
from generator.sizing.resolve import CannotComputeError

SCORED = ("A", "B", "")  # C rows are rounded or partly assumed, X rows contradict themselves: listed, not summed up
PUBLISHED = (
    "case_id", "category", "method", "profile", "predicted", "measured", "unit", "error", "low", "high", "reason",
)  # fmt: skip
ALL = ""  # in a summary: over every method or profile


@dataclass(frozen=True, slots=True)
class Scored:
    """One row of a file of measurements with its prediction, in the unit of the row; `error` is a fraction, signed.

    `low` and `high` bound where the measurement should be by the band of its profile. Where `predicted` is None,
    `reason` says why.
    """

    case_id: str
    category: str
    method: str
    profile: str
    quality: str
    origin: str
    predicted: float | None
    measured: float | None
    unit: str
    error: float | None
    low: float | None
    high: float | None
    half_width: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Errors of a group of rows, as fractions; `method` and `profile` are empty when every one is in it."""

    category: str
    method: str
    profile: str
    n: int
    not_computed: int
    median: float | None
    p90: float | None
    worst: float | None
    within_10: float | None
    in_band: float | None
    half_width: float | None  # median of the rows


def score(cases: Iterable[Case], library: Library) -> list[Scored]:
    """Return every row with its prediction or the reason why there is none."""
    return [_scored(case, library) for case in cases]


def _scored(case: Case, library: Library) -> Scored:
    row = Scored(
        case_id=case.case_id,
        category=case.category,
        method=case.run["method"],
        profile="",
        quality=case.quality,
        origin=origin_of(case),
        predicted=None,
        measured=case.value,
        unit=case.unit,
        error=None,
        low=None,
        high=None,
        half_width=None,
        reason="",
    )
    try:
        run = resolve(case, library)
        row = replace(row, profile=run.profile)
        value = predict(run, library)
    except CannotComputeError as why:
        return replace(row, reason=str(why))
    width = half_width(case.category, run.profile, library.knowledge)
    error = relative_error(value, case.value) if case.value else None
    reason = "" if case.value else "a linha não tem um valor medido"
    low, high = value / (1 + width), value / (1 - width)
    return replace(row, predicted=value, error=error, low=low, high=high, half_width=width, reason=reason)


def origin_of(case: Case) -> str:
    """Return who published a measurement: the repository, or the first words of where it was found."""
    found = re.match(r"github:(\S+)", case.run["source_where"])
    return found.group(1) if found else case.run["source_where"].split(",")[0]


def summaries(rows: Sequence[Scored]) -> list[Summary]:
    """Return one summary per category, then one per category × method × profile, of rows of quality A and B."""
    counted = [row for row in rows if row.quality in SCORED]
    groups: dict[tuple[str, str, str], list[Scored]] = {}
    for row in counted:
        groups.setdefault((row.category, ALL, ALL), []).append(row)
    for row in counted:
        groups.setdefault((row.category, row.method, row.profile), []).append(row)
    return [summary(key, group) for key, group in groups.items()]


def summary(key: tuple[str, str, str], rows: Sequence[Scored]) -> Summary:
    """Return the errors of a group of rows."""
    errors = np.array([abs(row.error) for row in rows if row.error is not None])
    widths = np.array([row.half_width for row in rows if row.half_width is not None and row.error is not None])
    n = len(errors)
    if not n:
        return Summary(*key, 0, len(rows), None, None, None, None, None, None)
    return Summary(
        *key,
        n=n,
        not_computed=len(rows) - n,
        median=float(np.median(errors)),
        p90=float(np.quantile(errors, 0.9)),
        worst=float(errors.max()),
        within_10=float((errors <= 0.10).mean()),
        in_band=float((errors <= widths).mean()),
        half_width=float(np.median(widths)),
    )


def as_json(rows: Sequence[Scored]) -> dict[str, Any]:
    """Return rows and summaries as plain values, for programs; each row has the keys of `PUBLISHED`."""
    found = [{key: getattr(row, key) for key in PUBLISHED} for row in rows]
    return {"rows": found, "summary": [asdict(each) for each in summaries(rows)]}
