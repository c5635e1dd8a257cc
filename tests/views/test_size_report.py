import json
from pathlib import Path

import pytest

from generator import dataset
from generator.sizing.cases import parse_cases
from generator.sizing.options import UnknownNameError, method_named, model_named
from generator.sizing.predict import Library
from generator.sizing.rates import Run, serving_rate, training_rate
from generator.sizing.score import score
from generator.sizing.size import Request
from generator.views import score_report, size_report

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data():
    return dataset.load(ROOT)


@pytest.fixture(scope="module")
def qlora(data):
    return size_report.report(Request(data.models["llama-3.1-8b"], data.knowledge.methods["qlora"], 4096, 4), data)


def test_the_answer_names_profile_parts_fitting_gpus_and_offers(qlora, data):
    text = size_report.as_text(qlora, data)
    for words in (
        "Llama 3.1 8B",
        "Perfil HF Trainer",
        "pesos",
        "total (pico:",
        "cabe:",
        "por hora",
        "milhão de tokens",
    ):
        assert words in text
    assert "nan" not in text.lower().split()


def test_the_parts_add_up_and_every_recommended_offer_holds_the_need(qlora):
    sized = qlora.sized
    assert sum(sized.parts.values()) == pytest.approx(sized.need_bytes)
    fits = {(choice.gpu, choice.count) for choice in sized.choices if choice.verdict == "cabe"}
    assert qlora.costs
    assert all((cost.offer["gpu"], cost.offer["gpu_count"]) in fits for cost in qlora.costs)


def test_programs_read_the_same_answer(qlora):
    found = json.loads(size_report.as_json(qlora))
    assert found["need_bytes"] == qlora.sized.need_bytes
    assert found["profile"] == "hf-trainer"
    assert len(found["offers"]) == len(qlora.costs)


def test_serving_shows_that_an_idle_machine_costs_more_per_token(data):
    request = Request(data.models["llama-3.1-8b"], data.knowledge.methods["inferencia-fp8"], 4096, 8)
    costs = next(cost.usd_per_million for cost in size_report.report(request, data).costs if cost.rate)
    assert costs["0.1"] == pytest.approx(10 * costs["1.0"])


def test_a_wrong_name_suggests_a_near_one(data):
    with pytest.raises(UnknownNameError, match=r"llama-3\.1-8b"):
        model_named("llama-3.1-8", data.models)
    with pytest.raises(UnknownNameError, match="qlora"):
        method_named("qloar", data.knowledge)


def test_the_score_lists_what_it_cannot_compute_with_the_reason(data):
    cases = parse_cases((ROOT / "data" / "sizing" / "reference_cases.csv").read_text(encoding="utf-8"))
    some = [case for case in cases if case.category in {"kv_capacity", "weights_memory"}]
    text = score_report.as_text(score(some, Library(data.models, data.knowledge, data.gpus)))
    assert "KV004" in text
    assert "não publica o orçamento" in text
    assert "pesos" in text


def test_no_modified_or_gpu_only_offer_is_recommended(qlora):
    flags = {flag for cost in qlora.costs for flag in cost.offer["flags"].split(";")}
    assert not flags & {"fraction", "modified", "restricted_region", "gpu_only_price"}


def test_speeds_follow_the_profile_and_the_switches_asked_for(data):
    card, full = data.gpus["a100-80-sxm"], data.knowledge.methods["ajuste-completo-bf16"]
    run = data.models["llama-3.1-8b"], full, card, 1, 4096, data.knowledge
    assert training_rate(*run, Run("hf-trainer")).likely < training_rate(*run, Run("hf-trainer-fused")).likely
    serving = data.models["llama-3.1-8b"], data.knowledge.methods["inferencia-bf16"], card, 1, (4096, 4096)
    smaller_cache = serving_rate(*serving, data.knowledge, Run(changes={"kv_bytes": 1.0}))
    assert smaller_cache.likely > serving_rate(*serving, data.knowledge).likely
