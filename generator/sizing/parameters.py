"""How many parameters a model has, part by part, from its dimensions alone.

Symbols: h hidden, q = a·d and v = k·d the query and key widths, f MLP width, E experts of width m, V vocabulary.
Each function returns counts for all layers of the kind it names. Checked against the classes of the transformers
library built without weights (`count_check` in `data/models.csv`).
"""

from __future__ import annotations

import numpy as np

from generator.sizing.shape import Array, Shape


def attention_linears(shape: Shape) -> Array:
    """Attention matrices of all softmax layers: h·q + 2·h·v + q·h; latent attention by its ranks."""
    plain = shape.hidden * shape.q_width * (2 + shape.output_gate) + 2 * shape.hidden * shape.kv_width
    per_layer = np.where(shape.is_latent > 0, _latent_linears(shape), plain)
    global_layers = np.where(shape.global_head_dim > 0, shape.full_attention_layers, 0.0)
    indexer = shape.q_lora_rank * shape.indexer_heads * shape.indexer_dim + shape.hidden * (
        shape.indexer_dim + shape.indexer_heads
    )
    ordinary = (shape.attention_layers - global_layers) * per_layer
    return ordinary + global_layers * _global_linears(shape) + shape.attention_layers * indexer


def _latent_linears(shape: Shape) -> Array:
    """MLA: h·rq + rq·a·(dn+dr) + h·(rkv+dr) + rkv·a·(dn+dv) + a·dv·h, or h·a·(dn+dr) without query compression."""
    query_width = shape.heads * (shape.qk_nope_head_dim + shape.qk_rope_head_dim)
    query = np.where(
        shape.q_lora_rank > 0, shape.q_lora_rank * (shape.hidden + query_width), shape.hidden * query_width
    )
    down = shape.hidden * (shape.kv_lora_rank + shape.qk_rope_head_dim)
    up = shape.kv_lora_rank * shape.heads * (shape.qk_nope_head_dim + shape.v_head_dim)
    return query + down + up + shape.heads * shape.v_head_dim * shape.hidden


def _global_linears(shape: Shape) -> Array:
    """Full-attention layers with their own head dimension; no value projection where keys serve as values."""
    query = shape.heads * shape.global_head_dim
    keys = shape.global_kv_heads * shape.global_head_dim * (2 - shape.k_eq_v)
    return shape.hidden * (2 * query + keys)


def linear_attention_linears(shape: Shape) -> Array:
    """Gated DeltaNet matrices: h·(2K+2W) + 2·h·n + W·h, with K and W the key and value widths and n value heads."""
    keys, values = _linear_widths(shape)
    per_layer = shape.hidden * (2 * keys + 2 * values + 2 * shape.linear_value_heads) + values * shape.hidden
    return shape.linear_layers * per_layer


def _linear_widths(shape: Shape) -> tuple[Array, Array]:
    return shape.linear_key_heads * shape.linear_key_dim, shape.linear_value_heads * shape.linear_value_dim


def expert_linears(shape: Shape) -> Array:
    """Matrices of the routed experts: E·3·h·m in each layer that has them (2 where not gated)."""
    return shape.moe_layers * shape.experts * shape.mlp_matrices * shape.hidden * shape.moe_intermediate


def dense_linears(shape: Shape) -> Array:
    """MLP matrices that every token passes: dense layers and shared experts."""
    shared = shape.moe_layers * shape.shared_experts * shape.shared_intermediate
    return shape.mlp_matrices * shape.hidden * (shape.dense_layers * shape.intermediate + shared)


def quantisable_linears(shape: Shape) -> Array:
    """All linear matrices of the layers; embeddings, head, router and vectors stay in 16 bits."""
    return attention_linears(shape) + linear_attention_linears(shape) + dense_linears(shape) + expert_linears(shape)


def router(shape: Shape) -> Array:
    """Router h·E per layer, with its correction vector, scales or shared-expert gate where the model has them."""
    scales = shape.router_scale * (shape.hidden + shape.experts)
    per_layer = shape.hidden * shape.experts + shape.router_bias * shape.experts + scales
    return shape.moe_layers * (per_layer + shape.shared_gate * shape.hidden)


def norms(shape: Shape) -> Array:
    """Norm scales (and biases) of the layers, of queries and keys, of latents, of linear attention, and the last."""
    vectors = 1 + shape.norm_bias
    per_layer = shape.norms_per_layer * shape.hidden * vectors
    return (
        shape.layers * per_layer + shape.hidden * vectors + _attention_norms(shape) + _linear_attention_vectors(shape)
    )


def _attention_norms(shape: Shape) -> Array:
    heads = shape.qk_norm_per_head * 2 * shape.head_dim + shape.qk_norm_full * (shape.q_width + shape.kv_width)
    latent = shape.is_latent * (shape.q_lora_rank + shape.kv_lora_rank)
    global_layers = np.where(shape.global_head_dim > 0, shape.full_attention_layers, 0.0)
    extra = global_layers * shape.qk_norm_per_head * 2 * (shape.global_head_dim - shape.head_dim)
    return shape.attention_layers * (heads + latent + 2 * shape.indexer_dim) + extra


def _linear_attention_vectors(shape: Shape) -> Array:
    """Gated DeltaNet: convolution (2K+W)·c, decay and step 2·n, output norm dv."""
    keys, values = _linear_widths(shape)
    convolution = (2 * keys + values) * shape.linear_conv
    return shape.linear_layers * (convolution + 2 * shape.linear_value_heads + shape.linear_value_dim)


def biases(shape: Shape) -> Array:
    """Biases of projections, MLPs and experts, and attention sinks."""
    attention = shape.qkv_bias * (shape.q_width + 2 * shape.kv_width) + shape.output_bias * shape.hidden
    mlp = shape.mlp_bias * (shape.intermediate + shape.hidden)
    experts = shape.expert_bias * shape.experts * (2 * shape.moe_intermediate + shape.hidden)
    sinks = shape.sinks * shape.heads
    return shape.attention_layers * (attention + sinks) + shape.dense_layers * mlp + shape.moe_layers * experts


def embedding(shape: Shape) -> Array:
    """Token embedding V·h and learned positions."""
    return (shape.vocab + shape.learned_positions) * shape.hidden


def lm_head(shape: Shape) -> Array:
    """Output head: V·h (and a bias) unless it is the embedding itself."""
    return (1 - shape.tied_embeddings) * shape.vocab * shape.hidden + shape.lm_head_bias * shape.vocab


def total(shape: Shape) -> Array:
    """All parameters."""
    rest = router(shape) + norms(shape) + biases(shape)
    return quantisable_linears(shape) + rest + embedding(shape) + lm_head(shape)


def active(shape: Shape) -> Array:
    """Parameters one token passes: all but the routed experts it is not sent to. For speed, never for memory."""
    idle = np.where(shape.experts > 0, 1 - shape.experts_active / np.maximum(shape.experts, 1), 0.0)
    bias = shape.expert_bias * shape.moe_layers * shape.experts * (2 * shape.moe_intermediate + shape.hidden)
    return total(shape) - (expert_linears(shape) + bias) * idle
