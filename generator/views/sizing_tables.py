"""The sizing table of a guide: how much memory, which GPU or node holds it, and where to rent one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.language_model import LanguageModel
from generator.model import Workload
from generator.sizing.fit import FITS, VERDICTS, Choice, choices
from generator.sizing.grid import GPU_COUNTS, grid, headroom
from generator.sizing.knowledge import Knowledge
from generator.sizing.rows import Method
from generator.views.comparison import compare
from generator.views.offer_rows import Cell, gpu_label, records, sort_key
from generator.views.site import Site

FITS_TEXT = VERDICTS[FITS]
PARTS = {
    "weights_bytes": "pesos",
    "gradients_bytes": "gradientes",
    "optimizer_bytes": "otimizador",
    "kv_bytes": "cache KV",
    "adapters_bytes": "adaptadores",
    "activations_bytes": "ativações",
    "logits_bytes": "logits",
    "overhead_bytes": "reserva",
}


@dataclass(frozen=True, slots=True)
class Rentable:
    """A machine that holds the need: its GPUs, the row of the comparison above, and a remark."""

    text: str
    anchor: str
    remark: str


@dataclass(frozen=True, slots=True)
class SizingRow:
    """A model and a method: the need of one GPU, its parts, and the machines that hold it."""

    model: str
    method: str
    need: Cell
    parts: str
    smallest: Rentable | None
    cheapest: Rentable | None


@dataclass(frozen=True, slots=True)
class SizingTable:
    """The rows of a guide by model, and the sentence that says under which assumptions."""

    rows: tuple[SizingRow, ...]
    assumptions: str


def need_bytes(model: LanguageModel, method: Method, context: int, batch: int, knowledge: Knowledge) -> float:
    """Return the bytes one GPU needs for a model and a method under the method's default profile."""
    return float(grid([model], [method], [context], [batch], knowledge, [1])["total_bytes"].iloc[0])


def band(method: Method, knowledge: Knowledge) -> float:
    """Return the headroom asked of a fit: the error band of the method's default profile, as a fraction."""
    return headroom(method, knowledge)


def sizing_table(site: Site, workload: Workload) -> SizingTable:
    """Return the table of a workload; only machines that somebody rents out on demand are recommended."""
    data, choice = site.data, workload.sizing
    methods = [data.knowledge.methods[name] for name in choice.methods]
    models = [data.models[name] for name in choice.models]
    frame = grid(models, methods, [choice.context], [choice.batch], data.knowledge)
    comparison = compare(data, workload, site.today)
    shop = _Shop(data, _machines(comparison.qualifying), set(comparison.shown["gpu"]))
    rows = [_row(needs, shop) for _, needs in frame.groupby(["model", "method"], sort=False)]
    return SizingTable(tuple(rows), _assumptions(methods, workload, data.knowledge))


def _machines(offers: pd.DataFrame) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the cheapest machine on demand of each GPU and count; prices of other counts are never extrapolated."""
    on_demand = offers[(offers["pricing_model"] == "on_demand") & ~offers["is_apart"]]
    cheapest = on_demand.sort_values(["price_usd_hour", "offer_id"]).drop_duplicates(["gpu", "gpu_count"])
    return {(offer["gpu"], int(offer["gpu_count"])): offer for offer in records(cheapest)}


@dataclass(frozen=True)
class _Shop:
    """What can be rented: the cheapest machine of each GPU and count, and which GPUs have a row to point at."""

    data: Dataset
    machines: dict[tuple[str, int], dict[str, Any]]
    shown: set[str]

    def fitting(self, need_by_count: dict[int, float], margin: float) -> list[Choice]:
        """Return the machines in which a need fits, smallest total memory first."""
        gpus = [self.data.gpus[name] for name in dict.fromkeys(name for name, _ in self.machines)]
        every = choices(need_by_count, gpus, margin)
        return [each for each in every if each.verdict == FITS_TEXT and (each.gpu, each.count) in self.machines]

    def rentable(self, choice: Choice, remark: str) -> Rentable:
        """Return a machine as the table names it."""
        gpu = self.data.gpus[choice.gpu]
        anchor = f"gpu-{gpu.id}" if gpu.id in self.shown else ""
        return Rentable(gpu_label(gpu, choice.count), anchor, remark)

    def price_usd_hour(self, choice: Choice) -> float:
        """Return what the cheapest such machine costs for an hour."""
        return float(self.machines[choice.gpu, choice.count]["price_usd_hour"])

    def smallest(self, fitting: list[Choice]) -> Rentable | None:
        """Return one GPU when one is enough, else the node of least total memory, with what each GPU must hold."""
        if not fitting:
            return None
        best = min(fitting, key=lambda each: each.count > 1)
        memory = fmt.quantity(self.data.gpus[best.gpu].memory_gb, "GB")
        split = "" if best.count == 1 else f" cada, com {fmt.gibibytes(best.need_bytes)} em uso"
        return self.rentable(best, memory + split)

    def cheapest(self, fitting: list[Choice]) -> Rentable | None:
        """Return the machine that costs least for an hour, with who rents it and since when that is known."""
        if not fitting:
            return None
        best = min(fitting, key=self.price_usd_hour)
        offer = self.machines[best.gpu, best.count]
        seller, day = self.data.providers[offer["provider"]].name, fmt.day_short(offer["collected_at"].date())
        return self.rentable(best, f"{fmt.money(self.price_usd_hour(best))} por hora ({seller}, {day})")


def _row(needs: pd.DataFrame, shop: _Shop) -> SizingRow:
    need = records(needs[needs["gpu_count"] == 1])[0]
    method = shop.data.knowledge.methods[need["method"]]
    by_count = dict(zip(needs["gpu_count"].astype(int), needs["total_bytes"].astype(float), strict=True))
    fitting = shop.fitting(by_count, band(method, shop.data.knowledge))
    return SizingRow(
        shop.data.models[need["model"]].name,
        method.name,
        Cell(fmt.gibibytes(need["total_bytes"]), sort_key(need["total_bytes"])),
        _parts(need),
        shop.smallest(fitting),
        shop.cheapest(fitting),
    )


def _parts(need: dict[str, Any]) -> str:
    """Return the parts of a need in words, largest first, leaving out what is under a hundredth of it."""
    shown = [(need[column], name) for column, name in PARTS.items() if need[column] > need["total_bytes"] / 100]
    return " + ".join(f"{name} {fmt.gibibytes(size)}" for size, name in sorted(shown, reverse=True))


def _assumptions(methods: list[Method], workload: Workload, knowledge: Knowledge) -> str:
    choice = workload.sizing
    sequences = fmt.count(choice.batch, "sequência por vez", "sequências por vez")
    margin = fmt.percent(max(band(method, knowledge) for method in methods))
    return (
        f"Contexto de {fmt.count(choice.context, 'token', 'tokens')}, {sequences}. “Cabe” exige folga de {margin} "
        f"sobre a necessidade, na memória que um programa enxerga; nós de até {GPU_COUNTS[-1]} GPUs, com NVLink ou "
        "equivalente a partir de 4. Só entram máquinas que alguém aluga sob demanda."
    )
