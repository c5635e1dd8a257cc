"""Configurations as the model pages print them, written out here; each must count as the table does."""

import json

import pytest

from generator.problems import ProblemsError
from generator.sizing.config import model_from_config

LLAMA = {
    "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "tie_word_embeddings": False,
    "max_position_embeddings": 131072,
}  # fmt: skip
CONFIGS = {
    "llama-3.1-8b": LLAMA,
    "qwen2.5-7b": {
        "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "num_attention_heads": 28,
        "num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "tie_word_embeddings": False,
        "sliding_window": 131072, "use_sliding_window": False,
    },
    "qwen3-4b": {
        "model_type": "qwen3", "num_hidden_layers": 36, "hidden_size": 2560, "num_attention_heads": 32, "head_dim": 128,
        "num_key_value_heads": 8, "intermediate_size": 9728, "vocab_size": 151936, "tie_word_embeddings": True,
        "attention_bias": False,
    },
    "qwen3-30b-a3b": {
        "model_type": "qwen3_moe", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 32,
        "head_dim": 128, "num_key_value_heads": 4, "intermediate_size": 6144, "vocab_size": 151936, "num_experts": 128,
        "num_experts_per_tok": 8, "moe_intermediate_size": 768, "decoder_sparse_step": 1, "mlp_only_layers": [],
        "tie_word_embeddings": False,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "num_local_experts": 8,
        "num_experts_per_tok": 2, "sliding_window": None, "tie_word_embeddings": False,
    },
    "gemma-2-9b": {
        "model_type": "gemma2", "num_hidden_layers": 42, "hidden_size": 3584, "num_attention_heads": 16,
        "num_key_value_heads": 8, "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000,
        "sliding_window": 4096,
    },
    "gemma-3-12b": {
        "model_type": "gemma3",
        "text_config": {
            "model_type": "gemma3_text", "num_hidden_layers": 48, "hidden_size": 3840, "num_attention_heads": 16,
            "num_key_value_heads": 8, "head_dim": 256, "intermediate_size": 15360, "vocab_size": 262208,
            "sliding_window": 1024, "sliding_window_pattern": 6,
        },
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
        "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280, "q_lora_rank": 1536,
        "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3, "tie_word_embeddings": False,
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088,
        "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128, "tie_word_embeddings": False,
        "layer_types": ["sliding_attention", "full_attention"] * 12,
    },
    "phi-2": {
        "model_type": "phi", "num_hidden_layers": 32, "hidden_size": 2560, "num_attention_heads": 32,
        "intermediate_size": 10240, "vocab_size": 51200, "tie_word_embeddings": False,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGS)
def test_a_configuration_gives_the_model_of_the_table(name, models, knowledge):
    found = model_from_config(json.dumps(CONFIGS[name]), f"{name}.json", knowledge)
    assert found.params_total == models[name].params_total
    assert found.params_active == models[name].params_active
    known = models[name].architecture
    windows = ("sliding_window", "full_attention_layers", "kv_heads", "head_dim", "kv_lora_rank")
    assert [getattr(found.architecture, key) for key in windows] == [getattr(known, key) for key in windows]


def test_an_unsupported_architecture_is_named_and_not_guessed(knowledge):
    with pytest.raises(ProblemsError, match="arquitetura «rwkv7»"):
        model_from_config('{"model_type": "rwkv7"}', "config.json", knowledge)


def test_a_missing_dimension_is_named(knowledge):
    broken = {key: value for key, value in LLAMA.items() if key != "hidden_size"}
    with pytest.raises(ProblemsError, match="hidden_size"):
        model_from_config(json.dumps(broken), "config.json", knowledge)


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_file_that_is_no_configuration_is_reported(text, knowledge):
    with pytest.raises(ProblemsError, match=r"config\.json"):
        model_from_config(text, "config.json", knowledge)
