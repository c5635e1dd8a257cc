"""Predictions for measured inference runs: memory, weights and cache capacity."""

from __future__ import annotations

import re

import numpy as np

from generator.language_model import Architecture
from generator.sizing.cache import sequence_bytes
from generator.sizing.cases import Case
from generator.sizing.knowledge import GIB, Knowledge
from generator.sizing.peak import breakdown, kv_split
from generator.sizing.plan import stack_plans
from generator.sizing.resolve import DTYPE_BYTES, CannotComputeError, profile_switches, scheme_switches
from generator.sizing.shape import stack
from generator.sizing.states import model_states

BLOCK = 16  # tokens of a page in vLLM


def inference_switches(case: Case, knowledge: Knowledge, profile: str, tags: set[str]) -> dict[str, float]:
    """Return the switches of an inference run: what its source declares, over what its profile says."""
    settings = knowledge.settings(profile, tags)
    tokens = (case.number("seq_len") or 0.0) + (case.number("gen_tokens") or 0.0)
    told = {"kv_bytes": DTYPE_BYTES[case.run["kv_dtype"]]} if case.run["kv_dtype"] in DTYPE_BYTES else {}
    sizes = {
        "micro_batch": case.at_least_one("micro_batch"),
        "context": tokens,
        "tp": case.at_least_one("tp"),
        "expert_tp": case.at_least_one("tp"),
        "pp": case.at_least_one("pp"),
    }
    return scheme_switches(case, knowledge) | profile_switches(settings) | sizes | told


def memory_bytes(architecture: Architecture, switches: dict[str, float]) -> float:
    """Bytes per GPU at the peak: weights, cache of all tokens, and what the profile adds."""
    return float(breakdown(stack([architecture]), stack_plans([switches])).total[0])


def weight_bytes(architecture: Architecture, switches: dict[str, float]) -> float:
    """Bytes of the weights on one GPU, or of the file."""
    return float(np.max(model_states(stack([architecture]), stack_plans([switches])).weights))


def cache_bytes(architecture: Architecture, switches: dict[str, float]) -> float:
    """Bytes of the growing (full-attention) cache on one GPU, as llama.cpp prints it."""
    shape, plan = stack([architecture]), stack_plans([switches | {"kv_full_only": 1.0}])
    return float((plan.micro_batch * sequence_bytes(shape, plan) / kv_split(shape, plan))[0])


def cache_tokens(case: Case, architecture: Architecture, switches: dict[str, float]) -> float:
    """Tokens that the published cache budget of one GPU holds, in whole pages.

    Raises:
        CannotComputeError: the source does not publish the budget.
    """
    found = re.search(r"kv_gib=([\d.]+\d)", case.run["notes"])
    if found is None:
        raise CannotComputeError("a fonte não publica o orçamento de memória do cache")
    shape, plan = stack([architecture]), stack_plans([switches | {"context": 1.0}])
    per_token = float((sequence_bytes(shape, plan) / kv_split(shape, plan))[0])
    return float(float(found.group(1)) * GIB // (per_token * BLOCK) * BLOCK)


def cache_budget(
    architecture: Architecture, switches: dict[str, float], settings: dict[str, float], visible: float
) -> float:
    """Bytes that a server leaves for the cache: visible·utilisation − weights − reserve.

    Raises:
        CannotComputeError: no number says which share of the memory the server takes.
    """
    if "utilisation" not in settings:
        raise CannotComputeError("o perfil não diz que parte da memória o servidor toma")
    taken = settings["need_gib"] * GIB
    return visible * settings["utilisation"] - weight_bytes(architecture, switches) - taken
