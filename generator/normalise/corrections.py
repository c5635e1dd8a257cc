"""Declared corrections: the value a person told instead of the source's, for as long as the source is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from generator.normalise.rows import add_flag
from generator.problems import Problem
from generator.sources.raw import RawOffer
from generator.tables.corrections import Correction


def corrected(frame: pd.DataFrame, corrections: Sequence[Correction]) -> pd.DataFrame:
    """Return the frame of text with the right values, each such row flagged."""
    for correction in corrections:
        hit = frame[correction.field].eq(correction.wrong)
        for name, value in correction.target.items():
            hit &= frame[name].eq(value)
        if hit.any():
            frame = add_flag(frame.assign(**{correction.field: frame[correction.field].mask(hit, correction.right)}),
                             hit, "corrected")  # fmt: skip
    return frame


def expired(corrections: Sequence[Correction], raws: Iterable[RawOffer], path: str) -> list[Problem]:
    """Return a problem for each correction that the source made needless: its rows came, and none says `wrong`."""
    said: dict[int, set[str]] = {}
    by_source: dict[str, list[Correction]] = {}
    for correction in corrections:
        by_source.setdefault(correction.target["source"], []).append(correction)
    for raw in raws if corrections else ():
        for correction in by_source.get(raw.source, ()):
            if all(getattr(raw, name) == value for name, value in correction.target.items()):
                said.setdefault(correction.line, set()).add(getattr(raw, correction.field))
    return [
        _needless(correction, said[correction.line], path)
        for correction in corrections
        if correction.line in said and correction.wrong not in said[correction.line]
    ]


def _needless(correction: Correction, values: set[str], path: str) -> Problem:
    found = f"a fonte {correction.target['source']} agora diz {correction.field} = {', '.join(sorted(values))}"
    expected = f"o valor errado «{correction.wrong}» que a correção esperava"
    return Problem(path, correction.line, 0, found, expected, "confira o valor novo e apague a correção")
