"""Bytes of weights, gradients and optimizer per GPU, after sharding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from generator.sizing import parameters
from generator.sizing.weights import adapter_parameters, stored_bytes

if TYPE_CHECKING:
    from generator.sizing.plan import Plan
    from generator.sizing.shape import Array, Shape


@dataclass(frozen=True, slots=True)
class States:
    """Model states of n runs in bytes per GPU."""

    weights: Array
    adapters: Array
    gradients: Array
    optimizer: Array
    temporary: Array  # only during the optimizer step


def model_states(shape: Shape, plan: Plan) -> States:
    """Return the states, divided as ZeRO does (Rajbhandari et al., 2020, section 5).

    Stage 1 divides the optimizer by dp, stage 2 also the gradients, stage 3 (and FSDP) also the weights. Tensor
    parallelism divides everything by tp.
    """
    trainable = np.where(plan.trains_base > 0, parameters.total(shape), adapter_parameters(shape, plan)) * plan.training
    base = np.where(plan.trains_base * plan.training > 0, trainable * plan.state_weight, stored_bytes(shape, plan))
    adapters = np.where(plan.trains_base > 0, 0.0, trainable * plan.state_weight)
    by_stage = [np.where(plan.zero_stage >= stage, plan.dp, 1) * plan.tp for stage in (1, 2, 3)]
    return States(
        weights=base / by_stage[2],
        adapters=adapters / by_stage[2],
        gradients=trainable * plan.state_gradient / by_stage[1],
        optimizer=trainable * plan.state_optimizer / by_stage[0],
        temporary=trainable * plan.state_temporary / by_stage[0],
    )
