"""The largest need of one GPU, by phase of a step, with its parts."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from generator.sizing import activations
from generator.sizing.cache import sequence_bytes
from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape
from generator.sizing.states import States, model_states
from generator.sizing.weights import Parts, parameter_parts, stored_parts

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

    forward and loss: W + O + T·(kept + logits) (+ G when accumulating); backward: W + O + T·one layer and the larger of
    T·kept and G, since gradients appear as activations go (both when accumulating); optimizer step: W + G + O +
    temporary. Forward and backward with what sharding gathers. Inference: W + cache.
    """
    states = model_states(shape, plan)
    phases = _phases(shape, plan, states)
    phase = np.argmax(np.stack(np.broadcast_arrays(*(sum(parts, np.zeros(1)) for parts in phases))), axis=0)
    live, gradients, optimizer, kept, logits = (
        np.choose(phase, np.broadcast_arrays(*options)) for options in zip(*phases, strict=True)
    )
    weights = states.weights + live
    repeated = plan.kv_repeated * 4 * shape.q_width * plan.context
    kv = plan.micro_batch * (sequence_bytes(shape, plan) / kv_split(shape, plan) + repeated) * (1 - plan.training)
    parts = (weights, states.adapters, gradients, optimizer, kv, kept, logits)
    inside = sum(parts, np.zeros(1))
    overhead = inside * plan.overhead_ratio + plan.overhead_bytes
    columns = np.broadcast_arrays(*parts, overhead, inside + overhead, phase.astype(np.float64))
    return Breakdown(**dict(zip((f.name for f in fields(Breakdown)), columns, strict=True)))


def _phases(shape: Shape, plan: Plan, states: States) -> list[tuple[Array, ...]]:
    """Gathered weights, gradients, optimizer, activations and logits of each phase."""
    tokens = plan.micro_batch * plan.context * plan.training / plan.cp
    kept = tokens * activations.kept_bytes(shape, plan)
    layer = tokens * activations.recomputed_bytes(shape, plan)
    logits = tokens * activations.logits_bytes(shape, plan) + _prompt_logits(shape, plan)
    blocks, root = _live(shape, plan)
    left = tokens * np.minimum(plan.loss_left, plan.loss_per_logit) * shape.vocab
    gradients = states.gradients
    waiting = gradients * plan.accumulates
    late = np.where(plan.accumulates > 0, gradients, np.maximum(gradients - kept, 0))
    none = np.zeros(1)
    return [
        (root, waiting, states.optimizer, kept, logits),
        (root + blocks, late, states.optimizer, kept + layer, left),
        (none, gradients, states.optimizer + states.temporary, none, none),
    ]


def _prompt_logits(shape: Shape, plan: Plan) -> Array:
    """16-bit logits of the whole prompt, in engines that compute them, or the head dequantised while it runs."""
    logits = plan.prompt_logits * plan.prompt * plan.micro_batch * shape.vocab * 2
    return logits + plan.head_transient * shape.vocab * shape.hidden


def _live(shape: Shape, plan: Plan) -> tuple[Array, Array]:
    """What ZeRO-3 or FSDP gathers, in 16 bits or less: blocks (in use and prefetched) and the root unit of FSDP.

    The loss needs the root (embeddings and head) alone; the backward pass both.
    """
    sharded = np.where((plan.zero_stage >= 3) & (plan.dp > 1), 1.0, 0.0)
    counts, stored = parameter_parts(shape, plan), stored_parts(shape, plan)
    parts = Parts(*(np.where(plan.trains_base > 0, 2 * n, bytes_) for n, bytes_ in zip(counts, stored, strict=True)))
    block = (parts.dense / plan.tp + parts.experts / (plan.ep * plan.expert_tp)) / shape.layers
    root = plan.live_root * (parts.embedding + parts.head) / plan.tp
    stage = plan.live_stage * (plan.pp > 1) * counts.total / (plan.tp * plan.pp)
    experts = plan.expert_transient * counts.experts / np.maximum(shape.moe_layers, 1)
    return sharded * plan.live_blocks * block + experts, sharded * (root + stage)


def kv_split(shape: Shape, plan: Plan) -> Array:
    """Tensor parallelism divides the cache by min(tp, KV heads), pipelines by pp; a latent cache is whole in each."""
    heads = np.minimum(plan.tp, np.maximum(shape.kv_heads, 1))
    return np.where(shape.is_latent > 0, 1.0, heads) * plan.pp
