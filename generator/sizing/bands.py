"""The error band printed beside each prediction, and how it follows from the measurements of a profile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

import numpy as np

from generator.sizing.knowledge import Knowledge
from generator.sizing.rows import Band

ENOUGH = 8  # rows from which a profile has a band of its own
COVERAGE = 0.9
OWN, FEW = "p90 dos erros do perfil", "poucas linhas: a maior entre a pior e o p90 da categoria"
FLOOR = 0.01  # nobody measures memory or speed better than this
CEILING = 0.90
DECIDED_BY_FRAMEWORK = "train_memory"
UNKNOWN_PROFILE = 0.35  # stated assumption for a framework that no measurement covers


@dataclass(frozen=True, slots=True)
class Miss:
    """Error of one measurement, as a positive fraction, with its category, profile and origin."""

    category: str
    profile: str
    origin: str
    error: float


def half_width(category: str, profile: str, knowledge: Knowledge) -> float:
    """Return the half-width of the band of a profile, else of its category, else the stated assumption.

    In training memory the framework decides the error, so that one never measured has the assumption.
    """
    keys = ((category, profile),) if category == DECIDED_BY_FRAMEWORK else ((category, profile), (category, ""))
    for key in keys:
        if key in knowledge.bands:
            return knowledge.bands[key].half_width
    return UNKNOWN_PROFILE


def bands(misses: Iterable[Miss]) -> list[Band]:
    """Return the band of each category and of each profile in it, that nine in ten new runs should fall in.

    The k-th smallest error with k = ⌈0.9·(n+1)⌉, the p90 corrected for its own sample (Vovk et al., 2005). A profile
    with fewer than eight rows takes the larger of its worst error and the band of its category.
    """
    known = sorted(misses, key=lambda miss: (miss.category, miss.profile))
    found = []
    for category in dict.fromkeys(miss.category for miss in known):
        rows = [miss for miss in known if miss.category == category]
        pooled = _band(category, "", rows, 0.0)
        found.append(pooled)
        for profile in dict.fromkeys(miss.profile for miss in rows):
            own = [miss for miss in rows if miss.profile == profile]
            found.append(_band(category, profile, own, pooled.half_width))
    return found


def _band(category: str, profile: str, rows: list[Miss], pooled: float) -> Band:
    errors = np.array([miss.error for miss in rows])
    rank = min(ceil(COVERAGE * (len(errors) + 1)), len(errors))
    own = float(np.sort(errors)[rank - 1])
    own = own if len(rows) >= ENOUGH else max(own, pooled)
    width = min(max(own, FLOOR), CEILING)
    basis = OWN if len(rows) >= ENOUGH else FEW
    return Band(category, profile, round(width, 3), len(rows), len({miss.origin for miss in rows}), basis)
