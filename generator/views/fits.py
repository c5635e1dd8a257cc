"""Which models fit which machines: the sizing grid of the catalogue against what providers rent out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.sizing.fit import FAST_LINK_FROM, FITS, eligible, has_fast_link, verdicts
from generator.sizing.grid import GPU_COUNTS, grid
from generator.sizing.knowledge import GIB
from generator.sizing.rows import Method
from generator.sizing.shape import Array
from generator.sizing.suits import gpus_for, methods_for
from generator.views.catalogue import Catalogue
from generator.views.offer_rows import records
from generator.views.sizing_tables import band

CONTEXTS = (2048, 4096, 8192, 32768, 131072)
BATCHES = (1, 4, 16)
CONTEXT, BATCH = 4096, 1  # where one number stands for a model and a method


@dataclass(frozen=True, slots=True)
class Machine:
    """The cheapest machine of a GPU and count that somebody rents on demand."""

    gpu: str
    count: int
    visible_bytes: float  # of each GPU
    memory_gb: float  # of all, as printed on the cards
    offer: dict[str, Any]

    @property
    def price_usd_hour(self) -> float:
        """Return what it costs for an hour."""
        return float(self.offer["price_usd_hour"])


@dataclass(frozen=True)
class Fits:
    """The needs of every model with a page, and the machines on offer."""

    catalogue: Catalogue

    @cached_property
    def methods(self) -> dict[str, Method]:
        """Return the methods of the sizing tables."""
        return self.catalogue.data.knowledge.methods

    @cached_property
    def methods_of(self) -> dict[str, dict[str, Method]]:
        """Return the methods that make sense for each model, by id."""
        every = self.methods.values()
        return {
            name: {method.id: method for method in methods_for(model, every)}
            for name, model in self.catalogue.models.items()
        }

    def four_bits(self, model: LanguageModel) -> str:
        """Return the method that serves a model in 4 bits: its own where it is published so."""
        return next((name for name, method in self.methods_of[model.id].items() if method.native), "inferencia-4bit")

    @cached_property
    def able(self) -> dict[str, set[str]]:
        """Return the GPUs that accelerate the precision of each method."""
        data = self.catalogue.data
        return {
            name: {gpu.id for gpu in gpus_for(method, data.gpus.values(), data.precisions)}
            for name, method in self.methods.items()
        }

    @cached_property
    def bands(self) -> dict[str, float]:
        """Return the headroom asked of a fit, by method, as a fraction."""
        return {name: band(method, self.catalogue.data.knowledge) for name, method in self.methods.items()}

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Return the grid of every model with a page, as `sizing.grid` gives it."""
        models = list(self.catalogue.models.values())
        knowledge = self.catalogue.data.knowledge
        return grid(models, list(self.methods.values()), CONTEXTS, BATCHES, knowledge)

    @cached_property
    def totals(self) -> dict[tuple[str, str, int, int, int], float]:
        """Return bytes per GPU by model, method, context, batch and number of GPUs."""
        keys = ("model", "method", "context", "batch", "gpu_count")
        columns = [self.frame[key].tolist() for key in keys]
        return dict(zip(zip(*columns, strict=True), self.frame["total_bytes"].tolist(), strict=True))

    @cached_property
    def usual(self) -> dict[tuple[str, str], dict[int, float]]:
        """Return bytes per GPU by count, for each model and method at the usual context and batch."""
        return {
            (model, method): {count: self.totals[model, method, CONTEXT, BATCH, count] for count in GPU_COUNTS}
            for model in self.catalogue.models
            for method in self.methods
        }

    @cached_property
    def parts(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of one GPU at the usual context and batch, by model."""
        rows = self.frame[
            self.frame["context"].eq(CONTEXT) & self.frame["batch"].eq(BATCH) & self.frame["gpu_count"].eq(1)
        ]
        found: dict[str, list[dict[str, Any]]] = {}
        for row in records(rows):
            if row["method"] in self.methods_of[row["model"]]:
                found.setdefault(row["model"], []).append(row)
        return found

    @cached_property
    def cache_bytes(self) -> dict[tuple[str, int], float]:
        """Return bytes of cache of one request served in BF16 by one GPU, by model and context."""
        rows = self.frame[
            self.frame["method"].eq("inferencia-bf16") & self.frame["batch"].eq(1) & self.frame["gpu_count"].eq(1)
        ]
        keys = zip(rows["model"].tolist(), rows["context"].tolist(), strict=True)
        return dict(zip(keys, rows["kv_bytes"].tolist(), strict=True))

    def contexts_of(self, model: LanguageModel) -> list[int]:
        """Return the contexts of the tables that a model accepts."""
        return [context for context in CONTEXTS if context <= (model.max_context or CONTEXTS[-1])]

    @cached_property
    def _needs(self) -> dict[tuple[str, int], Array]:
        """Return bytes per GPU of every model, by method and count, at the usual context and batch."""
        return {
            (method, count): np.array([self.usual[name, method][count] for name in self.catalogue.models])
            for method in self.methods
            for count in GPU_COUNTS
        }

    def fitting(self, gpu: Gpu, count: int, method: str) -> list[LanguageModel]:
        """Return the models that fit a number of one GPU by a method, largest first; none where it lacks precision."""
        if gpu.id not in self.able[method]:
            return []
        visible = gpu.visible_memory_gib * GIB
        fit = verdicts(self._needs[method, count], visible, self.bands[method]) == FITS
        known = zip(self.catalogue.models.values(), fit, strict=True)
        models = [model for model, fits in known if fits and method in self.methods_of[model.id]]
        return sorted(models, key=lambda model: (-model.params_total, model.id))

    def counts_of(self, gpu: Gpu) -> list[int]:
        """Return in how many GPUs a model may be split: many only where a fast link joins them."""
        return [count for count in GPU_COUNTS if count < FAST_LINK_FROM or has_fast_link(gpu)]

    @cached_property
    def machines(self) -> list[Machine]:
        """Return the cheapest machine of each GPU and count that may be recommended, least memory first."""
        allowed = {gpu.id: gpu for gpu in eligible(self.catalogue.data.gpus.values())}
        offers = self.catalogue.comparable
        rows = offers[
            offers["pricing_model"].eq("on_demand") & ~offers["is_apart"] & offers["gpu"].isin(allowed.keys())
        ].sort_values(["price_usd_hour", "offer_id"])
        found = []
        for offer in records(rows.drop_duplicates(["gpu", "gpu_count"])):
            gpu, count = allowed[offer["gpu"]], int(offer["gpu_count"])
            if count in self.counts_of(gpu):
                visible = gpu.visible_memory_gib * GIB
                found.append(Machine(gpu.id, count, visible, gpu.memory_gb * count, offer))
        return sorted(found, key=lambda each: (each.count * each.visible_bytes, each.count, each.gpu))

    @cached_property
    def _visible(self) -> Array:
        return np.array([machine.visible_bytes for machine in self.machines], dtype=np.float64)

    def machines_for(self, need_by_count: dict[int, float], method: str) -> list[Machine]:
        """Return the machines in which a need fits and that accelerate the method, least total memory first."""
        need = np.array([need_by_count[machine.count] for machine in self.machines], dtype=np.float64)
        fits = verdicts(need, self._visible, self.bands[method]) == FITS
        able = self.able[method]
        return [machine for machine, fit in zip(self.machines, fits, strict=True) if fit and machine.gpu in able]
