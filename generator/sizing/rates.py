"""How fast a method would run on GPUs of the table: a ceiling, what classes of measured runs reach, and a range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from generator.language_model import Architecture, LanguageModel
from generator.model import Gpu
from generator.sizing.bands import half_width
from generator.sizing.grid import DEFAULT_PROFILES, method_plan
from generator.sizing.knowledge import GIB, Knowledge, first_that_holds
from generator.sizing.plan import Plan, stack_plans
from generator.sizing.resolve import CannotComputeError, architecture_of
from generator.sizing.rows import DecodeClass, Method, ServingClass, Utilisation
from generator.sizing.shape import Array, Shape, stack
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


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines side by side with a `Shape` and a `Plan`: facts of one GPU each, and how many it has."""

    bandwidth: Array  # bytes per second
    peak: Array  # operations per second, in the precision that matters
    visible_bytes: Array
    count: Array


@dataclass(frozen=True, slots=True)
class Run:
    """What a run changes in its method: the profile (empty: the default of the task) and switches."""

    profile: str = ""
    changes: Mapping[str, float] = field(default_factory=dict)


PLAIN = Run()


def training_ceilings(shape: Shape, plan: Plan, machines: Machines) -> Array:
    """Return tokens per second of training at full use of the 16-bit peak of all GPUs."""
    return machines.count / training_seconds_per_token(shape, plan, machines.peak, machines.peak)


def serving_ceilings(shape: Shape, plan: Plan, lengths: tuple[Array, Array], machines: Machines) -> Array:
    """Return generated tokens per second of servers full of requests of `lengths` (prompt, answer), in tokens."""
    prompt, answer = lengths
    count = machines.count
    halfway = plan.replace(context=prompt + answer / 2, prompt=prompt, tp=count, expert_tp=count)
    batch = serving_batch(shape, halfway, (machines.visible_bytes * UTILISED - GIB) * count)
    return serving_ceiling(shape, halfway, batch, answer, machines.bandwidth * count, machines.peak * count)


def serving_bits(method: Method, knowledge: Knowledge) -> int:
    """Return the precision whose peak a server uses."""
    bits = knowledge.schemes[method.scheme].bits
    return 4 if bits < 6 else 8 if bits < 10 else 16


def training_class(
    architecture: Architecture,
    method: Method,
    hardware: Hardware,
    count: int,
    knowledge: Knowledge,
    profile: str = "",
) -> Utilisation:
    """Return the share of the peak that such runs reach; raises `CannotComputeError` where no class covers them."""
    tags = _tags(method, hardware, knowledge, profile) | {"full" if method.lora_rank == 0 else "adapters"}
    tags |= {"sharded"} if count > 1 else {"one-gpu"}
    tags |= {"moe"} if architecture.experts else set()
    tags |= {"narrow"} if architecture.hidden < NARROW else set()
    use = first_that_holds(knowledge.utilisations, tags)
    if use is None:
        raise CannotComputeError("nenhuma classe de utilização cobre a execução")
    return use


def serving_class(
    architecture: Architecture,
    method: Method,
    hardware: Hardware,
    count: int,
    knowledge: Knowledge,
    profile: str = "",
) -> ServingClass:
    """Return the share of the ceiling that such servers reach; raises `CannotComputeError` where none covers them."""
    tags = _tags(method, hardware, knowledge, profile) | ({"moe"} if architecture.experts else set())
    found = first_that_holds(knowledge.serving_classes, tags | ({"wide-tensor-parallel"} if count >= 4 else set()))
    if found is None:
        raise CannotComputeError("nenhuma classe de servidor cobre a execução")
    return found


def training_rate(
    model: LanguageModel,
    method: Method,
    gpu: Gpu,
    count: int,
    context: int,
    knowledge: Knowledge,
    run: Run = PLAIN,
) -> Rate:
    """Return tokens per second of training on `count` GPUs.

    Raises:
        CannotComputeError: the table does not know the layers of the model or the peak of the GPU.
    """
    hardware, architecture = hardware_of(gpu), architecture_of(model)
    plan = stack_plans([_plan(method, knowledge, run) | {"context": float(context)}])
    ceiling = float(training_ceilings(stack([architecture]), plan, _machine(hardware, count, 16))[0])
    found = training_class(architecture, method, hardware, count, knowledge, run.profile)
    return within(ceiling, found, method.task, knowledge)


