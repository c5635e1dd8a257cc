"""The sizing table of a guide: how much memory, which GPU or node holds it, and where to rent one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.language_model import LanguageModel
from generator.model import Workload
from generator.sizing.fit import FITS, TIGHT, VERDICTS, Choice, choices
from generator.sizing.grid import DEFAULT_PROFILES, GPU_COUNTS, grid, headroom
from generator.sizing.knowledge import Knowledge
from generator.sizing.rows import Method
from generator.sizing.suits import gpus_for, methods_for
from generator.views import labels
from generator.views.comparison import compare
from generator.views.offer_rows import Cell, gpu_label, records, sort_key
from generator.views.site import Site

FITS_TEXT, TIGHT_TEXT = VERDICTS[FITS], VERDICTS[TIGHT]
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
    """A model and a method: the need of one GPU, its parts, and the machines that hold it.

    `tight` is a smaller machine than `smallest` that holds the need without the headroom.
    """

    model: str
    method: str
    need: Cell
    parts: str
    smallest: Rentable | None
    tight: Rentable | None
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
    needs = dict(iter(frame.groupby(["model", "method"], sort=False)))
    comparison = compare(data, workload, site.today)
    shop = _Shop(data, _machines(comparison.qualifying), set(comparison.shown["gpu"]))
    pairs = [(model.id, method.id) for model in models for method in methods_for(model, methods)]
    return SizingTable(tuple(_row(needs[pair], shop) for pair in pairs), _assumptions(methods, workload, data))


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

    def holding(self, need_by_count: dict[int, float], method: Method) -> list[Choice]:
        """Return the machines that hold a need and accelerate its precision, one GPU first, least memory first."""
        rented = [self.data.gpus[name] for name in dict.fromkeys(name for name, _ in self.machines)]
        able = gpus_for(method, rented, self.data.precisions)
        every = choices(need_by_count, able, band(method, self.data.knowledge))
        held = [each for each in every if each.verdict in {FITS_TEXT, TIGHT_TEXT}]
        return sorted((c for c in held if (c.gpu, c.count) in self.machines), key=lambda each: each.count > 1)

    def rentable(self, choice: Choice, remark: str) -> Rentable:
        """Return a machine as the table names it."""
        gpu = self.data.gpus[choice.gpu]
        anchor = f"gpu-{gpu.id}" if gpu.id in self.shown else ""
        return Rentable(gpu_label(gpu, choice.count), anchor, remark)

    def price_usd_hour(self, choice: Choice) -> float:
        """Return what the cheapest such machine costs for an hour."""
        return float(self.machines[choice.gpu, choice.count]["price_usd_hour"])

    def smallest(self, choice: Choice) -> Rentable:
        """Return a machine with its memory, and what each GPU must hold when several share the model."""
        memory = fmt.quantity(self.data.gpus[choice.gpu].memory_gb, "GB")
        split = "" if choice.count == 1 else f" cada, com {fmt.gibibytes(choice.need_bytes)} em uso"
        return self.rentable(choice, memory + split)

    def cheapest(self, fitting: list[Choice]) -> Rentable | None:
        """Return the machine that costs least for an hour, with who rents it and since when that is known."""
        if not fitting:
            return None
        best = min(fitting, key=self.price_usd_hour)
        offer = self.machines[best.gpu, best.count]
        seller, day = self.data.providers[offer["provider"]].name, fmt.day_short(offer["collected_at"].date())
        when = ", ".join(filter(None, (seller, day, labels.age_band(offer["age_days"], self.data))))
        return self.rentable(best, f"{fmt.money(self.price_usd_hour(best))} por hora ({when})")


def _row(needs: pd.DataFrame, shop: _Shop) -> SizingRow:
    need = records(needs[needs["gpu_count"] == 1])[0]
    method = shop.data.knowledge.methods[need["method"]]
    by_count = dict(zip(needs["gpu_count"].astype(int), needs["total_bytes"].astype(float), strict=True))
    holding = shop.holding(by_count, method)
    fitting = [each for each in holding if each.verdict == FITS_TEXT]
    first_is_tight = bool(holding) and holding[0].verdict == TIGHT_TEXT
    return SizingRow(
        shop.data.models[need["model"]].name,
        method.name,
        Cell(fmt.gibibytes(need["total_bytes"]), sort_key(need["total_bytes"])),
        _parts(need),
        shop.smallest(fitting[0]) if fitting else None,
        shop.smallest(holding[0]) if first_is_tight else None,
        shop.cheapest(fitting),
    )


def _parts(need: dict[str, Any]) -> str:
    """Return the parts of a need in words, largest first; what is under a hundredth of it goes together at the end."""
    little = need["total_bytes"] / 100
    shown = sorted(((need[column], name) for column, name in PARTS.items() if need[column] > little), reverse=True)
    rest = sum(need[column] for column in PARTS if need[column] <= little)
    words = [f"{name} {fmt.gibibytes(size)}" for size, name in shown]
    return " + ".join([*words, f"outros {fmt.gibibytes(rest)}"] if rest > fmt.GIB / 20 else words)


def _assumptions(methods: list[Method], workload: Workload, data: Dataset) -> str:
    choice = workload.sizing
    sequences = fmt.count(choice.batch, "sequência por vez", "sequências por vez")
    profiles = fmt.words(dict.fromkeys(data.knowledge.profiles[DEFAULT_PROFILES[each.task]].name for each in methods))
    margin = fmt.percent(max(band(method, data.knowledge) for method in methods), 1)
    return (
        f"Contas no perfil {profiles}, com contexto de {fmt.count(choice.context, 'token', 'tokens')} e {sequences}. "
        f"“Cabe” exige folga de {margin} (a maior entre a faixa de erro medida e a mínima de planejamento) sobre a "
        f"necessidade, na memória que um programa enxerga; “cabe justo” é sem ela. Nós de até {GPU_COUNTS[-1]} GPUs, "
        "com NVLink ou equivalente a partir de 4. Só entram instâncias alugadas sob demanda que atendem aos critérios "
        "deste guia e cuja GPU acelera a precisão da linha; outro guia, com outros critérios, pode indicar outra."
    )
