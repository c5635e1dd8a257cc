"""Bytes of the weights as stored on the GPU, and of adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from generator.sizing import parameters

if TYPE_CHECKING:
    from generator.sizing.plan import Plan
    from generator.sizing.shape import Array, Shape


def stored_bytes(shape: Shape, plan: Plan) -> Array:
    """Weights: (what the scheme covers)·bits/8 + (the rest)·bytes of the rest, before any sharding.

    The scheme covers the linear matrices of the layers (QLoRA, GPTQ, AWQ, FP8 leave embeddings, head and norms alone),
    only the experts (MXFP4 of gpt-oss), or the whole file (GGUF, unquantised models). MoE models hold all experts.
    """
    covered = np.where(plan.scope_linears > 0, parameters.quantisable_linears(shape), parameters.expert_linears(shape))
    everything = parameters.total(shape)
    covered = np.where(plan.scope_all > 0, everything, covered)
    return covered * plan.bits / 8 + (everything - covered) * plan.other_weight_bytes


def adapter_parameters(shape: Shape, plan: Plan) -> Array:
    """LoRA: r·(in + out) for each adapted matrix (Hu et al., 2021, section 4.1); routed experts count one by one."""
    h, q, v = shape.hidden, shape.q_width, shape.kv_width
    attention = (
        plan.lora_q * (h + q * (1 + shape.output_gate)) + (plan.lora_k + plan.lora_v) * (h + v) + plan.lora_o * (q + h)
    )
    latent = plan.lora_q * (h + shape.q_lora_rank) + plan.lora_o * (shape.heads * shape.v_head_dim + h)
    attention = np.where(shape.is_latent > 0, latent, attention)
    mlp = shape.mlp_matrices * (
        shape.dense_layers * (h + shape.intermediate) + shape.moe_layers * _experts_sides(shape)
    )
    head = plan.lora_head * (h + shape.vocab)
    return plan.lora_rank * (shape.attention_layers * attention + plan.lora_mlp * mlp + head)


def _experts_sides(shape: Shape) -> Array:
    routed = shape.experts * (shape.hidden + shape.moe_intermediate)
    return routed + shape.shared_experts * (shape.hidden + shape.shared_intermediate)
