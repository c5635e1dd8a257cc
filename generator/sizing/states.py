"""Bytes of weights, gradients and optimizer per GPU, after sharding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape
from generator.sizing.weights import Parts, adapter_parameters, parameter_parts, stored_parts


@dataclass(frozen=True, slots=True)
class States:
    """Model states of n runs in bytes per GPU."""

    weights: Array
    adapters: Array
    gradients: Array
    optimizer: Array
    temporary: Array  # only during the optimizer step


def model_states(shape: Shape, plan: Plan) -> States:
    """Return the states, divided as ZeRO does (Rajbhandari et al., 2020, section 5) and as Megatron-LM does.

    Stage 1 divides the optimizer by dp, stage 2 also the gradients, stage 3 (and FSDP) also the weights. Tensor
    parallelism divides matrices by tp, pipelines give each GPU the layers of its stage, expert parallelism divides
    experts by ep·etp and leaves them a data-parallel width of dp·tp/(ep·etp).
    """
    full = plan.trains_base * plan.training
    counts = parameter_parts(shape, plan)
    adapters = adapter_parameters(shape, plan) * plan.training * (1 - plan.trains_base)
    stored = stored_parts(shape, plan)
    weights = np.where(
        full > 0,
        _held(counts, plan, 3) * plan.state_weight,
        _held(stored, plan, 3) * (1 - plan.weights_offloaded),
    )
    held_adapters = [adapters / plan.pp / np.where(plan.zero_stage >= stage, plan.dp, 1) for stage in (1, 2, 3)]
    trainable = [np.where(full > 0, _held(counts, plan, stage), held_adapters[stage - 1]) for stage in (1, 2, 3)]
    return States(
        weights=weights,
        adapters=held_adapters[2] * plan.state_weight,
        gradients=trainable[1] * plan.state_gradient * plan.training,
        optimizer=trainable[0] * plan.state_optimizer * plan.training,
        temporary=trainable[0] * plan.state_temporary * plan.training,
    )


def _held(parts: Parts, plan: Plan, stage: int) -> Array:
    """What one GPU holds of the parts when ZeRO divides from `stage` on."""
    sharded = plan.zero_stage >= stage
    dense = np.where(sharded, plan.dp, 1) * plan.tp
    experts = plan.ep * plan.expert_tp
    width = np.where(sharded, np.maximum(plan.dp * plan.tp / experts, 1), 1)
    layers = (parts.dense / dense + parts.vectors / (dense / plan.tp) + parts.experts / (experts * width)) / plan.pp
    return layers + np.where(plan.edges_whole > 0, parts.embedding + parts.head, _edges(parts, plan) / dense)


def _edges(parts: Parts, plan: Plan) -> Array:
    """Embedding and head: both on one stage, or the one of the first and the other of the last."""
    last = np.where(parts.head > 0, parts.head, parts.embedding)
    split = np.where(plan.last_stage > 0, last, np.maximum(last, parts.embedding))
    return np.where(plan.pp > 1, split, parts.embedding + parts.head)
