"""What a person may change in a method, by name, as switches of a `Plan`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from generator.language_model import LanguageModel
from generator.problems import did_you_mean
from generator.sizing.knowledge import Knowledge
from generator.sizing.rows import Method

KV_BYTES = {"bf16": 2.0, "fp8": 1.0, "int8": 1.0}
CACHE_POLICIES = {"ciente": 0.0, "uniforme": 1.0}  # discounts windows; every layer pays the full context
CHECKPOINTING = {
    "nenhum": {"full_checkpointing": 0.0, "selective_checkpointing": 0.0},
    "seletivo": {"full_checkpointing": 0.0, "selective_checkpointing": 1.0},
    "completo": {"full_checkpointing": 1.0, "selective_checkpointing": 0.0},
}
OFFLOADS = {
    "otimizador": {"state_optimizer": 0.0, "state_temporary": 0.0},
    "ativações": {"activations_offloaded": 1.0},
    "pesos": {"weights_offloaded": 1.0},
}


class UnknownNameError(ValueError):
    """A name that is in no list; the message says what was meant."""


def chosen(name: str, valid: Collection[str], what: str) -> str:
    """Return the name when it is one of the valid ones.

    Raises:
        UnknownNameError: with the nearest name, or all of them.
    """
    if name not in valid:
        raise UnknownNameError(f"{what} «{name}» não existe; {did_you_mean(name, valid)}")
    return name


def model_named(name: str, models: Mapping[str, LanguageModel]) -> LanguageModel:
    """Return a model by its id; raises `UnknownNameError` with the near ones."""
    return models[chosen(name, models, "modelo")]


def method_named(name: str, knowledge: Knowledge) -> Method:
    """Return a method by its id; raises `UnknownNameError` with the near ones."""
    return knowledge.methods[chosen(name, knowledge.methods, "método")]


def profile_named(name: str, task: str, knowledge: Knowledge) -> str:
    """Return the id of a profile of a task, or nothing for the default; raises `UnknownNameError` with near ones."""
    of_task = [profile.id for profile in knowledge.profiles.values() if profile.task == task]
    what = {"training": "perfil de treino", "inference": "perfil de inferência"}[task]
    return chosen(name, of_task, what) if name else ""


def state_switches(name: str, knowledge: Knowledge) -> dict[str, float]:
    """Return the bytes per parameter of a state policy; raises `UnknownNameError`."""
    policy = knowledge.states[chosen(name, knowledge.states, "política de estados")]
    return {
        "state_weight": policy.weights,
        "state_gradient": policy.gradients,
        "state_optimizer": policy.optimizer,
        "state_temporary": policy.temporary,
    }


def loss_switches(name: str, knowledge: Knowledge) -> dict[str, float]:
    """Return the bytes of a loss kind; raises `UnknownNameError`."""
    losses = {loss.id: loss for loss in knowledge.losses}
    loss = losses[chosen(name, losses, "perda")]
    return {"loss_per_logit": loss.per_logit, "loss_per_hidden": loss.per_hidden, "loss_split": loss.split_by_tp}


def cache_switches(precision: str = "bf16", policy: str = "ciente") -> dict[str, float]:
    """Return the precision and the policy of the key-value cache; raises `UnknownNameError`."""
    return {
        "kv_bytes": KV_BYTES[chosen(precision, KV_BYTES, "precisão do cache")],
        "kv_uniform": CACHE_POLICIES[chosen(policy, CACHE_POLICIES, "política de cache")],
    }


def checkpointing_switches(name: str) -> dict[str, float]:
    """Return which activations are kept; raises `UnknownNameError`."""
    return dict(CHECKPOINTING[chosen(name, CHECKPOINTING, "checkpointing")])


def offload_switches(names: Iterable[str]) -> dict[str, float]:
    """Return what leaves the GPU for the memory of the host; raises `UnknownNameError`."""
    switches: dict[str, float] = {}
    for name in names:
        switches |= OFFLOADS[chosen(name, OFFLOADS, "offload")]
    return switches
