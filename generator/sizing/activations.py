"""Bytes per token that training keeps for the backward pass, and of the logits and loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from generator.sizing.plan import Plan
    from generator.sizing.shape import Array, Shape


def mlp_width(shape: Shape) -> Array:
    """MLP width one token passes in a typical layer: dense, or active experts and shared ones."""
    moe = shape.experts_active * shape.moe_intermediate + shape.shared_experts * shape.shared_intermediate
    return np.where(shape.moe_layers > 0, moe + shape.dense_beside_experts * shape.intermediate, shape.intermediate)


def full_layer(shape: Shape) -> Array:
    """One layer of full fine-tuning without checkpointing, eager norms and flash attention, per token.

    6h·norms + 2(2q+2v) + 4a + 8f gated (6f plain): inputs of norms in FP32 copies, attention projections, log-sum-exp,
    MLP products. Without flash attention 5·a·s would come on top (Korthikanti et al., 2022).
    """
    q, v, f = shape.q_width, shape.kv_width, mlp_width(shape)
    return 6 * shape.hidden * shape.norms_per_layer + 2 * (2 * q + 2 * v) + 4 * shape.heads + (6 + 2 * shape.gated) * f


def frozen_layer(shape: Shape, plan: Plan) -> Array:
    """One layer over a frozen base, per token: weights need no input saved, adapters do (h, q or f wide).

    4h·norms + 2(q+2v) + 2(q+v) + 2q + 4a + 6f and the inputs of the adapted matrices.
    """
    h, q, v, f = shape.hidden, shape.q_width, shape.kv_width, mlp_width(shape)
    base = 4 * h * shape.norms_per_layer + 2 * (q + 2 * v) + 2 * (q + v) + 2 * q + 4 * shape.heads + 6 * f
    attention_input = np.minimum(plan.lora_q + plan.lora_k + plan.lora_v, 1) * 3 * h
    return base + attention_input + plan.lora_o * 3 * q + plan.lora_mlp * 3 * (h + f)


def selective_layer(shape: Shape) -> Array:
    """One layer that saves every other matrix product: 2h + 2(q+v) + 2f + 2q."""
    q, v = shape.q_width, shape.kv_width
    return 2 * shape.hidden + 2 * (q + v) + 2 * mlp_width(shape) + 2 * q


def layer_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of one whole layer, kept or recomputed."""
    return np.where(plan.trains_base > 0, full_layer(shape), frozen_layer(shape, plan))


def kept_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token kept by all layers between forward and backward: the residual alone under full checkpointing."""
    per_layer = np.where(plan.selective_checkpointing > 0, selective_layer(shape), layer_bytes(shape, plan))
    per_layer = np.where(plan.full_checkpointing > 0, plan.residual_bytes * shape.hidden, per_layer)
    return per_layer * shape.layers


def recomputed_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of the one layer that a checkpointed backward pass rebuilds."""
    recomputes = np.maximum(plan.full_checkpointing, plan.selective_checkpointing)
    return recomputes * layer_bytes(shape, plan)


def logits_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of logits, loss and their gradient: V·(bytes of the loss kind) + h·(its own)."""
    split = np.where(plan.loss_split > 0, plan.tp, 1)
    return (shape.vocab * plan.loss_per_logit + shape.hidden * plan.loss_per_hidden) / split
