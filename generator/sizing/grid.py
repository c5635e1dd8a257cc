"""Every model × method × context × batch × number of GPUs at once, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from generator.language_model import LanguageModel
from generator.sizing.bands import half_width
from generator.sizing.knowledge import GIB, Knowledge
from generator.sizing.peak import PHASES, Breakdown, breakdown
from generator.sizing.plan import SWITCHES, Plan, stack_plans
from generator.sizing.resolve import stored_as
from generator.sizing.rows import Method
from generator.sizing.shape import Array, stack

GPU_COUNTS = (1, 2, 4, 8)
DEFAULT_PROFILES = {"training": "hf-trainer", "inference": "inferencia"}


def grid(
    models: Sequence[LanguageModel],
    methods: Sequence[Method],
    contexts: Sequence[int],
    batches: Sequence[int],
    knowledge: Knowledge,
    gpu_counts: Sequence[int] = GPU_COUNTS,
    profile: str = "",
    changes: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """Return one row per combination, with bytes **per GPU** of each part in columns that end in `_bytes`.

    `context` is the training length, or prompt and answer together; `batch` is sequences per GPU in training and
    requests at the same time in inference. Several GPUs split a model by FSDP (training) or tensor parallelism
    (inference); `split` says over how many GPUs the row splits it, at most `gpu_count`: where splitting more would need
    more in each, it does not. `changes` are switches set over every method. Models without an architecture (pipelines)
    are left out.

    Raises:
        ValueError: a context or batch below 1.
    """
    if min((*contexts, *batches, *gpu_counts)) < 1:
        raise ValueError("contexto, lote e número de GPUs começam em 1")
    known = [(model.id, model.architecture) for model in models if model.architecture]
    sizes = (len(known), len(methods), len(contexts), len(batches), len(gpu_counts))
    which = [axis.ravel() for axis in np.indices(sizes)]
    plans = [method_plan(method, knowledge, profile) | dict(changes or {}) for method in methods]
    plan = _with_sizes(
        stack_plans(plans).take(which[1]),
        np.array(contexts, dtype=np.float64)[which[2]],
        np.array(batches, dtype=np.float64)[which[3]],
        np.array(gpu_counts, dtype=np.float64)[which[4]],
    )
    parts = breakdown(stack([architecture for _, architecture in known]).take(which[0]), plan)
    frame = pd.DataFrame(
        {
            "model": np.array([name for name, _ in known], dtype=object)[which[0]],
            "method": np.array([method.id for method in methods], dtype=object)[which[1]],
            "context": np.array(contexts)[which[2]],
            "batch": np.array(batches)[which[3]],
            "gpu_count": np.array(gpu_counts)[which[4]],
        }
    )
    return _without_useless_splits(_with_parts(frame, parts), len(gpu_counts))


def method_plan(method: Method, knowledge: Knowledge, profile: str = "") -> dict[str, float]:
    """Return the switches of a method under a profile (the default of its task when none is named).

    Planning supposes gradient accumulation, the usual and the larger need, and adds the overhead of a process
    (`need_*` of the profile) to the allocator's peak.
    """
    profile = profile or DEFAULT_PROFILES[method.task]
    training, full = method.task == "training", method.lora_rank == 0
    scheme, policy = knowledge.schemes[method.scheme], knowledge.states[method.states]
    tags = {method.task, "full" if full else "adapters"} | ({"quantised"} if scheme.scope != "all" else set())
    settings = knowledge.settings(profile, tags)
    loss = knowledge.loss(method.loss, tags | {f"profile:{name}" for name in knowledge.ancestry(profile)})
    switches = {key: value for key, value in settings.items() if key in SWITCHES}
    switches |= stored_as(scheme) | {
        "training": float(training),
        "trains_base": float(training and full),
        "lora_rank": float(method.lora_rank),
        "state_weight": policy.weights,
        "state_gradient": policy.gradients,
        "state_optimizer": policy.optimizer,
        "state_temporary": policy.temporary,
        "accumulates": 1.0,
        "full_checkpointing": float(method.checkpointing == "full"),
        "loss_per_logit": loss.per_logit if loss else 0.0,
        "loss_per_hidden": loss.per_hidden if loss else 0.0,
        "kv_bytes": method.kv_bytes,
        "overhead_ratio": settings["need_ratio"],
        "overhead_bytes": settings["need_gib"] * GIB,
        "nccl_bytes": settings["need_nccl_gib"] * GIB,
    }
    return switches | {f"lora_{target}": 1.0 for target in method.lora_targets}


def headroom(method: Method, knowledge: Knowledge, profile: str = "") -> float:
    """Return the share to leave free above a need: the largest of three.

    They are the error band of the profile, that of its category, and the least that planning leaves (an assumption).
    """
    category = {"training": "train_memory", "inference": "infer_memory"}[method.task]
    name = profile or DEFAULT_PROFILES[method.task]
    own, pooled = half_width(category, name, knowledge), half_width(category, "", knowledge)
    return max(own, pooled, knowledge.settings(name, {method.task})["headroom"])


def _with_sizes(plan: Plan, contexts: Array, batches: Array, gpus: Array) -> Plan:
    training = plan.training > 0
    return plan.replace(
        context=contexts,
        micro_batch=batches,
        dp=np.where(training, gpus, 1),
        zero_stage=np.where(training & (gpus > 1), 3.0, 0.0),
        tp=np.where(training, 1, gpus),
        expert_tp=np.where(training, 1, gpus),
        overhead_bytes=plan.overhead_bytes + np.where(gpus > 1, plan.nccl_bytes, 0.0),
    )


def _with_parts(frame: pd.DataFrame, parts: Breakdown) -> pd.DataFrame:
    names = ("weights", "gradients", "optimizer", "kv", "adapters", "activations", "logits", "overhead", "total")
    columns = {f"{name}_bytes": getattr(parts, name) for name in names}
    return frame.assign(split=frame["gpu_count"], phase=np.array(PHASES)[parts.phase.astype(int)], **columns)


def _without_useless_splits(frame: pd.DataFrame, counts: int) -> pd.DataFrame:
    """Replace a row by the row of fewer GPUs where that needs less in each: the others then hold a copy."""
    totals = frame["total_bytes"].to_numpy().reshape(-1, counts)
    best = np.zeros(totals.shape, dtype=np.intp)
    for column in range(1, counts):
        previous = best[:, column - 1]
        better = totals[:, column] <= totals[np.arange(len(totals)), previous]
        best[:, column] = np.where(better, column, previous)
    source = (best + np.arange(len(totals))[:, None] * counts).ravel()
    chosen = frame.iloc[source].reset_index(drop=True)
    return chosen.assign(gpu_count=frame["gpu_count"])
