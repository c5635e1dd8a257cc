"""One measured run in, one prediction out: the engine as measurements see it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from generator.language_model import Architecture, LanguageModel
from generator.model import Gpu
from generator.sizing import inference, pipelines, throughput
from generator.sizing.cases import Case, plain
from generator.sizing.knowledge import GIB, Knowledge
from generator.sizing.peak import breakdown
from generator.sizing.plan import stack_plans
from generator.sizing.resolve import (
    CannotComputeError,
    architecture_of,
    model_of,
    profile_of,
    scheme_switches,
    tags_of,
    with_profile,
)
from generator.sizing.shape import stack
from generator.sizing.speed import GIGA, Hardware, hardware_of
from generator.sizing.states import model_states
from generator.sizing.training import adapter_switches, training_switches

COUNTS = ("micro_batch", "seq_len", "gen_tokens", "grad_accum", "n_gpus", "tp", "pp", "vpp", "ep", "cp", "dp", "steps")
UNITS = {"bytes": 1.0, "GB": 1e9, "GiB": float(GIB), "MiB": 2.0**20}  # bytes in each; other units are used as they come


@dataclass(frozen=True, slots=True)
class Library:
    """What predictions rest on."""

    models: Mapping[str, LanguageModel]
    knowledge: Knowledge
    gpus: Mapping[str, Gpu]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A run with its model, the tags that hold and its profile."""

    case: Case
    model: LanguageModel
    tags: set[str]
    profile: str

    @property
    def architecture(self) -> Architecture:
        """Return the layers of the model; raises `CannotComputeError` where the table has only its parts."""
        return architecture_of(self.model)


def resolve(case: Case, library: Library) -> Resolved:
    """Return the run with its model, tags and profile.

    Raises:
        CannotComputeError: a fact about the row keeps it from being computed.
    """
    case = _with_facts(case, library.knowledge)
    _refuse_impossible(case)
    model = model_of(case, library.models, library.knowledge)
    tags = tags_of(case, model.architecture, library.knowledge)
    profile = _profile(case, tags, library.knowledge)
    return Resolved(case, model, with_profile(tags, profile, library.knowledge), profile)


def _with_facts(case: Case, knowledge: Knowledge) -> Case:
    changes = {
        fact.column: fact.value
        for fact in knowledge.case_facts
        if re.search(plain(fact.pattern), case.run["source_title"])
    }
    return replace(case, run=case.run | changes)


def _refuse_impossible(case: Case) -> None:
    """A number of tokens, sequences or GPUs below one is a slip of the source."""
    for column in COUNTS:
        count = case.number(column)
        if count is not None and count < 1:
            raise CannotComputeError(f"{column} = {case.run[column]}: menor que 1")


def _profile(case: Case, tags: set[str], knowledge: Knowledge) -> str:
    """Weights, files and hours are the same in every framework, so that these may go unnamed."""
    try:
        return profile_of(case, tags, knowledge)
    except CannotComputeError:
        if case.category in {"weights_memory", "train_time"}:
            return "comum"
        raise


def predict(run: Resolved, library: Library) -> float:
    """Return the prediction in the unit of the row. The measured value is never read.

    Raises:
        CannotComputeError: a fact about the row keeps it from being computed.
    """
    predictors: dict[str, Callable[[Resolved, Library], float]] = {
        "train_memory": _train_memory,
        "infer_memory": _infer_memory,
        "weights_memory": _weights_memory,
        "kv_capacity": _kv_capacity,
        "train_throughput": _speed(throughput.training_speed),
        "train_time": _speed(throughput.run_hours),
        "decode_speed": _speed(throughput.decoding),
        "serving_throughput": _speed(throughput.serving),
        "diffusion_memory": _pipeline_memory,
        "audio_memory": _pipeline_memory,
        "diffusion_time": _pipeline_time,
    }
    _refuse_excluded(run.case, library.knowledge)
    if run.case.category not in predictors:
        raise CannotComputeError(f"categoria {run.case.category!r} desconhecida")
    value = predictors[run.case.category](run, library) / UNITS.get(run.case.unit, 1.0)
    if not (math.isfinite(value) and value > 0):
        raise CannotComputeError("com estes valores a conta não dá um número positivo")
    return value


