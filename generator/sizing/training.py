"""The switches of a measured training run."""

from __future__ import annotations

import re

from generator.language_model import Architecture
from generator.sizing.cases import Case
from generator.sizing.knowledge import Knowledge
from generator.sizing.resolve import CannotComputeError, profile_switches, scheme_switches

PARALLEL = ("zero_stage", "tp", "pp", "ep", "cp", "dp")


def training_switches(
    case: Case, architecture: Architecture, knowledge: Knowledge, profile: str, tags: set[str]
) -> dict[str, float]:
    """Return the switches of a training run: what its source declares, over what its profile says.

    Raises:
        CannotComputeError: the source does not tell the batch, the length, the optimizer or a known loss.
    """
    settings = knowledge.settings(profile, tags)
    switches = scheme_switches(case, knowledge) | _sizes(case) | _states(case, knowledge, settings, tags)
    switches |= profile_switches(settings) | _parallel(case) | adapter_switches(case) | _loss(case, knowledge, tags)
    run = case.run
    switches |= {
        "training": 1.0,
        "trains_base": float(run["method"] == "full"),
        "full_checkpointing": float(run["checkpointing"] == "full"),
        "selective_checkpointing": float(run["checkpointing"].startswith("selective")),
        "accumulates": float(run["grad_accum"] not in {"", "1"}),
        "activations_offloaded": float(bool(re.search("ativac|checkpoints", run["offload"]))),
        "weights_offloaded": float("pesos na CPU" in run["offload"]),
    }
    return switches | _shape_of_parallelism(case, architecture, settings, switches)


def _sizes(case: Case) -> dict[str, float]:
    batch, length = case.number("micro_batch"), case.number("seq_len")
    if batch is None or length is None:
        raise CannotComputeError("a fonte não diz o lote ou o comprimento da sequência")
    return {"micro_batch": batch, "context": length}


def _states(case: Case, knowledge: Knowledge, settings: dict[str, float], tags: set[str]) -> dict[str, float]:
    optimizer = knowledge.optimizers.get(case.run["optimizer"].lower())
    if optimizer is None:
        raise CannotComputeError(f"otimizador {case.run['optimizer']!r} fora da tabela")
    base = 4.0 if case.run["weight_dtype"].startswith("fp32") else 2.0
    gradient = 4.0 if case.run["grad_dtype"] == "fp32" else 2.0
    return {
        "state_weight": base if "full" in tags else settings.get("adapter_bytes", 4.0),
        "state_gradient": 0.0 if "fused-backward" in tags else gradient,
        "state_optimizer": optimizer.bytes,
        "state_temporary": optimizer.temporary,
    }


def _parallel(case: Case) -> dict[str, float]:
    told = {name: case.number(name) for name in PARALLEL}
    switches = {name: value for name, value in told.items() if value is not None}
    if switches.get("zero_stage") and "dp" not in switches:
        switches["dp"] = case.at_least_one("n_gpus")
    return switches | {"sequence_parallel": float(case.run["seq_parallel"] == "sim")}


TARGETS = {
    "q": "q",
    "k": "k",
    "v": "v",
    "o": "o",
    "mlp": "mlp",
    "gate": "mlp",
    "up": "mlp",
    "down": "mlp",
    "head": "head",
}


def adapter_switches(case: Case) -> dict[str, float]:
    """Return rank and targets of the adapters of a run.

    Raises:
        CannotComputeError: a target is none that the engine knows.
    """
    names = [name.strip() for name in case.run["lora_targets"].split(",") if name.strip()]
    if unknown := [name for name in names if name not in TARGETS]:
        raise CannotComputeError(f"alvo de LoRA desconhecido: {', '.join(unknown)}")
    return {f"lora_{TARGETS[name]}": 1.0 for name in names} | {"lora_rank": case.number("lora_rank") or 0.0}


def _loss(case: Case, knowledge: Knowledge, tags: set[str]) -> dict[str, float]:
    loss = knowledge.loss(case.run["loss_impl"], tags)
    if loss is None:
        raise CannotComputeError(f"perda {case.run['loss_impl']!r} fora da tabela")
    return {
        "loss_per_logit": loss.per_logit,
        "loss_per_hidden": loss.per_hidden,
        "loss_split": loss.split_by_tp,
    }


def _shape_of_parallelism(
    case: Case, architecture: Architecture, settings: dict[str, float], switches: dict[str, float]
) -> dict[str, float]:
    """Chunks of an interleaved pipeline, width of expert tensor parallelism, micro-batches of a split batch."""
    stages, tp = switches.get("pp", 1.0), switches.get("tp", 1.0)
    shaped: dict[str, float] = {}
    if chunk := re.search(r"chunk=(\d+)", case.run["vpp"]):
        shaped["chunks_per_stage"] = architecture.layers / stages / int(chunk.group(1))
    if settings.get("expert_tp_is_tp") and architecture.experts:
        shaped["expert_tp"] = 1.0 if switches.get("ep") == architecture.experts else tp
    if settings.get("splits_batch"):
        shaped["micro_batch"] = max(switches["micro_batch"] / stages, 1.0)
    return shaped
