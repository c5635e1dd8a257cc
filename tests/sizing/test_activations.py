"""Activations and logits against papers and against the sums that everybody forgets."""

from dataclasses import replace

import numpy as np
import pytest

from generator.language_model import Architecture
from generator.sizing.activations import kept_bytes, layer_bytes, logits_bytes
from generator.sizing.plan import Plan
from generator.sizing.shape import stack

GPT3 = Architecture(
    layers=96, hidden=12288, heads=96, kv_heads=96, head_dim=128, intermediate=4 * 12288, vocab=51200, gated=False,
    layer_norm=True, norm_bias=True, full_attention_layers=96,
)  # fmt: skip
ONE = np.ones(1)


def megatron(**switches: float) -> Plan:
    values = {"training": 1, "trains_base": 1, "dropout": 1, "context": 2048, **switches}
    return Plan(**{name: np.array([float(value)]) for name, value in values.items()})


def per_hidden(plan: Plan) -> float:
    log_sum_exp = 4 * GPT3.heads / plan.tp[0]  # flash attention keeps it; the paper predates it
    return float((layer_bytes(stack([GPT3]), plan)[0] - log_sum_exp) / GPT3.hidden)


def test_a_transformer_layer_keeps_34_bytes_per_hidden_value():
    """Korthikanti et al. (2022), equation 1 without the attention scores: 34·s·b·h."""
    assert per_hidden(megatron()) == 34


def test_attention_scores_come_on_top_without_flash_attention():
    """Korthikanti et al. (2022), equation 1: 5·a·s²·b more, 34 + 5·a·s/h in all."""
    assert per_hidden(megatron(score_bytes=5)) == pytest.approx(34 + 5 * 96 * 2048 / 12288)


def test_tensor_parallelism_leaves_ten_bytes_undivided():
    """Korthikanti et al. (2022), equation 2: s·b·h·(10 + 24/t)."""
    assert per_hidden(megatron(tp=8)) == pytest.approx(10 + 24 / 8)


def test_sequence_parallelism_divides_the_rest():
    """Korthikanti et al. (2022), equation 4: 34·s·b·h/t."""
    assert per_hidden(megatron(tp=8, sequence_parallel=1)) == pytest.approx(34 / 8)


def test_full_recomputation_keeps_two_bytes_per_hidden_value_and_layer():
    """Korthikanti et al. (2022), section 5: 2·s·b·h·L."""
    plan = megatron(full_checkpointing=1)
    assert kept_bytes(stack([GPT3]), plan)[0] == 2 * 12288 * 96


def test_interleaved_pipelines_keep_more_on_the_last_stage():
    """Narayanan et al. (2021): (v−1)·p + 1 chunks instead of the one micro-batch of plain 1F1B."""
    plain = kept_bytes(stack([GPT3]), megatron(pp=8, last_stage=1))[0]
    interleaved = kept_bytes(stack([GPT3]), megatron(pp=8, last_stage=1, chunks_per_stage=3))[0]
    assert interleaved / plain == pytest.approx((2 * 8 + 1) / 3)


def test_logits_of_a_128_thousand_vocabulary_are_never_forgotten():
    """14 bytes × 128,256 × 16,384 tokens = 27 GiB, the term that calculators leave out."""
    model = replace(GPT3, vocab=128_256)
    per_token = logits_bytes(stack([model]), Plan(loss_per_logit=14 * ONE))[0]
    assert per_token * 16_384 / 2**30 == pytest.approx(27.4, abs=0.1)


def test_a_vocabulary_parallel_loss_is_divided_and_another_is_not():
    shape, loss = stack([GPT3]), {"loss_per_logit": 8 * ONE, "tp": 4 * ONE}
    assert logits_bytes(shape, Plan(**loss, loss_split=ONE))[0] * 4 == logits_bytes(shape, Plan(**loss))[0]


def test_flash_attention_leaves_no_quadratic_term():
    shape = stack([GPT3])
    assert layer_bytes(shape, megatron(context=1024))[0] == layer_bytes(shape, megatron(context=65_536))[0]
