"""Speed and money by hand: each expected number is worked out beside its source."""

import numpy as np
import pytest

from generator.language_model import Architecture
from generator.sizing import money
from generator.sizing.plan import Plan, stack_plans
from generator.sizing.shape import stack
from generator.sizing.speed import (
    attention_flops_per_token,
    bytes_read_per_token,
    matrix_flops_per_token,
    serving_ceiling,
    touched_weight_bytes,
)

ONE = np.ones(1)


def test_full_training_takes_six_flops_per_parameter_and_token(small):
    """Kaplan et al. (2020): 6·N, N without the input embedding, which is looked up and not multiplied."""
    flops = matrix_flops_per_token(stack([small]), Plan(trains_base=ONE))[0]
    assert flops == 6 * (8_030_261_248 - 128_256 * 4096)


def test_a_frozen_base_takes_four_flops_per_parameter(small):
    flops = matrix_flops_per_token(stack([small]), Plan())[0]
    assert flops == 4 * (8_030_261_248 - 128_256 * 4096)


def test_causal_attention_takes_six_layers_width_length_flops(small):
    """PaLM (Chowdhery et al., 2022), appendix B, halved because half of the scores are masked."""
    assert attention_flops_per_token(stack([small]), Plan(context=8192 * ONE))[0] == 6 * 32 * 4096 * 8192


def test_windowed_layers_attend_to_the_window_alone(models):
    mistral = models["mistral-7b-v0.1"].architecture
    near, far = (attention_flops_per_token(stack([mistral]), Plan(context=n * ONE))[0] for n in (4096, 65_536))
    assert near == far


def test_decoding_reads_the_active_weights_and_the_cache_but_no_untied_input_embedding(small):
    plan = stack_plans([{"scope_all": 1.0, "context": 8192.0}])
    expected = 2 * (8_030_261_248 - 128_256 * 4096) + 2**30
    assert bytes_read_per_token(stack([small]), plan)[0] == expected


def test_a_large_batch_touches_every_expert_and_one_request_only_its_own(models):
    shape, plan = stack([models["mixtral-8x7b"].architecture]), stack_plans([{"scope_all": 1.0}])
    experts = 2 * 32 * 8 * 3 * 4096 * 14336
    rest = touched_weight_bytes(shape, plan, ONE)[0] - experts / 4
    assert touched_weight_bytes(shape, plan, 1000 * ONE)[0] == pytest.approx(rest + experts)


def test_serving_more_requests_never_gives_fewer_tokens():
    model = Architecture(32, 4096, 32, 8, 128, 14336, 128256, full_attention_layers=32)
    plan = stack_plans([{"scope_all": 1.0, "context": 1500.0, "prompt": 1000.0}])
    speeds = [
        serving_ceiling(stack([model]), plan, batch * ONE, 1000 * ONE, 3.35e12 * ONE, 989e12 * ONE)[0]
        for batch in (1, 2, 8, 64, 256)
    ]
    assert speeds == sorted(speeds)


def test_spot_loses_half_an_interval_and_the_way_back_at_each_interruption():
    assert money.spot_lost_share(0.05, 1, 0.25) == pytest.approx(0.0375)


def test_a_million_tokens_cost_the_price_of_the_seconds_they_take():
    assert money.training_cost_per_million(3.6, 1000) == pytest.approx(1.0)
    assert money.serving_cost_per_million(3.6, 1000, 0.1) == pytest.approx(10.0)


@pytest.mark.parametrize(("speed", "occupancy"), [(0, 1), (-1, 1), (10, 0), (10, 1.5)])
def test_speed_and_occupancy_that_make_no_sense_are_refused(speed, occupancy):
    with pytest.raises(ValueError, match="positivas"):
        money.serving_cost_per_million(1, speed, occupancy)
