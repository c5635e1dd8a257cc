"""What the guides say in prose, asked of the engine under the profiles that the guides name."""

import numpy as np
import pytest

from generator.sizing.fit import FITS, verdicts
from generator.sizing.grid import grid, headroom

GIB = 2**30
SMALL = ("mistral-7b-v0.3", "llama-3.1-8b", "gemma-3-12b", "llama-2-13b")
CARDS = {
    24: 22.0,
    48: 44.4,
    80: 79.1,
    141: 130.4,
}  # nominal GB: the least GiB that a program sees of such cards (data/gpus.csv)


@pytest.fixture
def need(models, knowledge):
    def bytes_needed(model: str, method: str, context: int, batch: int = 1, gpus: int = 1, profile: str = "") -> float:
        asked = [models[model]], [knowledge.methods[method]], [context], [batch]
        frame = grid(*asked, knowledge, [gpus], profile)
        return float(frame["total_bytes"].iloc[0])

    return bytes_needed


@pytest.fixture
def fits(need, knowledge):
    def asked(card: int, model: str, method: str, *sizes: int, **more: object) -> bool:
        visible, band = CARDS[card] * GIB, headroom(knowledge.methods[method], knowledge, str(more.get("profile", "")))
        return bool(verdicts(np.array([need(model, method, *sizes, **more)]), visible, band)[0] == FITS)

    return asked


@pytest.mark.parametrize("model", SMALL)
def test_7_to_13_billion_parameters_in_4_bits_fit_24_gb_with_room_for_the_cache(fits, need, model):
    assert fits(24, model, "inferencia-4bit", 8192)
    assert need(model, "inferencia-4bit", 8192) < 0.8 * CARDS[24] * GIB


@pytest.mark.parametrize("model", ["mistral-7b-v0.3", "llama-3.1-8b", "sabia-7b", "phi-4-14b"])
def test_qlora_of_small_and_medium_models_fits_24_gb(fits, model):
    assert fits(24, model, "qlora", 4096)


@pytest.mark.parametrize("model", ["gemma-3-12b", "mistral-small-24b", "gemma-3-27b", "qwen3-32b"])
def test_qlora_of_larger_vocabularies_or_up_to_32_billion_fits_48_gb(fits, model):
    assert fits(48, model, "qlora", 4096)


def test_qlora_of_70_billion_asks_for_the_80_gb_class(fits):
    assert not fits(48, "llama-3.1-70b", "qlora", 4096)
    assert fits(80, "llama-3.1-70b", "qlora", 4096)


def test_70_billion_in_8_bit_floats_leave_80_gb_a_cache_of_one_request_of_8192_tokens(fits):
    assert fits(80, "llama-3.1-70b", "inferencia-fp8", 8192)
    assert not fits(80, "llama-3.1-70b", "inferencia-fp8", 16384)


def test_70_billion_in_4_bits_fit_the_80_gb_class_and_not_48_gb(fits):
    assert fits(80, "llama-3.1-70b", "inferencia-4bit", 8192)
    assert not fits(48, "llama-3.1-70b", "inferencia-4bit", 8192, 4)


def test_70_billion_in_higher_precision_need_more_than_one_80_gb_card(fits):
    for method in ("inferencia-fp8", "inferencia-bf16"):
        assert not fits(80, "llama-3.1-70b", method, 8192, 4)
    assert fits(80, "llama-3.1-70b", "inferencia-fp8", 8192, 4, gpus=2)
    assert fits(80, "llama-3.1-70b", "inferencia-bf16", 8192, 4, gpus=4)


def test_up_to_14_billion_in_bf16_or_32_billion_in_8_bits_fit_48_gb(fits):
    assert fits(48, "phi-4-14b", "inferencia-bf16", 8192)
    assert fits(48, "qwen3-32b", "inferencia-int8", 8192)


def test_what_the_guide_to_inference_says_of_8_32_and_70_billion(fits):
    assert fits(24, "llama-3.1-8b", "inferencia-fp8", 8192, 4)
    assert fits(48, "llama-3.1-8b", "inferencia-bf16", 8192, 16)
    assert fits(48, "qwen3-32b", "inferencia-fp8", 8192, 1)
    assert not fits(48, "qwen3-32b", "inferencia-fp8", 8192, 16)
    assert fits(80, "qwen3-32b", "inferencia-fp8", 8192, 16)
    assert fits(80, "llama-3.1-70b", "inferencia-4bit", 8192, 4)
    assert fits(141, "llama-3.1-70b", "inferencia-fp8", 8192, 4)


def test_adam_triples_what_the_weights_take_when_all_is_in_one_precision(knowledge):
    """Weights and two moments of the same width; with a 32-bit master copy it is 12 bytes for each 2 of weight."""
    one_width = knowledge.states["bf16-fused"]
    assert (one_width.weights + one_width.optimizer) / one_width.weights == 3
    mixed = knowledge.states["amp-master"]
    assert mixed.optimizer / mixed.weights == 6
    assert mixed.weights + mixed.gradients + mixed.optimizer == 16


def test_full_fine_tuning_of_70_billion_takes_more_than_1100_gb_and_more_than_one_node_of_80_gb(need, fits):
    assert need("llama-3.1-70b", "ajuste-completo", 4096) > 1100e9
    assert not fits(80, "llama-3.1-70b", "ajuste-completo", 4096, gpus=8)


def test_sixteen_talks_of_8192_tokens_outweigh_the_weights_of_llama_8b(models, knowledge):
    asked = [models["llama-3.1-8b"]], [knowledge.methods["inferencia-bf16"]], [8192], [16]
    row = grid(*asked, knowledge, [1]).iloc[0]
    assert row["kv_bytes"] == 16 * GIB
    assert row["kv_bytes"] > row["weights_bytes"] == pytest.approx(15 * GIB, rel=0.01)
