"""One model, one method, one size: what it needs, what each switch would save, where it fits and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.sizing.fit import Choice, choices
from generator.sizing.grid import DEFAULT_PROFILES, GPU_COUNTS, grid, headroom, method_plan
from generator.sizing.knowledge import Knowledge
from generator.sizing.peak import PHASES, breakdown
from generator.sizing.plan import stack_plans
from generator.sizing.resolve import architecture_of
from generator.sizing.rows import Method
from generator.sizing.shape import stack

PARTS = ("weights", "adapters", "gradients", "optimizer", "kv", "activations", "logits", "overhead")


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks to size; an empty profile means the default of the method's task.

    `changes` are switches over the method's own, as `generator.sizing.options` names them.
    """

    model: LanguageModel
    method: Method
    context: int
    batch: int
    profile: str = ""
    changes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saving:
    """A switch, and what one GPU would need with it."""

    name: str
    need_bytes: float
    saved_bytes: float


@dataclass(frozen=True, slots=True)
class Sized:
    """The answer: bytes of each part on one GPU, need of each GPU by how many share the model, and where it fits."""

    model: str
    method: str
    profile: str
    context: int
    batch: int
    parts: dict[str, float]
    need_bytes: float
    phase: str
    headroom: float
    need_by_count: dict[int, float]
    savings: tuple[Saving, ...]
    choices: tuple[Choice, ...]


def size(request: Request, knowledge: Knowledge, gpus: Iterable[Gpu]) -> Sized:
    """Return the answer to a request.

    Raises:
        CannotComputeError: the table knows the model only by its components.
        ValueError: a context or batch below 1.
    """
    architecture_of(request.model)
    asked = [request.model], [request.method], [request.context], [request.batch]
    rows = grid(*asked, knowledge, GPU_COUNTS, request.profile, request.changes)
    one = rows.iloc[0]
    needs = {int(row["gpu_count"]): float(row["total_bytes"]) for _, row in rows.iterrows()}
    free = headroom(request.method, knowledge, request.profile)
    return Sized(
        model=request.model.id,
        method=request.method.id,
        profile=request.profile or DEFAULT_PROFILES[request.method.task],
        context=request.context,
        batch=request.batch,
        parts={name: float(one[f"{name}_bytes"]) for name in PARTS},
        need_bytes=float(one["total_bytes"]),
        phase=str(one["phase"]) if request.method.task == "training" else "",
        headroom=free,
        need_by_count=needs,
        savings=savings(request, knowledge),
        choices=tuple(choices(needs, gpus, free)),
    )


def savings(request: Request, knowledge: Knowledge) -> tuple[Saving, ...]:
    """Return what each switch that the request does not use yet would save on one GPU, the largest saving first."""
    sizes = {"context": float(request.context), "micro_batch": float(request.batch)}
    plain = method_plan(request.method, knowledge, request.profile) | dict(request.changes) | sizes
    variants = _training_variants(plain) if request.method.task == "training" else _inference_variants(plain)
    shape = stack([architecture_of(request.model)] * (len(variants) + 1))
    totals = breakdown(shape, stack_plans([plain, *(plain | change for _, change in variants)])).total
    saved = [
        Saving(name, float(total), float(totals[0] - total))
        for (name, _), total in zip(variants, totals[1:], strict=True)
        if total < totals[0]
    ]
    return tuple(sorted(saved, key=lambda each: -each.saved_bytes))


def _training_variants(plain: dict[str, float]) -> list[tuple[str, dict[str, float]]]:
    return [
        ("checkpointing completo das ativações", {"full_checkpointing": 1.0, "selective_checkpointing": 0.0}),
        ("cut cross-entropy (logits em pedaços)", {"loss_per_logit": 0.0, "loss_per_hidden": 0.0}),
        ("otimizador de 8 bits", {"state_optimizer": min(2.0, plain["state_optimizer"]), "state_temporary": 0.0}),
        ("otimizador na CPU", {"state_optimizer": 0.0, "state_temporary": 0.0}),
        ("gradientes aplicados no backward, sem acumulação", {"accumulates": 0.0, "state_gradient": 0.0}),
        ("checkpoints de ativação na CPU", {"activations_offloaded": 1.0}),
        ("metade do contexto", {"context": max(plain["context"] / 2, 1.0)}),
        ("metade do lote", {"micro_batch": max(plain["micro_batch"] / 2, 1.0)}),
    ]


def _inference_variants(plain: dict[str, float]) -> list[tuple[str, dict[str, float]]]:
    return [
        ("cache KV em 8 bits", {"kv_bytes": min(1.0, plain["kv_bytes"])}),
        ("metade do contexto", {"context": max(plain["context"] / 2, 1.0)}),
        ("metade das requisições simultâneas", {"micro_batch": max(plain["micro_batch"] / 2, 1.0)}),
    ]


def cheapest_offers(
    sized: Sized, offers: pd.DataFrame, wanted: int, models: Sequence[str] = ("on_demand",)
) -> pd.DataFrame:
    """Return the cheapest offers of machines in which the need fits, at most one per provider, GPU and count.

    Slices and machines whose price is unknown are left out.
    """
    fitting = {(each.gpu, each.count) for each in sized.choices if each.verdict == "cabe"}
    keys = list(zip(offers["gpu"], offers["gpu_count"], strict=True))
    mask = np.array([key in fitting for key in keys], dtype=bool) & offers["pricing_model"].isin(models).to_numpy()
    found = offers[mask & offers["price_usd_hour"].notna().to_numpy()]
    ordered = found.sort_values(["price_usd_hour", "offer_id"])
    return ordered.drop_duplicates(["provider", "gpu", "gpu_count", "pricing_model"]).head(wanted)


def phase_name(phase: str) -> str:
    """Return a phase of a training step in Portuguese."""
    names = dict(zip(PHASES, ("forward e perda", "backward", "passo do otimizador"), strict=True))
    return names.get(phase, "")
