"""Bytes of the weights as stored on the GPU, and of adapters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from generator.sizing import parameters
from generator.sizing.plan import Plan
from generator.sizing.shape import Array, Shape


@dataclass(frozen=True, slots=True)
class Parts:
    """A model in the parts that are divided differently among GPUs: counts or bytes, as the maker says."""

    dense: Array  # linear matrices of the layers, but for routed experts
    experts: Array
    vectors: Array  # norms, biases and routers of the layers
    embedding: Array
    head: Array

    @property
    def total(self) -> Array:
        """Everything together."""
        return self.dense + self.experts + self.vectors + self.embedding + self.head

    def __iter__(self) -> Iterator[Array]:
        """Go through the parts in the order of the fields."""
        yield from (self.dense, self.experts, self.vectors, self.embedding, self.head)


def parameter_parts(shape: Shape, plan: Plan) -> Parts:
    """Return the parameters by part; the head counts again where the engine unties it."""
    experts = parameters.expert_linears(shape)
    untied = plan.unties_head * shape.tied_embeddings * shape.vocab * shape.hidden
    return Parts(
        dense=parameters.quantisable_linears(shape) - experts,
        experts=experts,
        vectors=parameters.router(shape) + parameters.norms(shape) + parameters.biases(shape),
        embedding=parameters.embedding(shape),
        head=parameters.lm_head(shape) + untied,
    )


def stored_parts(shape: Shape, plan: Plan) -> Parts:
    """Return the bytes of each part: what the scheme covers takes bits/8, the rest its own bytes.

    The scheme covers the linear matrices of the layers (QLoRA, GPTQ, AWQ and FP8 leave embeddings, head and norms
    alone), only the experts (MXFP4 of gpt-oss), those and the head (LitGPT), or everything (GGUF files, unquantised
    models). MoE models hold all their experts.
    """
    counts = parameter_parts(shape, plan)
    low, high = plan.bits / 8, plan.other_weight_bytes
    dense = np.where(np.maximum(plan.scope_linears, plan.scope_all) > 0, low, high)
    rest = np.where(plan.scope_all > 0, low, high)
    head = np.where(plan.scope_head > 0, low, rest)
    special = np.where(plan.head_bits > 0, plan.head_bits / 8, head)
    return Parts(
        dense=counts.dense * dense + _mixed_types(shape, plan),
        experts=counts.experts * low + _more(plan.down_bits, plan) * counts.experts / shape.mlp_matrices,
        vectors=counts.vectors * rest,
        embedding=counts.embedding * np.where(shape.tied_embeddings * (1 - plan.unties_head) > 0, special, rest),
        head=counts.head * special,
    )


def _mixed_types(shape: Shape, plan: Plan) -> Array:
    """Bytes that mixed files (GGUF) spend above the base type on down projections, attention outputs and values."""
    down = parameters.dense_linears(shape) / shape.mlp_matrices
    out = shape.attention_layers * shape.hidden * shape.q_width
    values = shape.attention_layers * shape.hidden * shape.kv_width
    return _more(plan.down_bits, plan) * down + _more(plan.out_bits, plan) * out + _more(plan.value_bits, plan) * values


def _more(bits: Array, plan: Plan) -> Array:
    return np.where(bits > 0, bits - plan.bits, 0.0) / 8


def stored_bytes(shape: Shape, plan: Plan) -> Array:
    """Return the bytes of all weights, before any sharding."""
    return stored_parts(shape, plan).total


def adapter_parameters(shape: Shape, plan: Plan) -> Array:
    """LoRA: r·(in + out) for each adapted matrix (Hu et al., 2021, section 4.1); routed experts count one by one."""
    h, q, v = shape.hidden, shape.q_width, shape.kv_width
    attention = (
        plan.lora_q * (h + q * (1 + shape.output_gate)) + (plan.lora_k + plan.lora_v) * (h + v) + plan.lora_o * (q + h)
    )
    latent = plan.lora_q * (h + shape.q_lora_rank) + plan.lora_o * (shape.heads * shape.v_head_dim + h)
    attention = np.where(shape.is_latent > 0, latent, attention)
    dense = shape.dense_layers * (h + shape.intermediate)
    mlp = shape.mlp_matrices * (dense + shape.moe_layers * _experts_sides(shape))
    head = plan.lora_head * (h + shape.vocab)
    return plan.lora_rank * (shape.attention_layers * attention + plan.lora_mlp * mlp + head)


def _experts_sides(shape: Shape) -> Array:
    routed = shape.experts * (shape.hidden + shape.moe_intermediate)
    return routed + shape.shared_experts * (shape.hidden + shape.shared_intermediate)
