"""Examples worked by hand or printed in papers and model cards; each names where its number comes from."""

from dataclasses import replace

import numpy as np
import pytest

from generator.language_model import Architecture
from generator.sizing.cache import sequence_bytes
from generator.sizing.plan import Plan
from generator.sizing.shape import stack
from generator.sizing.states import model_states
from generator.sizing.weights import adapter_parameters, stored_bytes

GIB = 2**30


def cache(architecture: Architecture, context: int, kv_bytes: float = 2, uniform: float = 0) -> float:
    plan = Plan(context=np.array([float(context)]), kv_bytes=np.array([kv_bytes]), kv_uniform=np.array([uniform]))
    return float(sequence_bytes(stack([architecture]), plan)[0])


def test_grouped_query_attention_caches_key_heads_and_not_query_heads(small):
    assert cache(small, 8192) == 1.00 * GIB
    assert cache(replace(small, kv_heads=32), 8192) == 4.00 * GIB


def test_declared_head_dimension_is_used_instead_of_hidden_over_heads():
    qwen = Architecture(
        layers=36, hidden=2560, heads=32, kv_heads=8, head_dim=128, intermediate=9728, vocab=151936,
        full_attention_layers=36,
    )  # fmt: skip
    assert cache(qwen, 4096) == 0.5625 * GIB


def test_cache_precision_is_not_the_precision_of_the_weights(small):
    assert cache(small, 8192, kv_bytes=1) == 0.50 * GIB


def test_deepseek_v3_latent_cache_takes_70272_bytes_a_token(models):
    """DeepSeek-V3 technical report: 61 layers × (512 + 64) values × 2 bytes."""
    assert cache(models["deepseek-v3"].architecture, 1) == 70_272


def test_llama_3_1_cache_is_as_published():
    """Llama 3.1 announcement (Hugging Face, 2024): 128k tokens in FP16; the first 405B had 16 KV heads."""
    for layers, kv_heads, expected in ((32, 8, 15.62), (80, 8, 39.06), (126, 16, 123.05)):
        model = Architecture(layers, 1, 128, kv_heads, 128, 1, 128256, full_attention_layers=layers)
        assert cache(model, 128_000) / GIB == pytest.approx(expected, abs=0.01)


def test_sliding_window_bounds_local_layers_alone(models):
    gemma = models["gemma-2-9b"].architecture
    per_token_and_layer = 2 * 8 * 256 * 2
    assert cache(gemma, 8192) == per_token_and_layer * (21 * 8192 + 21 * 4096)
    assert cache(gemma, 8192, uniform=1) == per_token_and_layer * 42 * 8192


@pytest.mark.parametrize(("stage", "gigabytes"), [(0, 112), (1, 38.5), (2, 26.25), (3, 14)])
def test_zero_stages_divide_the_states_as_in_the_paper(small, stage, gigabytes):
    """ZeRO (Rajbhandari et al., 2020): 7 billion parameters, 16 bytes each, 8 GPUs."""
    seven_billion = replace(small, hidden=1000, layers=1, heads=0, intermediate=0, vocab=6_999_997, norms_per_layer=2,
                            kv_heads=0, tied_embeddings=True, full_attention_layers=1)  # fmt: skip
    ones = {"training": 1, "trains_base": 1, "state_optimizer": 12, "zero_stage": stage, "dp": 8}
    states = model_states(stack([seven_billion]), Plan(**{key: np.array([float(v)]) for key, v in ones.items()}))
    assert (states.weights + states.gradients + states.optimizer)[0] / 1e9 == pytest.approx(gigabytes)


def test_mixtral_holds_all_its_experts_in_memory(models):
    weights = stored_bytes(stack([models["mixtral-8x7b"].architecture]), Plan(scope_all=np.ones(1)))[0]
    assert weights / 1e9 == pytest.approx(93.4, abs=0.05)
    assert weights / GIB == pytest.approx(87.0, abs=0.05)


def test_qlora_takes_4_127_bits_for_each_weight_of_the_layers(small):
    """QLoRA (Dettmers et al., 2023), section 3: 4 bits and 0.127 bits of constants after double quantisation."""
    shape = stack([small])
    with_nf4 = stored_bytes(shape, Plan(bits=np.array([4.127])))[0]
    in_bf16 = stored_bytes(shape, Plan())[0]
    assert (in_bf16 - with_nf4) * 8 / 6_979_321_856 == pytest.approx(16 - 4.127)


@pytest.mark.parametrize(("model", "gigabytes"), [("gpt-oss-20b", 12.8), ("gpt-oss-120b", 60.8)])
def test_gpt_oss_in_mxfp4_has_the_size_of_its_checkpoint(models, model, gigabytes):
    """gpt-oss model card (2025), table 1: checkpoints of 12.8 and 60.8 GiB."""
    plan = Plan(bits=np.array([4.25]), scope_linears=np.zeros(1))
    assert stored_bytes(stack([models[model].architecture]), plan)[0] / GIB == pytest.approx(gigabytes, rel=0.005)


def test_lora_adapters_are_rank_times_both_sides_of_each_matrix(small):
    """LoRA (Hu et al., 2021): Llama 3.1 8B, r = 16, every linear layer: 41,943,040 parameters as PEFT prints."""
    targets = {f"lora_{name}": np.ones(1) for name in ("q", "k", "v", "o", "mlp")}
    assert adapter_parameters(stack([small]), Plan(lora_rank=np.array([16.0]), **targets))[0] == 41_943_040
