"""The numbers of `data/sizing/` that the formulas multiply by, against the papers and formats that define them."""

import pytest

ZERO = 16  # bytes per parameter: Adam in mixed precision, ZeRO (Rajbhandari et al., 2020), section 3.1
STATES = {  # weights, gradients, optimizer, temporary, in bytes per parameter
    "amp-master": (2, 2, 12, 0),  # the same section: FP16 weights and gradients, FP32 copy, momentum and variance
    "amp-master-fp32-grad": (2, 4, 12, 0),  # Megatron-LM accumulates gradients in FP32: 18 bytes
    "bf16-fused": (2, 2, 4, 0),  # two BF16 moments
    "bf16-foreach": (2, 2, 4, 2),  # PyTorch: foreach makes a temporary as large as the weights
    "fp32-fused": (4, 4, 8, 0),
    "fp32-foreach": (4, 4, 8, 4),
    "adam8bit": (2, 2, 2, 0),  # Dettmers et al., 2022: two moments of 8 bits
}
BITS = {
    "fp32": 32,
    "bf16": 16,
    "nf4": 4 + 32 / 64,  # QLoRA, section 3: an FP32 constant for each block of 64
    "nf4-dq": 4 + 8 / 64 + 32 / (64 * 256),  # the same: constants of 8 bits, with an FP32 for each 256 of them
    "mxfp4": 4 + 8 / 32,  # OCP Microscaling 1.0
    "mxfp8": 8 + 8 / 32,
    "nvfp4": 4 + 8 / 16,
    "gptq-int4-g128": 4 + (16 + 4) / 128,
    "awq-int4-g128": 4 + (16 + 4) / 128,
    "fp8-block128": 8 + 32 / 128**2,
    "gguf-q8_0": 8 + 16 / 32,  # llama.cpp block_q8_0: 34 bytes for 32 weights
    "gguf-q6_k": 210 * 8 / 256,  # block_q6_K: 210 bytes for 256 weights
    "gguf-q4_k_m": 144 * 8 / 256,  # block_q4_K: 144 bytes for 256 weights
    "gguf-q5_k_m": 176 * 8 / 256,
}


@pytest.mark.parametrize(("policy", "expected"), STATES.items())
def test_each_state_policy_has_the_bytes_of_its_source(knowledge, policy, expected):
    row = knowledge.states[policy]
    assert (row.weights, row.gradients, row.optimizer, row.temporary) == expected


@pytest.mark.parametrize(("scheme", "expected"), BITS.items())
def test_each_scheme_has_the_bits_of_its_format(knowledge, scheme, expected):
    assert knowledge.schemes[scheme].bits == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize(("stage", "gigabytes"), [(0, 112), (1, 38.5), (2, 26.25), (3, 14)])
def test_zero_divides_the_shipped_states_as_the_paper_does(knowledge, stage, gigabytes):
    """ZeRO: 7 billion parameters and 8 GPUs; stage 1 divides the optimizer, 2 the gradients, 3 the weights."""
    row = knowledge.states["amp-master"]
    assert row.weights + row.gradients + row.optimizer == ZERO
    parts = zip((row.optimizer, row.gradients, row.weights), (1, 2, 3), strict=True)
    assert sum(7 * each / (8 if stage >= first else 1) for each, first in parts) == pytest.approx(gigabytes)


def test_frozen_weights_of_lora_cost_two_bytes_and_the_trained_ones_sixteen(knowledge):
    """8 billion frozen in 16 bits and 42 million trained with Adam: 16.67 GB before activations."""
    row, frozen = knowledge.states["amp-master"], knowledge.schemes["bf16"].bits / 8
    trained = row.weights + row.gradients + row.optimizer
    assert 8 * frozen + 0.042 * trained == pytest.approx(16.67, abs=0.01)


def test_four_bits_are_more_than_four_bits(knowledge):
    """No 4-bit format of the table weighs 4.0 bits: constants and scales come along."""
    four = {
        name: row.bits for name, row in knowledge.schemes.items() if "int4" in name or "fp4" in name or "nf4" in name
    }
    assert len(four) >= 6
    assert min(four.values()) > 4
