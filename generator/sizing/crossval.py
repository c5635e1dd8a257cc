"""How far predictions are for a source that no constant was measured on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from generator.sizing.cases import Case
from generator.sizing.knowledge import Knowledge, Measured
from generator.sizing.predict import Library
from generator.sizing.score import Scored, origin_of, score

Row = TypeVar("Row", bound=Measured)


def without(knowledge: Knowledge, origin: str) -> Knowledge:
    """Return the knowledge without the numbers that were measured on that source alone; cited ones stay."""
    return replace(
        knowledge,
        constants={profile: _kept(rows, origin) for profile, rows in knowledge.constants.items()},
        losses=_kept(knowledge.losses, origin),
        utilisations=_kept(knowledge.utilisations, origin),
        decode_classes=_kept(knowledge.decode_classes, origin),
        serving_classes=_kept(knowledge.serving_classes, origin) or knowledge.serving_classes,
        pipelines=_kept(knowledge.pipelines, origin),
    )


def _kept(rows: Sequence[Row], origin: str) -> tuple[Row, ...]:
    return tuple(row for row in rows if set(row.origins) != {origin})


def leave_one_source_out(cases: Iterable[Case], library: Library) -> list[Scored]:
    """Return every row predicted without what its own source taught."""
    by_origin: dict[str, list[Case]] = {}
    for case in cases:
        by_origin.setdefault(origin_of(case), []).append(case)
    return [
        row
        for origin, group in by_origin.items()
        for row in score(group, replace(library, knowledge=without(library.knowledge, origin)))
    ]
