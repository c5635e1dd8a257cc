"""Architectures side by side as arrays, so that one formula serves one model or a whole grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from generator.language_model import Architecture

Array = NDArray[np.float64]  # whole numbers below 2**53 stay exact


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions of n models, each an array of length n with the meaning it has in `Architecture`."""

    layers: Array
    hidden: Array
    heads: Array
    kv_heads: Array
    head_dim: Array
    intermediate: Array
    vocab: Array
    gated: Array
    layer_norm: Array
    norm_bias: Array
    norms_per_layer: Array
    tied_embeddings: Array
    learned_positions: Array
    qkv_bias: Array
    output_bias: Array
    mlp_bias: Array
    lm_head_bias: Array
    qk_norm_per_head: Array
    qk_norm_full: Array
    output_gate: Array
    sinks: Array
    softcap: Array
    q_lora_rank: Array
    kv_lora_rank: Array
    qk_nope_head_dim: Array
    qk_rope_head_dim: Array
    v_head_dim: Array
    sliding_window: Array
    full_attention_layers: Array
    global_head_dim: Array
    global_kv_heads: Array
    k_eq_v: Array
    experts: Array
    experts_active: Array
    shared_experts: Array
    moe_intermediate: Array
    shared_intermediate: Array
    moe_layers: Array
    router_bias: Array
    router_scale: Array
    expert_bias: Array
    shared_gate: Array
    dense_beside_experts: Array
    indexer_heads: Array
    indexer_dim: Array
    linear_key_heads: Array
    linear_value_heads: Array
    linear_key_dim: Array
    linear_value_dim: Array
    linear_conv: Array

    @property
    def q_width(self) -> Array:
        """Width of the query projection, a·d: never hidden, which differs in Qwen3, Gemma and Mistral Small."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> Array:
        """Width of the key (or value) projection, k·d."""
        return self.kv_heads * self.head_dim

    @property
    def is_latent(self) -> Array:
        """1 where attention is multi-head latent."""
        return (self.kv_lora_rank > 0).astype(np.float64)

    @property
    def linear_layers(self) -> Array:
        """Layers of gated linear attention, whose state does not grow with the context."""
        return np.where(self.linear_value_heads > 0, self.layers - self.full_attention_layers, 0.0)

    @property
    def attention_layers(self) -> Array:
        """Layers with softmax attention, full or windowed."""
        return self.layers - self.linear_layers

    @property
    def local_layers(self) -> Array:
        """Layers whose attention sees only the last `sliding_window` tokens."""
        return np.where(self.sliding_window > 0, self.attention_layers - self.full_attention_layers, 0.0)

    @property
    def dense_layers(self) -> Array:
        """Layers that have a dense MLP, alone or beside experts."""
        return self.layers - self.moe_layers * (1 - self.dense_beside_experts)

    @property
    def mlp_matrices(self) -> Array:
        """Three matrices in a gated MLP, two in a plain one."""
        return 2 + self.gated

    def take(self, index: NDArray[np.intp]) -> Shape:
        """Return the models at `index`, repeated and ordered as it says."""
        return Shape(**{f.name: getattr(self, f.name)[index] for f in fields(Shape)})


def stack(architectures: Sequence[Architecture]) -> Shape:
    """Return the architectures as arrays, in the same order."""
    special = {
        "qk_norm_per_head": [a.qk_norm == "head" for a in architectures],
        "qk_norm_full": [a.qk_norm in {"full", "full_kv"} for a in architectures],
    }
    columns = {f.name: special.get(f.name) or [getattr(a, f.name) for a in architectures] for f in fields(Shape)}
    return Shape(**{name: np.array(values, dtype=np.float64) for name, values in columns.items()})