def _refuse_excluded(case: Case, knowledge: Knowledge) -> None:
    for rule in knowledge.exclusions:
        text = case.metric if rule.column == "metric" else case.run[rule.column]
        if rule.category == case.category and re.search(plain(rule.pattern), text):
            raise CannotComputeError(rule.reason)


def _train_memory(run: Resolved, library: Library) -> float:
    switches = training_switches(run.case, run.architecture, library.knowledge, run.profile, run.tags)
    shape, plan = stack([run.architecture]), stack_plans([switches])
    if run.case.metric.startswith("steady"):
        states = model_states(shape, plan)
        return float((states.weights + states.adapters + states.gradients + states.optimizer)[0])
    return float(breakdown(shape, plan).total[0])


def _infer_memory(run: Resolved, library: Library) -> float:
    return inference.memory_bytes(run.architecture, _inference_switches(run, library))


def _weights_memory(run: Resolved, library: Library) -> float:
    return inference.weight_bytes(run.architecture, _inference_switches(run, library))


def _kv_capacity(run: Resolved, library: Library) -> float:
    switches = _inference_switches(run, library)
    if run.case.metric == "kv_tokens":
        return inference.cache_tokens(run.case, run.architecture, switches)
    if run.case.metric == "kv_buffer_memory":
        return inference.cache_bytes(run.architecture, switches)
    visible = _hardware(run.case, library).visible_bytes
    if visible is None:
        raise CannotComputeError("memória visível da GPU desconhecida")
    settings = library.knowledge.settings(run.profile, run.tags)
    return inference.cache_budget(run.architecture, switches, settings, visible)


def _inference_switches(run: Resolved, library: Library) -> dict[str, float]:
    return inference.inference_switches(run.case, library.knowledge, run.profile, run.tags)


def _speed(formula: Callable[[throughput.Run, Knowledge], float]) -> Callable[[Resolved, Library], float]:
    def predicted(run: Resolved, library: Library) -> float:
        switches = _speed_switches(run, library)
        hardware = _hardware(run.case, library)
        return formula(throughput.run_of(run.case, run.architecture, switches, hardware, run.tags), library.knowledge)

    return predicted


def _speed_switches(run: Resolved, library: Library) -> dict[str, float]:
    """What speed depends on; a training row may leave out what only memory needs."""
    if "training" not in run.tags:
        return _inference_switches(run, library)
    length = run.case.number("seq_len") or run.model.max_context or 0
    return (
        scheme_switches(run.case, library.knowledge)
        | adapter_switches(run.case)
        | {
            "training": 1.0,
            "trains_base": float("full" in run.tags),
            "context": float(
                min(length, throughput.PRETRAINING_CONTEXT) if run.case.category == "train_time" else length
            ),
            "full_checkpointing": float(run.case.run["checkpointing"] == "full"),
        }
    )


def _hardware(case: Case, library: Library) -> Hardware:
    known = library.knowledge.case_gpus.get(case.run["gpu"])
    if known is None:
        raise CannotComputeError(
            f"GPU {case.run['gpu']!r} fora da tabela" if case.run["gpu"] else "a fonte não diz a GPU"
        )
    if known.gpu:
        return hardware_of(library.gpus[known.gpu])
    bandwidth = known.bandwidth_gb_s * GIGA if known.bandwidth_gb_s else None
    return Hardware(known.name, known.memory, bandwidth, None, None, None, None, "desconhecida")


def _pipeline_memory(run: Resolved, library: Library) -> float:
    if run.case.metric == "loaded_pipeline":
        return pipelines.loaded_bytes(run.model, run.case, library.knowledge)
    if run.case.metric == "peak_training":
        raise CannotComputeError("treino de difusão: a tabela não tem as ativações da U-Net nem a fonte diz o lote")
    return pipelines.peak_bytes(run.model, run.case, library.knowledge)


def _pipeline_time(run: Resolved, library: Library) -> float:
    peak = _hardware(run.case, library).peak(16)
    if peak is None:
        raise CannotComputeError("pico da GPU desconhecido")
    return pipelines.seconds_per_batch(run.model, run.case, library.knowledge, peak)


def relative_error(predicted: float, measured: float) -> float:
    """Return the signed error as a fraction of what was measured."""
    return float(np.divide(predicted - measured, measured))
