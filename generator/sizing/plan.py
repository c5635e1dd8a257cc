"""How a model is run: one array per switch, side by side with the `Shape` of the models."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from generator.sizing.shape import Array


def _zero() -> Array:
    return np.array([0.0])


def _one() -> Array:
    return np.array([1.0])


def _two() -> Array:
    return np.array([2.0])


def _four() -> Array:
    return np.array([4.0])


def _sixteen() -> Array:
    return np.array([16.0])


@dataclass(frozen=True, slots=True)
class Plan:
    """Switches of n runs, each an array of length n or 1. Flags are 0 or 1; sizes are in bytes unless named."""

    training: Array = field(default_factory=_zero)
    trains_base: Array = field(default_factory=_zero)  # full fine-tuning and pre-training; 0 trains adapters alone
    bits: Array = field(default_factory=_sixteen)  # per weight of the parts in `scope_*`
    scope_linears: Array = field(default_factory=_one)  # 0: experts alone
    scope_all: Array = field(default_factory=_zero)  # embeddings, head and vectors too
    other_weight_bytes: Array = field(default_factory=_two)  # of what the scheme leaves alone
    lora_rank: Array = field(default_factory=_zero)
    lora_q: Array = field(default_factory=_zero)
    lora_k: Array = field(default_factory=_zero)
    lora_v: Array = field(default_factory=_zero)
    lora_o: Array = field(default_factory=_zero)
    lora_mlp: Array = field(default_factory=_zero)
    lora_head: Array = field(default_factory=_zero)
    state_weight: Array = field(default_factory=_two)  # bytes per trainable parameter
    state_gradient: Array = field(default_factory=_two)
    state_optimizer: Array = field(default_factory=_four)
    state_temporary: Array = field(default_factory=_zero)
    micro_batch: Array = field(default_factory=_one)  # sequences per GPU, or requests at the same time
    context: Array = field(default_factory=_one)  # training length, or prompt and generated tokens together
    full_checkpointing: Array = field(default_factory=_zero)
    selective_checkpointing: Array = field(default_factory=_zero)
    residual_bytes: Array = field(default_factory=_two)  # per hidden value kept between checkpointed layers
    loss_per_logit: Array = field(default_factory=_zero)
    loss_per_hidden: Array = field(default_factory=_zero)
    loss_split: Array = field(default_factory=_zero)  # vocabulary-parallel
    accumulates: Array = field(default_factory=_zero)
    kv_bytes: Array = field(default_factory=_two)
    kv_uniform: Array = field(default_factory=_zero)  # engine that gives every layer the full context
    zero_stage: Array = field(default_factory=_zero)
    dp: Array = field(default_factory=_one)
    tp: Array = field(default_factory=_one)
    overhead_bytes: Array = field(default_factory=_zero)
    overhead_ratio: Array = field(default_factory=_zero)  # of everything else
    nccl_bytes: Array = field(default_factory=_zero)  # on top of the overhead where several GPUs work together

    def replace(self, **columns: Array) -> Plan:
        """Return the plan with other values for some switches."""
        return replace(self, **columns)

    def take(self, index: NDArray[np.intp]) -> Plan:
        """Return the runs at `index`, repeated and ordered as it says; switches of length 1 stay so."""
        columns = {f.name: getattr(self, f.name) for f in fields(Plan)}
        return Plan(**{name: values if len(values) == 1 else values[index] for name, values in columns.items()})


def stack_plans(rows: Sequence[Mapping[str, float]]) -> Plan:
    """Return the runs as arrays; a switch that a row leaves out has its default there.

    Raises:
        KeyError: a row names an unknown switch.
    """
    names = {f.name for f in fields(Plan)}
    used = {name for row in rows for name in row}
    if unknown := used - names:
        raise KeyError(f"unknown switches: {', '.join(sorted(unknown))}")
    default = Plan()
    columns = {name: [row.get(name, getattr(default, name)[0]) for row in rows] for name in used}
    return Plan(**{name: np.array(values, dtype=np.float64) for name, values in columns.items()})
