"""Predictions for measured speeds: training, decoding, serving and whole runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from generator.language_model import Architecture
from generator.sizing.cases import Case
from generator.sizing.knowledge import GIB, Knowledge, first_that_holds
from generator.sizing.plan import Plan, stack_plans
from generator.sizing.resolve import CannotComputeError
from generator.sizing.shape import Shape, stack
from generator.sizing.speed import (
    Hardware,
    decode_speed,
    serving_batch,
    serving_ceiling,
    training_seconds_per_token,
)

PRETRAINING_CONTEXT = 8192  # length that most of a pre-training runs at, whatever the model ends with
NARROW = 2560  # hidden width under which matrix products are too small to fill a data centre GPU
LONG_RUN_SHARE = 0.75  # of the class utilisation over runs of weeks: restarts, checkpoints, evaluation


@dataclass(frozen=True, slots=True)
class Run:
    """A measured run ready for a formula: the model, its switches, the GPU, the facts that hold."""

    case: Case
    shape: Shape
    plan: Plan
    hardware: Hardware
    tags: set[str]
    gpus: float


def run_of(
    case: Case, architecture: Architecture, switches: dict[str, float], hardware: Hardware, tags: set[str]
) -> Run:
    """Return a run, with the facts that its GPU adds."""
    facts = {f"arch:{hardware.architecture.split()[0].lower()}", f"gpu:{hardware.gpu}", f"memory:{hardware.memory}"}
    narrow = {"narrow"} if architecture.hidden < NARROW else set()
    return Run(
        case=case,
        shape=stack([architecture]),
        plan=stack_plans([switches]),
        hardware=hardware,
        tags=tags | facts | narrow,
        gpus=case.at_least_one("n_gpus"),
    )


def tokens_per_second(run: Run, knowledge: Knowledge) -> float:
    """Training tokens per second of one GPU: peak × utilisation ÷ FLOPs per token.

    Raises:
        CannotComputeError: the GPU table has no peak for that precision.
    """
    wide, narrow = run.hardware.peak(16), run.hardware.peak(8 if "fp8-compute" in run.tags else 16)
    if wide is None or narrow is None:
        raise CannotComputeError(f"pico da GPU {run.case.run['gpu']!r} desconhecido")
    use = first_that_holds(knowledge.utilisations, run.tags)
    if use is None:
        raise CannotComputeError("nenhuma classe de utilização cobre a execução")
    seconds = training_seconds_per_token(run.shape, run.plan, np.array([narrow]), np.array([wide]))[0]
    recompute = 4 / 3 if use.counts_recompute and run.plan.full_checkpointing[0] else 1.0
    return float(use.value / (seconds * recompute))


def training_speed(run: Run, knowledge: Knowledge) -> float:
    """Training speed in the unit of the row: of one GPU, of all, or seconds per iteration.

    Raises:
        CannotComputeError: the source does not tell the global batch of an iteration.
    """
    speed = tokens_per_second(run, knowledge)
    if run.case.metric == "tokens_per_s_total":
        return speed * run.gpus
    if run.case.metric != "iteration_time":
        return speed
    return global_batch(run.case) * float(run.plan.context[0]) / (speed * run.gpus)


def global_batch(case: Case) -> float:
    """Sequences per iteration over all GPUs, which these sources print beside what they timed.

    Raises:
        CannotComputeError: the source does not tell it.
    """
    found = re.search(r"lote global (\d+)", case.reading)
    if found is None:
        raise CannotComputeError("a fonte não diz o lote global")
    return float(found.group(1))


def run_hours(run: Run, knowledge: Knowledge) -> float:
    """GPU-hours of a whole pre-training, at three quarters of the utilisation of its class.

    Raises:
        CannotComputeError: the source does not tell how many tokens were trained.
    """
    found = re.search(r"tokens=(\d+)", run.case.run["notes"])
    if run.case.metric != "gpu_hours" or found is None:
        raise CannotComputeError("a fonte não diz quantos tokens foram treinados")
    return float(found.group(1)) / (tokens_per_second(run, knowledge) * LONG_RUN_SHARE) / 3600


def decoding(run: Run, knowledge: Knowledge) -> float:
    """Tokens per second of one stream in the middle of its answer.

    Raises:
        CannotComputeError: the bandwidth is unknown or no class covers the run.
    """
    measured = first_that_holds(knowledge.decode_classes, run.tags)
    if run.hardware.bandwidth is None or measured is None:
        raise CannotComputeError("sem largura de banda da GPU ou classe de eficiência para a execução")
    bandwidth = np.array([run.hardware.bandwidth * run.case.at_least_one("tp")])
    efficiency, layer = np.array([measured.efficiency]), np.array([measured.layer_us * 1e-6])
    return float(decode_speed(run.shape, halfway(run), bandwidth, efficiency, layer)[0])


def serving(run: Run, knowledge: Knowledge) -> float:
    """Generated tokens per second of a full server: ceiling × efficiency of its class.

    Raises:
        CannotComputeError: peak, bandwidth or class are missing.
    """
    bits = float(run.plan.bits[0])
    peak = run.hardware.peak(4 if bits < 6 else 8 if bits < 10 else 16)
    measured = first_that_holds(knowledge.serving_classes, run.tags)
    if peak is None or run.hardware.bandwidth is None or run.hardware.visible_bytes is None or measured is None:
        raise CannotComputeError("sem pico, largura de banda ou classe de eficiência para a execução")
    gpus = run.case.at_least_one("tp")
    plan = halfway(run)
    memory = np.array([(run.hardware.visible_bytes * 0.9 - GIB) * gpus])
    batch = serving_batch(run.shape, plan, memory)
    answer = np.array([run.case.number("gen_tokens") or 1.0])
    bandwidth, rate = np.array([run.hardware.bandwidth * gpus]), np.array([peak * gpus])
    return float(serving_ceiling(run.shape, plan, batch, answer, bandwidth, rate)[0] * measured.value)


def halfway(run: Run) -> Plan:
    """Return the plan with the cache as long as it is in the middle of the answer."""
    answer = run.case.number("gen_tokens") or 0.0
    prompt = run.case.number("seq_len") or 0.0
    return replace(run.plan, context=np.array([prompt + answer / 2]), prompt=np.array([prompt]))
