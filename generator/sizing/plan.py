"""How a model is run: one array per switch, side by side with the `Shape` of the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from generator.sizing.shape import Array


def _zero() -> Array:
    return np.array([0.0])


def _one() -> Array:
    return np.array([1.0])


def _two() -> Array:
    return np.array([2.0])


def _three() -> Array:
    return np.array([3.0])


def _four() -> Array:
    return np.array([4.0])


def _sixteen() -> Array:
    return np.array([16.0])


@dataclass(frozen=True, slots=True)
class Plan:
    """Switches of n runs, each an array of length n or 1. Flags are 0 or 1; sizes are in bytes unless named."""

    # what runs
    training: Array = field(default_factory=_zero)
    trains_base: Array = field(default_factory=_zero)  # full fine-tuning and pre-training; 0 trains adapters alone
    micro_batch: Array = field(default_factory=_one)  # sequences per GPU, or requests at the same time
    context: Array = field(default_factory=_one)  # training length, or prompt and generated tokens together
    prompt: Array = field(default_factory=_zero)  # tokens of the prompt within the context
    prompt_logits: Array = field(default_factory=_zero)  # the engine computes the logits of the whole prompt

    # weights as stored
    bits: Array = field(default_factory=_sixteen)  # per weight of what the scheme covers
    down_bits: Array = field(default_factory=_zero)  # of parts that a mixed scheme stores otherwise; 0: as the rest
    out_bits: Array = field(default_factory=_zero)
    value_bits: Array = field(default_factory=_zero)
    head_bits: Array = field(default_factory=_zero)
    scope_linears: Array = field(default_factory=_one)  # 0: experts alone
    scope_all: Array = field(default_factory=_zero)  # embeddings, head and vectors too
    scope_head: Array = field(default_factory=_zero)  # the output head too
    other_weight_bytes: Array = field(default_factory=_two)  # of what the scheme leaves alone
    unties_head: Array = field(default_factory=_zero)  # loads a head of its own though embeddings are tied
    head_transient: Array = field(default_factory=_zero)  # bytes per element of the dequantised head, while it runs
    expert_transient: Array = field(default_factory=_zero)  # bytes per element of one layer of experts, dequantised
    weights_offloaded: Array = field(default_factory=_zero)

    # adapters and model states, bytes per trainable parameter
    lora_rank: Array = field(default_factory=_zero)
    lora_q: Array = field(default_factory=_zero)
    lora_k: Array = field(default_factory=_zero)
    lora_v: Array = field(default_factory=_zero)
    lora_o: Array = field(default_factory=_zero)
    lora_mlp: Array = field(default_factory=_zero)
    lora_head: Array = field(default_factory=_zero)
    state_weight: Array = field(default_factory=_two)
    state_gradient: Array = field(default_factory=_two)
    state_optimizer: Array = field(default_factory=_four)
    state_temporary: Array = field(default_factory=_zero)
    accumulates: Array = field(default_factory=_zero)

    # what each layer keeps for the backward pass
    full_checkpointing: Array = field(default_factory=_zero)
    selective_checkpointing: Array = field(default_factory=_zero)
    activations_offloaded: Array = field(default_factory=_zero)
    residual_bytes: Array = field(default_factory=_two)  # per hidden value between checkpointed layers
    residual_kept: Array = field(default_factory=_zero)  # per hidden value, beside what norms save
    norm_bytes: Array = field(default_factory=_two)  # per hidden value and norm
    mlp_tensors: Array = field(default_factory=_three)  # f-wide tensors of a gated MLP over a frozen base
    kv_expanded: Array = field(default_factory=_zero)  # key heads repeated up to the query heads
    dropout: Array = field(default_factory=_zero)  # masks of two dropouts a layer, a byte per hidden value each
    score_bytes: Array = field(default_factory=_zero)  # per attention score, without flash attention or SDPA
    frozen_input_bytes: Array = field(default_factory=_zero)  # per value entering each quantised matrix
    lora_input_bytes: Array = field(default_factory=_three)  # per value entering each adapter, dropout mask included
    lora_inner_bytes: Array = field(default_factory=_three)  # the same for adapters on the o and down projections
    lora_shared_input: Array = field(default_factory=_zero)  # q, k and v adapters keep one input between them
    lora_padded: Array = field(default_factory=_zero)  # adapter result padded to the fused q, k, v width
    layer_scale: Array = field(default_factory=_one)  # 2 where a layer computes in 32 bits
    backward_residual: Array = field(default_factory=_zero)  # per hidden value and layer, held during backward

    # loss
    loss_per_logit: Array = field(default_factory=_zero)
    loss_per_hidden: Array = field(default_factory=_zero)
    loss_split: Array = field(default_factory=_zero)  # vocabulary-parallel

    loss_left: Array = field(default_factory=_zero)  # bytes per logit that stay during the backward pass

    # cache
    kv_bytes: Array = field(default_factory=_two)
    kv_uniform: Array = field(default_factory=_zero)  # every layer pays the full context and the largest page
    kv_repeated: Array = field(default_factory=_zero)  # one layer's keys and values repeated up to the query heads
    kv_full_only: Array = field(default_factory=_zero)  # counts only the layers whose cache grows without limit
    kv_expands_latent: Array = field(default_factory=_zero)  # latent cache kept as full heads

    # parallelism
    zero_stage: Array = field(default_factory=_zero)
    dp: Array = field(default_factory=_one)
    tp: Array = field(default_factory=_one)
    pp: Array = field(default_factory=_one)
    ep: Array = field(default_factory=_one)
    expert_tp: Array = field(default_factory=_one)
    cp: Array = field(default_factory=_one)
    sequence_parallel: Array = field(default_factory=_zero)
    edges_whole: Array = field(default_factory=_zero)  # embeddings and head are not divided
    last_stage: Array = field(default_factory=_zero)  # the reading is of the last pipeline stage, not of the worst
    chunks_per_stage: Array = field(default_factory=_one)  # interleaved pipeline
    live_blocks: Array = field(default_factory=_two)  # gathered blocks under ZeRO-3 and FSDP
    live_stage: Array = field(default_factory=_zero)  # bytes per parameter of a stage that stays gathered
    live_root: Array = field(default_factory=_zero)  # embeddings and head gathered as well

    # from the allocator's peak to the reading
    overhead_bytes: Array = field(default_factory=_zero)
    overhead_ratio: Array = field(default_factory=_zero)  # of everything else
    nccl_bytes: Array = field(default_factory=_zero)  # on top where several GPUs work together

    def replace(self, **columns: Array) -> Plan:
        """Return the plan with other values for some switches."""
        return replace(self, **columns)

    def take(self, index: NDArray[np.intp]) -> Plan:
        """Return the runs at `index`, repeated and ordered as it says; switches of length 1 stay so."""
        columns = {f.name: getattr(self, f.name) for f in fields(Plan)}
        return Plan(**{name: values if len(values) == 1 else values[index] for name, values in columns.items()})


SWITCHES = tuple(f.name for f in fields(Plan))


def stack_plans(rows: Sequence[Mapping[str, float]]) -> Plan:
    """Return the runs as arrays; a switch that a row leaves out has its default there.

    Raises:
        KeyError: a row names an unknown switch.
    """
    used = {name for row in rows for name in row}
    if unknown := used - set(SWITCHES):
        raise KeyError(f"unknown switches: {', '.join(sorted(unknown))}")
    default = Plan()
    columns = {name: [row.get(name, getattr(default, name)[0]) for row in rows] for name in used}
    return Plan(**{name: np.array(values, dtype=np.float64) for name, values in columns.items()})
