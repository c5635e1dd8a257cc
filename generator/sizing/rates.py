"""How fast a method would run on a GPU of the table: a ceiling, what classes of measured runs reach, and a range."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from generator.language_model import LanguageModel
from generator.model import Gpu
from generator.sizing.grid import DEFAULT_PROFILES, method_plan
from generator.sizing.knowledge import GIB, Knowledge, first_that_holds
from generator.sizing.plan import stack_plans
from generator.sizing.resolve import CannotComputeError, architecture_of
from generator.sizing.rows import Method
from generator.sizing.shape import stack
from generator.sizing.speed import (
    Hardware,
    decode_ceiling,
    decode_speed,
    hardware_of,
    serving_batch,
    serving_ceiling,
    training_seconds_per_token,
)
from generator.sizing.throughput import LONG_RUN_SHARE, NARROW

UTILISED = 0.9  # of visible memory, as servers take it


@dataclass(frozen=True, slots=True)
class Rate:
    """Tokens per second of the whole machine: no run passes `ceiling`; measured runs of the class were in the range.

    `likely` is the median of the class `name`; `basis` says whether it was measured or is assumed.
    """

    ceiling: float
    low: float
    likely: float
    high: float
    name: str
    basis: str


def training_rate(
    model: LanguageModel, method: Method, gpu: Gpu, count: int, context: int, knowledge: Knowledge
) -> Rate:
    """Return tokens per second of training on `count` GPUs.

    Raises:
        CannotComputeError: the table does not know the layers of the model or the peak of the GPU.
    """
    hardware, architecture = hardware_of(gpu), architecture_of(model)
    peak = hardware.peak(16)
    if peak is None:
        raise CannotComputeError(f"pico da GPU {gpu.id!r} desconhecido")
    plan = stack_plans([method_plan(method, knowledge) | {"context": float(context)}])
    peaks = np.array([peak])
    ceiling = count / float(training_seconds_per_token(stack([architecture]), plan, peaks, peaks)[0])
    tags = _tags(method, hardware, knowledge) | {"full" if method.lora_rank == 0 else "adapters"}
    tags |= {"sharded"} if count > 1 else {"one-gpu"}
    tags |= {"moe"} if architecture.experts else set()
    tags |= {"narrow"} if architecture.hidden < NARROW else set()
    use = first_that_holds(knowledge.utilisations, tags)
    if use is None:
        raise CannotComputeError("nenhuma classe de utilização cobre a execução")
    return Rate(ceiling, ceiling * use.low, ceiling * use.value, ceiling * use.high, use.name, use.basis)


def decode_rate(model: LanguageModel, method: Method, gpu: Gpu, count: int, context: int, knowledge: Knowledge) -> Rate:
    """Return tokens per second of one stream whose cache is half of `context` long, on `count` GPUs.

    Raises:
        CannotComputeError: the table does not know the layers of the model or the bandwidth of the GPU.
    """
    hardware = hardware_of(gpu)
    found = first_that_holds(knowledge.decode_classes, _tags(method, hardware, knowledge))
    if hardware.bandwidth is None or found is None:
        raise CannotComputeError(f"largura de banda da GPU {gpu.id!r} desconhecida")
    shape = stack([architecture_of(model)])
    plan = stack_plans([method_plan(method, knowledge) | {"context": context / 2}])
    bandwidth = np.array([hardware.bandwidth * count])
    ceiling = float(decode_ceiling(shape, plan, bandwidth)[0])
    efficiency, layer = np.array([found.efficiency]), np.array([found.layer_us * 1e-6])
    likely = float(decode_speed(shape, plan, bandwidth, efficiency, layer)[0])
    band = knowledge.bands[("decode_speed", "")].half_width
    return Rate(ceiling, likely / (1 + band), likely, min(likely / (1 - band), ceiling), found.name, found.basis)


def serving_rate(
    model: LanguageModel, method: Method, gpu: Gpu, count: int, lengths: tuple[int, int], knowledge: Knowledge
) -> Rate:
    """Return generated tokens per second of a server full of requests of `lengths` (prompt, answer).

    Raises:
        CannotComputeError: the table does not know the layers of the model, or bandwidth or peak of the GPU.
    """
    hardware, architecture = hardware_of(gpu), architecture_of(model)
    bits = knowledge.schemes[method.scheme].bits
    peak = hardware.peak(4 if bits < 6 else 8 if bits < 10 else 16)
    if peak is None or hardware.bandwidth is None:
        raise CannotComputeError(f"pico ou largura de banda da GPU {gpu.id!r} desconhecidos")
    prompt, answer = lengths
    switches = {"context": prompt + answer / 2, "prompt": float(prompt), "tp": float(count), "expert_tp": float(count)}
    shape, plan = stack([architecture]), stack_plans([method_plan(method, knowledge) | switches])
    memory = np.array([(gpu.visible_memory_gib * UTILISED * GIB - GIB) * count])
    batch = serving_batch(shape, plan, memory)
    totals = np.array([hardware.bandwidth * count]), np.array([peak * count])
    ceiling = float(serving_ceiling(shape, plan, batch, np.array([float(answer)]), *totals)[0])
    tags = _tags(method, hardware, knowledge) | ({"moe"} if architecture.experts else set())
    found = first_that_holds(knowledge.serving_classes, tags | ({"wide-tensor-parallel"} if count >= 4 else set()))
    if found is None:
        raise CannotComputeError("nenhuma classe de servidor cobre a execução")
    return Rate(ceiling, ceiling * found.low, ceiling * found.value, ceiling * found.high, found.name, found.basis)


def over_weeks(rate: Rate) -> Rate:
    """Return the rate as plans of weeks should take it: three quarters, as published hours of pre-training show."""
    return replace(rate, low=rate.low * LONG_RUN_SHARE, likely=rate.likely * LONG_RUN_SHARE)


def _tags(method: Method, hardware: Hardware, knowledge: Knowledge) -> set[str]:
    profile = DEFAULT_PROFILES[method.task]
    scheme = {"16-bit"} if method.scheme == "bf16" else {"quantised"}
    names = {f"profile:{name}" for name in knowledge.ancestry(profile)}
    facts = {f"arch:{hardware.architecture.split()[0].lower()}", f"gpu:{hardware.gpu}", f"memory:{hardware.memory}"}
    return {method.task} | scheme | names | facts
