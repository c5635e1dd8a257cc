"""Bytes per token that training keeps for the backward pass, and of the logits and loss.

Derived from what each operation saves: a norm saves its input, a trained matrix its input, flash attention q, k, v, the
output and a log-sum-exp, a gated MLP three products, an adapter its (possibly dropped out) input. The switches of
`Plan` say in which precision, and what compiled or fused code spares. Korthikanti et al. (2022) is the same count for
Megatron-LM.
"""

from __future__ import annotations

import numpy as np

from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape

SOFTCAP_SCORE_BYTES = 8  # bounded score in 16 bits, softmax in 32, its 16-bit copy: no flash attention for it


def mlp_width(shape: Shape) -> Array:
    """MLP width one token passes in a typical layer: dense, or active experts and shared ones."""
    moe = shape.experts_active * shape.moe_intermediate + shape.shared_experts * shape.shared_intermediate
    return np.where(shape.moe_layers > 0, moe + shape.dense_beside_experts * shape.intermediate, shape.intermediate)


def _hidden_part(shape: Shape, plan: Plan) -> Array:
    """What norms and the matrices behind them keep, all hidden wide: only sequence parallelism divides it."""
    norm = np.where(shape.layer_norm > 0, 2, plan.norm_bytes)
    trained_inputs = 2 * 2 * plan.trains_base
    kept = norm * shape.norms_per_layer + plan.residual_kept + trained_inputs + 2 * plan.dropout
    return np.asarray(kept * shape.hidden)


def _split_part(shape: Shape, plan: Plan) -> Array:
    """What attention, MLP, adapters and quantised matrices keep: tensor parallelism divides it."""
    q, v, f = shape.q_width, shape.kv_width, mlp_width(shape)
    keys = np.where(plan.kv_expanded > 0, q, v)
    scores = shape.heads * plan.context * np.maximum(SOFTCAP_SCORE_BYTES * shape.softcap, plan.score_bytes)
    attention = 2 * (q + 2 * keys) + 2 * q + 4 * shape.heads + scores
    kept = np.where(shape.gated > 0, plan.mlp_tensors, 1) + plan.trains_base
    frozen = plan.frozen_input_bytes * (2 * shape.hidden + q + f) * (1 - plan.trains_base)
    whole: Array = attention + 2 * kept * f + frozen + _adapter_part(shape, plan) * (1 - plan.trains_base)
    return whole


def _adapter_part(shape: Shape, plan: Plan) -> Array:
    h, q, v, f = shape.hidden, shape.q_width, shape.kv_width, mlp_width(shape)
    projections = plan.lora_q + plan.lora_k + plan.lora_v
    inputs = np.where(plan.lora_shared_input > 0, np.minimum(projections, 1), projections) * h
    mlp_inputs = np.where(plan.lora_shared_input > 0, 1, 1 + shape.gated) * h
    outer = plan.lora_input_bytes * (inputs + plan.lora_mlp * mlp_inputs)
    inner = plan.lora_inner_bytes * (plan.lora_o * q + plan.lora_mlp * f)
    return outer + inner + plan.lora_padded * np.minimum(projections, 1) * 2 * (q + 2 * v)


def layer_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of one whole layer on one GPU, kept or recomputed."""
    hidden = _hidden_part(shape, plan) / np.where(plan.sequence_parallel > 0, plan.tp, 1)
    return plan.layer_scale * (hidden + _split_part(shape, plan) / plan.tp)


def selective_layer(shape: Shape, plan: Plan) -> Array:
    """One layer that saves every other matrix product: its input, q, v, the first MLP matrix, its output, attention.

    4h + 2(q+v) + 2f + 2q, as torchtitan counts matrix products in a layer.
    """
    q, v = shape.q_width, shape.kv_width
    hidden = 4 * shape.hidden / np.where(plan.sequence_parallel > 0, plan.tp, 1)
    return hidden + (2 * (q + v) + 2 * mlp_width(shape) + 2 * q) / plan.tp


def residual_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of the input of one checkpointed layer."""
    return plan.residual_bytes * shape.hidden / np.where(plan.sequence_parallel > 0, plan.tp, 1)


def kept_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token kept by the layers of one GPU between forward and backward.

    Pipelines keep several micro-batches: pp − rank of them under 1F1B (one on the last stage), and (v−1)·pp + 1 chunks
    on the last stage when interleaved in v chunks. Offloading leaves two layers on the GPU.
    """
    per_layer = np.where(plan.selective_checkpointing > 0, selective_layer(shape, plan), layer_bytes(shape, plan))
    per_layer = np.where(plan.full_checkpointing > 0, residual_bytes(shape, plan), per_layer)
    stage = shape.layers / plan.pp
    chunk = stage / plan.chunks_per_stage
    in_flight = np.where(plan.chunks_per_stage > 1, ((plan.chunks_per_stage - 1) * plan.pp + 1) * chunk, stage)
    in_flight = np.where((plan.last_stage > 0) | (plan.chunks_per_stage > 1), in_flight, shape.layers)
    return per_layer * np.where(plan.activations_offloaded > 0, np.minimum(in_flight, 2), in_flight)


def recomputed_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of what a checkpointed backward pass rebuilds and holds: one layer and stray residuals."""
    recomputes = np.maximum(plan.full_checkpointing, plan.selective_checkpointing)
    return recomputes * layer_bytes(shape, plan) + plan.backward_residual * shape.hidden * shape.layers / plan.pp


def logits_bytes(shape: Shape, plan: Plan) -> Array:
    """Bytes per token of logits, loss and their gradient: V·(bytes of the loss kind) + h·(its own)."""
    split = np.where(plan.loss_split > 0, plan.tp, 1)
    return shape.vocab * plan.loss_per_logit / split + shape.hidden * plan.loss_per_hidden
