"""For every need of the calculator at once: which machine is the smallest, the tight one and the cheapest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generator.model import Gpu
from generator.sizing.fit import FITS, NO, TIGHT, verdicts
from generator.sizing.grid import GPU_COUNTS, method_plan
from generator.sizing.plan import Plan, stack_plans
from generator.sizing.rates import (
    Machines,
    Rate,
    serving_bits,
    serving_ceilings,
    serving_class,
    training_ceilings,
    training_class,
    within,
)
from generator.sizing.resolve import CannotComputeError, architecture_of
from generator.sizing.rows import Method, ServingClass, Utilisation
from generator.sizing.shape import Array, Shape, stack
from generator.sizing.speed import hardware_of
from generator.views.fits import Fits, Machine

NONE = -1
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Picks:
    """The rows of the calculator's grid (`frame`, one GPU each) and the machines that answer them, by row."""

    fits: Fits

    @cached_property
    def machines(self) -> list[Machine]:
        """Return the machines on offer, one GPU first, then least memory."""
        return sorted(self.fits.machines, key=lambda machine: machine.count > 1)

    @cached_property
    def _kept(self) -> NDArray[np.bool_]:
        """Rows whose model takes the method and the context."""
        rows = self.fits.frame.iloc[:: len(GPU_COUNTS)]
        longest = {name: self.fits.contexts_of(model)[-1] for name, model in self.fits.catalogue.models.items()}
        pairs = zip(rows["model"], rows["method"], rows["context"], strict=True)
        kept = [m in self.fits.methods_of[name] and context <= longest[name] for name, m, context in pairs]
        return np.array(kept, dtype=bool)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Return the needs of one GPU, a row for each model × method × context × batch that makes sense."""
        return self.fits.frame.iloc[:: len(GPU_COUNTS)][self._kept].reset_index(drop=True)

    @cached_property
    def needs(self) -> Array:
        """Return bytes per GPU, a row for each row of `frame` and a column for each machine."""
        totals = self.fits.frame["total_bytes"].to_numpy(dtype=np.float64).reshape(-1, len(GPU_COUNTS))[self._kept]
        columns = np.array([GPU_COUNTS.index(machine.count) for machine in self.machines], dtype=np.intp)
        return np.take(totals, columns, axis=1)

    @cached_property
    def verdicts(self) -> Array:
        """Return the verdict of each row on each machine; a GPU that does not accelerate the method holds nothing."""
        visible = np.array([machine.visible_bytes for machine in self.machines])
        bands = np.array([self.fits.bands[name] for name in self.frame["method"]])[:, None]
        ables = {name: np.array([m.gpu in able for m in self.machines]) for name, able in self.fits.able.items()}
        able = np.array([ables[name] for name in self.frame["method"]])
        return np.where(able, verdicts(self.needs, visible, bands), NO)

    @cached_property
    def smallest(self) -> Index:
        """Return the first machine in which each row fits, or NONE."""
        return _first(self.verdicts == FITS)

    @cached_property
    def tight(self) -> Index:
        """Return the first machine that holds each row where it comes before the one in which it fits, or NONE."""
        first = _first(self.verdicts >= TIGHT)
        return np.where(first == self.smallest, NONE, first)

    @cached_property
    def cheapest(self) -> Index:
        """Return the machine of least price in which each row fits, or NONE."""
        prices = np.array([machine.price_usd_hour for machine in self.machines])
        priced = np.where(self.verdicts == FITS, prices, np.inf)
        return np.where(np.isfinite(priced.min(axis=1)), priced.argmin(axis=1), NONE)

    @cached_property
    def rates(self) -> list[Rate | None]:
        """Return the speed of each row on its cheapest machine; nothing where there is none or a fact is unknown.

        Training is in tokens of the whole machine; serving in generated tokens of a full server whose requests are half
        prompt, half answer.
        """
        found: list[Rate | None] = [None] * len(self.frame)
        for task in ("training", "inference"):
            methods = [name for name, method in self.fits.methods.items() if method.task == task]
            at = np.flatnonzero(self.frame["method"].isin(methods).to_numpy() & (self.cheapest != NONE))
            for row, ceiling in zip(at.tolist(), self._ceilings(at, task).tolist(), strict=True):
                found[row] = self._rate(row, ceiling)
        return found

    def _ceilings(self, at: Index, task: str) -> Array:
        shape, plan = self._runs(at)
        contexts = self.frame["context"].to_numpy(dtype=np.float64)[at]
        if task == "training":
            return training_ceilings(shape, plan.replace(context=contexts), self._facts(at, task))
        prompt = np.floor(contexts / 2)
        return serving_ceilings(shape, plan, (prompt, contexts - prompt), self._facts(at, task))

    def _runs(self, at: Index) -> tuple[Shape, Plan]:
        models, methods = self.fits.catalogue.models, self.fits.methods
        shape = stack([architecture_of(model) for model in models.values()])
        plan = stack_plans([method_plan(each, self.fits.catalogue.data.knowledge) for each in methods.values()])
        which = [
            pd.Index(list(names)).get_indexer(pd.Index(self.frame[column].iloc[at]))
            for column, names in (("model", models), ("method", methods))
        ]
        return shape.take(which[0]), plan.take(which[1])

    def _facts(self, at: Index, task: str) -> Machines:
        """Facts of the cheapest machine of each row; unknown ones are NaN, and the answer with them."""
        knowledge, rows = self.fits.catalogue.data.knowledge, []
        for row in at.tolist():
            machine = self.machines[self.cheapest[row]]
            hardware = hardware_of(self._gpu(machine))
            bits = 16 if task == "training" else serving_bits(self._method(row), knowledge)
            rows.append((hardware.bandwidth, hardware.peak(bits), machine.visible_bytes, machine.count))
        columns = np.array(rows, dtype=np.float64).reshape(-1, 4).T
        return Machines(*columns)

    def _gpu(self, machine: Machine) -> Gpu:
        return self.fits.catalogue.data.gpus[machine.gpu]

    def _method(self, row: int) -> Method:
        return self.fits.methods[str(self.frame["method"].iat[row])]

    def _rate(self, row: int, ceiling: float) -> Rate | None:
        found = self._class(row)
        if found is None or not np.isfinite(ceiling):
            return None
        return within(ceiling, found, self._method(row).task, self.fits.catalogue.data.knowledge)

    def _class(self, row: int) -> Utilisation | ServingClass | None:
        key = str(self.frame["model"].iat[row]), str(self.frame["method"].iat[row]), int(self.cheapest[row])
        if key not in self._classes:
            self._classes[key] = self._class_of(*key)
        return self._classes[key]

    @cached_property
    def _classes(self) -> dict[tuple[str, str, int], Utilisation | ServingClass | None]:
        return {}

    def _class_of(self, model: str, name: str, at: int) -> Utilisation | ServingClass | None:
        machine, method = self.machines[at], self.fits.methods[name]
        architecture = architecture_of(self.fits.catalogue.models[model])
        find = training_class if method.task == "training" else serving_class
        run = architecture, method, hardware_of(self._gpu(machine)), machine.count
        try:
            return find(*run, self.fits.catalogue.data.knowledge)
        except CannotComputeError:
            return None


def _first(holds: NDArray[np.bool_]) -> Index:
    """Return the first column that holds in each row, or NONE."""
    return np.where(holds.any(axis=1), holds.argmax(axis=1), NONE)
