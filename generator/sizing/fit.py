"""Which GPU, and how many, a need fits in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generator.model import Gpu
from generator.sizing.knowledge import GIB
from generator.sizing.shape import Array

VERDICTS = ("não cabe", "cabe justo", "cabe")
NO, TIGHT, FITS = range(3)
FAST_LINK_FROM = 4  # GPUs that share one model: from here on the exchange needs NVLink or its like (assumption)
KEYS = ["model", "method", "context", "batch"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A GPU taken `count` times, and whether the need of each fits in what a program sees of it."""

    gpu: str
    count: int
    need_bytes: float
    visible_bytes: float
    verdict: str


def verdicts(need_bytes: Array, visible_bytes: Array | float, band: Array | float) -> Array:
    """Return FITS, TIGHT or NO for each need: fits when need·(1+band) < visible, tight when only need < visible.

    `band` is the p90 error of the profile. Exactly full is not a fit: the need already holds a written reserve, and
    nothing would be left of it.
    """
    return (need_bytes < visible_bytes).astype(np.float64) + (need_bytes * (1 + band) < visible_bytes)


def eligible(gpus: Iterable[Gpu]) -> list[Gpu]:
    """Return the whole GPUs that may be recommended, smallest visible memory first.

    Accelerators that are not GPUs, and rows of low confidence, are never recommended.
    """
    whole = [gpu for gpu in gpus if gpu.accelerator_class == "gpu" and gpu.confidence != "low"]
    return sorted(whole, key=lambda gpu: (gpu.visible_memory_gib, gpu.id))


def has_fast_link(gpu: Gpu) -> bool:
    """Tell whether all GPUs of a node talk over NVLink or its like; bridges join pairs only."""
    link = gpu.interconnect.lower()
    return ("nvlink" in link or "infinity fabric" in link) and "bridge" not in link


def choices(need_by_count: Mapping[int, float], gpus: Iterable[Gpu], band: float) -> list[Choice]:
    """Return every eligible GPU and count with its verdict, smallest total memory first.

    `need_by_count` holds bytes per GPU for each number of GPUs that share the model.
    """
    found = []
    for gpu in eligible(gpus):
        visible = gpu.visible_memory_gib * GIB
        for count, need in need_by_count.items():
            if count < FAST_LINK_FROM or has_fast_link(gpu):
                verdict = int(verdicts(np.array([need]), visible, band)[0])
                found.append(Choice(gpu.id, count, need, visible, VERDICTS[verdict]))
    return sorted(found, key=lambda choice: (choice.count * choice.visible_bytes, choice.count, choice.gpu))


def smallest(frame: pd.DataFrame, gpus: Iterable[Gpu], bands: Mapping[str, float]) -> pd.DataFrame:
    """Return one row per model × method × context × batch of a grid, with the smallest configurations that fit.

    Columns: `gpu` (smallest single GPU that fits, empty when none), `gpu_tight` (smallest single one where it is
    tight), `node_gpu` and `node_count` (least total visible memory that fits, one GPU included; 0 when none does),
    `node_need_bytes` per GPU there. `bands` gives the p90 error by method.
    """
    whole = eligible(gpus)
    counts = np.unique(frame["gpu_count"].to_numpy(dtype=np.int64))
    needs = frame["total_bytes"].to_numpy(dtype=np.float64).reshape(-1, len(counts))
    rows = frame.iloc[:: len(counts)][KEYS].reset_index(drop=True)
    band = np.array([bands[method] for method in rows["method"]], dtype=np.float64)
    single = needs[:, 0]
    node, node_count, node_need = _smallest_node(needs, counts, band, whole)
    return rows.assign(
        need_bytes=single,
        gpu=_first_above(single * (1 + band), whole)[0],
        gpu_tight=_first_above(single, whole)[0],
        node_gpu=node,
        node_count=node_count,
        node_need_bytes=node_need,
    )


def _first_above(need: Array, gpus: Sequence[Gpu]) -> tuple[NDArray[np.object_], Array]:
    """Name of the first GPU with more memory than the need, and its visible bytes (infinite when none)."""
    memory = np.array([gpu.visible_memory_gib * GIB for gpu in gpus] + [np.inf])
    names = np.array([gpu.id for gpu in gpus] + [""], dtype=object)
    place = np.searchsorted(memory, need, side="right").clip(max=len(gpus))
    return names[place], memory[place]


def _smallest_node(
    needs: Array, counts: NDArray[np.int64], band: Array, gpus: Sequence[Gpu]
) -> tuple[NDArray[np.object_], NDArray[np.int64], Array]:
    names, totals = [], []
    for column, count in enumerate(counts):
        allowed = [gpu for gpu in gpus if count < FAST_LINK_FROM or has_fast_link(gpu)]
        name, memory = _first_above(needs[:, column] * (1 + band), allowed)
        names.append(name)
        totals.append(memory * count)
    best = np.argmin(np.stack(totals), axis=0)
    at = np.arange(len(needs))
    found = np.isfinite(np.stack(totals)[best, at])
    count = np.where(found, counts[best], 0)
    return np.stack(names)[best, at], count, np.where(found, needs[at, best], np.nan)