def serving_rate(
    model: LanguageModel,
    method: Method,
    gpu: Gpu,
    count: int,
    lengths: tuple[int, int],
    knowledge: Knowledge,
    run: Run = PLAIN,
) -> Rate:
    """Return generated tokens per second of a server full of requests of `lengths` (prompt, answer).

    Raises:
        CannotComputeError: the table does not know the layers of the model, or bandwidth or peak of the GPU.
    """
    hardware, architecture = hardware_of(gpu), architecture_of(model)
    machine = _machine(hardware, count, serving_bits(method, knowledge))
    shape, plan = stack([architecture]), stack_plans([_plan(method, knowledge, run)])
    prompt, answer = (np.array([float(length)]) for length in lengths)
    ceiling = float(serving_ceilings(shape, plan, (prompt, answer), machine)[0])
    found = serving_class(architecture, method, hardware, count, knowledge, run.profile)
    return within(ceiling, found, method.task, knowledge)


def decode_rate(
    model: LanguageModel,
    method: Method,
    gpu: Gpu,
    count: int,
    context: int,
    knowledge: Knowledge,
    run: Run = PLAIN,
) -> Rate:
    """Return tokens per second of one stream whose cache is half of `context` long, on `count` GPUs.

    Raises:
        CannotComputeError: the table does not know the layers of the model or the bandwidth of the GPU.
    """
    hardware = hardware_of(gpu)
    found: DecodeClass | None = first_that_holds(
        knowledge.decode_classes, _tags(method, hardware, knowledge, run.profile)
    )
    if hardware.bandwidth is None or found is None:
        raise CannotComputeError(f"largura de banda da GPU {gpu.id!r} desconhecida")
    shape = stack([architecture_of(model)])
    plan = stack_plans([_plan(method, knowledge, run) | {"context": context / 2}])
    bandwidth = np.array([hardware.bandwidth * count])
    ceiling = float(decode_ceiling(shape, plan, bandwidth)[0])
    efficiency, layer = np.array([found.efficiency]), np.array([found.layer_us * 1e-6])
    likely = float(decode_speed(shape, plan, bandwidth, efficiency, layer)[0])
    band = knowledge.bands[("decode_speed", "")].half_width
    return Rate(ceiling, likely / (1 + band), likely, min(likely / (1 - band), ceiling), found.name, found.basis)


def within(ceiling: float, found: Utilisation | ServingClass, task: str, knowledge: Knowledge) -> Rate:
    """Return the range of a class under a ceiling, never narrower than the band of all measured speeds."""
    category = {"training": "train_throughput", "inference": "serving_throughput"}[task]
    band = half_width(category, "", knowledge)
    low, high = min(found.low, found.value / (1 + band)), min(max(found.high, found.value / (1 - band)), 1.0)
    return Rate(ceiling, ceiling * low, ceiling * found.value, ceiling * high, found.name, found.basis)


def over_weeks(rate: Rate) -> Rate:
    """Return the rate as plans of weeks should take it: three quarters, as published hours of pre-training show."""
    return replace(rate, low=rate.low * LONG_RUN_SHARE, likely=rate.likely * LONG_RUN_SHARE)


def _plan(method: Method, knowledge: Knowledge, run: Run) -> dict[str, float]:
    return method_plan(method, knowledge, run.profile) | dict(run.changes)


def _machine(hardware: Hardware, count: int, bits: int) -> Machines:
    peak, visible = hardware.peak(bits), hardware.visible_bytes
    if peak is None or hardware.bandwidth is None or visible is None:
        raise CannotComputeError(f"pico ou largura de banda da GPU {hardware.gpu!r} desconhecidos")
    facts = (hardware.bandwidth, peak, visible, float(count))
    return Machines(*(np.array([fact]) for fact in facts))


def _tags(method: Method, hardware: Hardware, knowledge: Knowledge, profile: str) -> set[str]:
    profile = profile or DEFAULT_PROFILES[method.task]
    scheme = {"16-bit"} if method.scheme == "bf16" else {"quantised"}
    names = {f"profile:{name}" for name in knowledge.ancestry(profile)}
    facts = {f"arch:{hardware.architecture.split()[0].lower()}", f"gpu:{hardware.gpu}", f"memory:{hardware.memory}"}
    return {method.task} | scheme | names | facts
