"""From a measured run, as its source describes it, to a profile and the switches of a `Plan`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.language_model import Architecture, LanguageModel
from generator.sizing.cases import Case, plain
from generator.sizing.knowledge import GIB, Knowledge
from generator.sizing.plan import SWITCHES
from generator.sizing.rows import Scheme

DTYPE_BYTES = {"fp32": 4.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0}


class CannotComputeError(Exception):
    """Why a row cannot be computed, as a fact about the row, in Portuguese."""


def model_of(case: Case, models: Mapping[str, LanguageModel], knowledge: Knowledge) -> LanguageModel:
    """Return the model of a run.

    Raises:
        CannotComputeError: the table has no such model.
    """
    name = case.run["model_id"]
    for rule in knowledge.case_models:
        if rule.model == name and re.search(rule.pattern, case.run["source_title"]):
            name = rule.use_model
    if name not in models:
        raise CannotComputeError(f"modelo {name!r} fora da tabela de modelos")
    return models[name]


def architecture_of(model: LanguageModel) -> Architecture:
    """Return the architecture of a model.

    Raises:
        CannotComputeError: the table knows the parts of the model and not its layers.
    """
    if model.architecture is None:
        raise CannotComputeError(f"o modelo {model.id!r} está na tabela só por componentes")
    return model.architecture


def tags_of(case: Case, architecture: Architecture | None, knowledge: Knowledge) -> set[str]:
    """Return the facts of a run that conditions of the tables may name."""
    run = case.run
    told = {tag.tag for tag in knowledge.tags if re.search(plain(tag.pattern), run[tag.field])}
    facts = {
        "training": run["method"] in {"full", "lora", "qlora"},
        "inference": run["method"] in {"inference", ""},
        "full": run["method"] == "full",
        "adapters": run["method"] in {"lora", "qlora"},
        "quantised": bool(run["quant_scheme"]),
        "fp8": run["quant_scheme"].startswith("fp8"),
        "nvfp4": run["quant_scheme"] == "nvfp4",
        "awq": run["quant_scheme"].startswith("awq"),
        "nf4": run["quant_scheme"].startswith("nf4"),
        "int8": run["quant_scheme"].startswith("int8"),
        "mixed-heads": architecture is not None and architecture.global_head_dim > 0,
        "sharded": case.number("zero_stage") == 3,
        "one-gpu": case.at_least_one("n_gpus") == 1,
        "tensor-parallel": case.at_least_one("tp") > 1,
        "wide-tensor-parallel": case.at_least_one("tp") >= 4,
        "pipeline": case.at_least_one("pp") > 1,
        "lora": run["method"] == "lora",
        "qlora": run["method"] == "qlora",
        "compiled": run["compiled"] == "sim",
        "fp8-compute": run["weight_dtype"] in {"fp8", "mxfp8"} or "FP8" in run["notes"],
        "16-bit": not run["quant_scheme"],
        "wide-context-parallel": case.at_least_one("cp") >= 4,
        "learned-positions": architecture is not None and architecture.learned_positions > 0,
        "moe": architecture is not None and architecture.experts > 0,
    }
    return told | {name for name, holds in facts.items() if holds}


def profile_of(case: Case, tags: set[str], knowledge: Knowledge) -> str:
    """Return the profile that the framework of a run maps to (`data/sizing/frameworks.csv`).

    Raises:
        CannotComputeError: the source names no framework, or one without a profile.
    """
    name = case.run["framework"]
    for rule in knowledge.frameworks:
        if plain(rule.framework) == name and tags.issuperset(rule.when):
            return rule.profile
    raise CannotComputeError(f"framework {name!r} sem perfil" if name else "a fonte não diz o framework")


def with_profile(tags: set[str], profile: str, knowledge: Knowledge) -> set[str]:
    """Return the tags and the names of the profile and its ancestors."""
    return tags | {f"profile:{name}" for name in knowledge.ancestry(profile)}


def scheme_switches(case: Case, knowledge: Knowledge) -> dict[str, float]:
    """Return how the weights of a run are stored.

    Raises:
        CannotComputeError: the table has no such scheme or precision.
    """
    name = case.run["quant_scheme"] or _precision(case.run["weight_dtype"])
    if name not in knowledge.schemes:
        raise CannotComputeError(f"esquema de pesos {name!r} fora da tabela")
    return stored_as(knowledge.schemes[name])


def stored_as(scheme: Scheme) -> dict[str, float]:
    """Return the switches of a scheme."""
    mixed = {
        "down_bits": scheme.down_bits,
        "out_bits": scheme.out_bits,
        "value_bits": scheme.value_bits,
        "head_bits": scheme.head_bits,
    }
    return {
        "bits": scheme.bits,
        "scope_linears": float(scheme.scope != "experts"),
        "scope_all": float(scheme.scope in {"all", "file"}),
    } | {name: bits for name, bits in mixed.items() if bits is not None}


def _precision(text: str) -> str:
    """The first precision that a description of weights names; 16 bits when it names none."""
    found = re.search(r"fp32|mxfp8|fp8|int8", text)
    return found.group() if found else "bf16"


def profile_switches(settings: Mapping[str, float]) -> dict[str, float]:
    """Return the switches that a profile sets, with its overhead in bytes."""
    switches = {key: value for key, value in settings.items() if key in SWITCHES}
    return switches | {"overhead_bytes": settings.get("overhead_gib", 0.0) * GIB}
