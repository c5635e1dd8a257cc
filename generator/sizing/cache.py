"""Bytes of the key-value cache and of the constant state of linear attention."""

from __future__ import annotations

import numpy as np

from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape


def values_per_token_and_layer(shape: Shape) -> Array:
    """Cached values of one token in one ordinary layer: 2·k·d, or rkv+dr for latent attention (DeepSeek-V2, 2024).

    Never hidden/heads for d, and never the query heads for k.
    """
    return np.where(shape.is_latent > 0, shape.kv_lora_rank + shape.qk_rope_head_dim, 2 * shape.kv_width)


def values_per_token_and_global_layer(shape: Shape) -> Array:
    """Cached values of one token in a full-attention layer, where these have their own head dimension.

    Keys that serve as values are still cached twice, as vLLM and Transformers do.
    """
    own = 2 * shape.global_kv_heads * shape.global_head_dim
    return np.where(shape.global_head_dim > 0, own, values_per_token_and_layer(shape))


def sequence_bytes(shape: Shape, plan: Plan) -> Array:
    """Cache of one sequence of `plan.context` tokens.

    Aware engines: values·bytes·(L_full·context + L_local·min(context, window)). Engines with uniform pages pay the full
    context and the largest page in every layer (older vLLM). Engines that expand a latent cache keep a·(dn+dr+dv).
    """
    expanded = shape.heads * (shape.qk_nope_head_dim + shape.qk_rope_head_dim + shape.v_head_dim)
    ordinary = np.where(plan.kv_expands_latent * shape.is_latent > 0, expanded, values_per_token_and_layer(shape))
    full = np.where(shape.global_head_dim > 0, values_per_token_and_global_layer(shape), ordinary)
    window = np.where(shape.sliding_window > 0, np.minimum(plan.context, shape.sliding_window), plan.context)
    full_layers = shape.attention_layers - shape.local_layers
    local = shape.local_layers * ordinary * window * (1 - plan.kv_full_only)
    aware = full_layers * full * plan.context + local
    uniform = shape.attention_layers * np.maximum(ordinary, full) * plan.context
    return np.where(plan.kv_uniform > 0, uniform, aware) * plan.kv_bytes + linear_state_bytes(shape)


def linear_state_bytes(shape: Shape) -> Array:
    """Constant state of gated linear attention per sequence: n·dk·dv in FP32 and c−1 steps of convolution in BF16."""
    state = shape.linear_value_heads * shape.linear_key_dim * shape.linear_value_dim * 4
    channels = 2 * shape.linear_key_heads * shape.linear_key_dim + shape.linear_value_heads * shape.linear_value_dim
    return shape.linear_layers * (state + channels * np.maximum(shape.linear_conv - 1, 0) * 2)
