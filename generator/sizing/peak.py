"""The largest need of one GPU, by phase of a step, with its parts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from generator.sizing import activations, parameters
from generator.sizing.cache import sequence_bytes
from generator.sizing.states import States, model_states

if TYPE_CHECKING:
    from generator.sizing.plan import Plan
    from generator.sizing.shape import Array, Shape

PHASES = ("forward", "backward", "step")


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Parts of the peak of n runs, in bytes per GPU; they add up to `total`."""

    weights: Array
    adapters: Array
    gradients: Array
    optimizer: Array
    kv: Array
    activations: Array
    logits: Array
    overhead: Array
    total: Array
    phase: Array  # index in PHASES of the largest phase


def breakdown(shape: Shape, plan: Plan) -> Breakdown:
    """Return the parts at the largest of three phases.

    forward and loss: W + O + T·(kept + logits) (+ G when accumulating); backward: W + O + G + T·(kept + one layer);
    optimizer step: W + G + O + temporary. Each with the gathered blocks of ZeRO-3. Inference: W + cache.
    """
    states = model_states(shape, plan)
    phases = _phases(shape, plan, states)
    phase = np.argmax(np.stack([sum(parts, np.zeros(1)) for parts in phases]), axis=0)
    picked = [np.choose(phase, list(options)) for options in zip(*phases, strict=True)]
    gradients, optimizer, kept, logits = picked
    weights = states.weights + _live_blocks(shape, plan)
    kv = np.where(plan.training > 0, 0.0, plan.micro_batch * sequence_bytes(shape, plan) / _kv_split(shape, plan))
    inside = weights + states.adapters + gradients + optimizer + kv + kept + logits
    overhead = inside * plan.overhead_ratio + plan.overhead_bytes
    parts = (weights, states.adapters, gradients, optimizer, kv, kept, logits, overhead, inside + overhead)
    size = np.broadcast_shapes(*(part.shape for part in parts))
    columns = [np.broadcast_to(part, size) for part in (*parts, phase.astype(np.float64))]
    return Breakdown(**dict(zip((f.name for f in fields(Breakdown)), columns, strict=True)))


def _phases(shape: Shape, plan: Plan, states: States) -> list[tuple[Array, Array, Array, Array]]:
    """Gradients, optimizer, activations and logits of each phase."""
    tokens = plan.micro_batch * plan.context * plan.training
    kept = tokens * activations.kept_bytes(shape, plan) / plan.tp
    layer = tokens * activations.recomputed_bytes(shape, plan) / plan.tp
    logits = tokens * activations.logits_bytes(shape, plan)
    none = np.zeros_like(kept)
    waiting = states.gradients * plan.accumulates
    return [
        (waiting + none, states.optimizer + none, kept, logits),
        (states.gradients + none, states.optimizer + none, kept + layer, none),
        (states.gradients + none, states.optimizer + states.temporary + none, none, none),
    ]


def _live_blocks(shape: Shape, plan: Plan) -> Array:
    """Two gathered blocks under ZeRO-3 or FSDP (the one in use and the one prefetched), in their stored size."""
    states = np.where(plan.zero_stage >= 3, 1.0, 0.0) * (plan.dp > 1)
    linears = parameters.quantisable_linears(shape) / shape.layers
    return states * 2 * linears * np.minimum(plan.bits / 8, 2) / plan.tp


def _kv_split(shape: Shape, plan: Plan) -> Array:
    """Tensor parallelism divides the cache by min(tp, KV heads); a latent cache is whole on every GPU."""
    return np.where(shape.is_latent > 0, 1.0, np.minimum(plan.tp, shape.kv_heads))
