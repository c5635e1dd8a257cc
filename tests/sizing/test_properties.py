"""What holds for every model of the table and every setting."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.language_model import parse_models
from generator.sizing.peak import breakdown
from generator.sizing.plan import stack_plans
from generator.sizing.shape import stack
from generator.sizing.states import model_states
from generator.sizing.weights import parameter_parts

TABLE = parse_models((Path(__file__).parents[2] / "data" / "models.csv").read_text(encoding="utf-8"))
NAMES = sorted(name for name, model in TABLE.items() if model.architecture)

models = st.sampled_from(NAMES)
flag = st.sampled_from([0.0, 1.0])
size = st.integers(1, 64).map(float)
switches = st.fixed_dictionaries(
    {
        "training": flag,
        "trains_base": flag,
        "bits": st.sampled_from([4.127, 8.0, 16.0]),
        "scope_all": flag,
        "full_checkpointing": flag,
        "accumulates": flag,
        "loss_per_logit": st.sampled_from([0.0, 2.0, 14.0]),
        "loss_left": st.sampled_from([0.0, 3.0]),
        "micro_batch": size,
        "context": st.integers(1, 200_000).map(float),
        "lora_rank": st.sampled_from([8.0, 64.0]),
        "lora_q": flag,
        "lora_mlp": flag,
        "kv_uniform": flag,
        "live_root": flag,
    }
)


def totals(name: str, *plans: dict[str, float]) -> list[float]:
    shape = stack([TABLE[name].architecture] * len(plans))
    return [float(value) for value in breakdown(shape, stack_plans(plans)).total]


@settings(max_examples=150, deadline=None)
@given(models, switches, st.sampled_from(["context", "micro_batch", "lora_rank", "loss_per_logit"]), st.integers(1, 9))
def test_more_context_batch_users_rank_or_vocabulary_bytes_never_need_less(name, plan, switch, more):
    smaller, larger = totals(name, plan, plan | {switch: plan[switch] + more})
    assert larger >= smaller


@settings(max_examples=150, deadline=None)
@given(models, switches, st.sampled_from([1.0, 2.0, 4.0]), st.sampled_from([0, 1, 2, 3]))
def test_more_gpus_never_hold_more_states_each(name, plan, gpus, stage):
    shape = stack([TABLE[name].architecture] * 2)
    split = plan | {"zero_stage": float(stage)}
    states = model_states(shape, stack_plans([split | {"dp": gpus}, split | {"dp": gpus * 2}]))
    held = states.weights + states.adapters + states.gradients + states.optimizer
    assert held[1] <= held[0]


@settings(max_examples=100, deadline=None)
@given(models, switches, st.sampled_from([2.0, 8.0]))
def test_shards_of_all_gpus_return_the_whole(name, plan, gpus):
    shape = stack([TABLE[name].architecture])
    whole = model_states(shape, stack_plans([plan]))
    shards = model_states(shape, stack_plans([plan | {"zero_stage": 3.0, "dp": gpus}]))
    for part in ("weights", "adapters", "gradients", "optimizer"):
        assert getattr(shards, part)[0] * gpus == pytest.approx(getattr(whole, part)[0])


@settings(max_examples=100, deadline=None)
@given(models, st.sampled_from([2.0, 4.0, 8.0]))
def test_tensor_parallel_shards_return_every_matrix_and_copy_only_vectors(name, gpus):
    shape = stack([TABLE[name].architecture])
    plan = {"scope_all": 1.0, "tp": gpus, "expert_tp": gpus}
    parts = parameter_parts(shape, stack_plans([plan]))
    each = model_states(shape, stack_plans([plan])).weights[0]
    assert each * gpus == pytest.approx(2 * (parts.total + parts.vectors * (gpus - 1))[0])


@settings(max_examples=100, deadline=None)
@given(models, switches)
def test_the_parts_add_up_to_the_total_and_none_is_negative(name, plan):
    found = breakdown(stack([TABLE[name].architecture]), stack_plans([plan]))
    names = ("weights", "adapters", "gradients", "optimizer", "kv", "activations", "logits", "overhead")
    parts = np.array([getattr(found, part)[0] for part in names])
    assert (parts >= 0).all()
    assert parts.sum() == pytest.approx(found.total[0])


@settings(max_examples=60, deadline=None)
@given(models, st.integers(1, 300_000))
def test_a_mixture_of_experts_never_needs_less_than_all_its_parameters(name, context):
    model = TABLE[name]
    plan = {"scope_all": 1.0, "context": float(context)}
    assert totals(name, plan)[0] >= model.params_total * 2
