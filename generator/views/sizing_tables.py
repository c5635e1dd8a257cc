"""The sizing table of a guide: how much memory, which GPU or node holds it, and where to rent one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.language_model import LanguageModel
from generator.model import Gpu, Workload
from generator.sizing.fit import smallest
from generator.sizing.grid import DEFAULT_PROFILES, GPU_COUNTS, grid
from generator.sizing.knowledge import Knowledge, Method
from generator.views import labels
from generator.views.comparison import compare
from generator.views.offer_rows import Cell, sort_key
from generator.views.site import Site

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
    """A configuration that holds the need: its name, the row of the comparison above and the lowest price there."""

    text: str
    anchor: str
    price: str


@dataclass(frozen=True, slots=True)
class SizingRow:
    """A model and a method: the need, its parts, the smallest single GPU and the smallest node."""

    model: str
    method: str
    need: Cell
    parts: str
    single: Rentable | None
    node: Rentable | None


@dataclass(frozen=True, slots=True)
class SizingTable:
    """The rows of a guide by model, and the sentence that says under which assumptions."""

    rows: tuple[SizingRow, ...]
    assumptions: str


def need_bytes(model: LanguageModel, method: Method, context: int, batch: int, knowledge: Knowledge) -> float:
    """Return the bytes one GPU needs for a model and a method under the method's default profile."""
    return float(grid([model], [method], [context], [batch], knowledge, [1])["total_bytes"].iloc[0])


def band(method: Method, knowledge: Knowledge) -> float:
    """Return the headroom asked of a fit: the p90 error of the method's default profile, as a fraction."""
    return knowledge.constant(DEFAULT_PROFILES[method.task], "band")


def sizing_table(site: Site, workload: Workload) -> SizingTable:
    """Return the table of a workload; only GPUs that its comparison shows are recommended."""
    data, choice = site.data, workload.sizing
    methods = [data.knowledge.methods[name] for name in choice.methods]
    offers = compare(data, workload, site.today).shown
    gpus = [data.gpus[name] for name in offers["gpu"].unique() if not data.gpus[name].is_variant_unknown]
    frame = grid(
        [data.models[name] for name in choice.models], methods, [choice.context], [choice.batch], data.knowledge
    )
    found = smallest(frame, gpus, {method.id: band(method, data.knowledge) for method in methods})
    needs = frame[frame["gpu_count"] == 1].to_dict("records")
    rows = [_row(fit, need, site, offers) for fit, need in zip(found.to_dict("records"), needs, strict=True)]
    return SizingTable(tuple(rows), _assumptions(methods, workload, data.knowledge))


def _row(fit: dict[str, Any], need: dict[str, Any], site: Site, offers: pd.DataFrame) -> SizingRow:
    data = site.data
    gpu, node = data.gpus.get(fit["gpu"]), data.gpus.get(fit["node_gpu"])
    count = int(fit["node_count"])
    return SizingRow(
        data.models[fit["model"]].name,
        data.knowledge.methods[fit["method"]].name,
        Cell(fmt.gibibytes(fit["need_bytes"]), sort_key(fit["need_bytes"])),
        _parts(need),
        None if gpu is None else _rentable(gpu, 1, offers),
        None if node is None or count <= 1 else _rentable(node, count, offers),
    )


def _parts(need: dict[str, Any]) -> str:
    """Return the parts of a need in words, largest first, leaving out what is under a hundredth of it."""
    shown = [(need[column], name) for column, name in PARTS.items() if need[column] > need["total_bytes"] / 100]
    return " + ".join(f"{name} {fmt.gibibytes(size)}" for size, name in sorted(shown, reverse=True))


def _rentable(gpu: Gpu, count: int, offers: pd.DataFrame) -> Rentable:
    mine = offers[(offers["gpu"] == gpu.id) & (offers["pricing_model"] == "on_demand")]
    price = mine["price_usd_gpu_hour"].min() if len(mine) else float("nan")
    text = labels.short_gpu(gpu) if count == 1 else f"{count}{fmt.NBSP}×{fmt.NBSP}{labels.short_gpu(gpu)}"
    words = "" if fmt.is_missing(price) else f"{fmt.money(price)} por GPU-hora"
    return Rentable(text, f"gpu-{gpu.id}", words)


def _assumptions(methods: list[Method], workload: Workload, knowledge: Knowledge) -> str:
    choice = workload.sizing
    sequences = fmt.count(choice.batch, "sequência por vez", "sequências por vez")
    margin = fmt.percent(max(band(method, knowledge) for method in methods))
    return (
        f"Contexto de {fmt.count(choice.context, 'token', 'tokens')}, {sequences}. “Cabe” exige folga de {margin} "
        f"sobre a necessidade, na memória que um programa enxerga; nós de até {GPU_COUNTS[-1]} GPUs, com NVLink ou "
        "equivalente a partir de 4. Só entram placas da comparação acima."
    )
