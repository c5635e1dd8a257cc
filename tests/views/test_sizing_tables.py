"""The sizing tables of the guides recommend only what works, and say under which assumptions."""

from dataclasses import replace

import pytest

from generator.sizing.suits import gpus_for, methods_for
from generator.views.site import Site
from generator.views.sizing_tables import sizing_table
from tests.conftest import BUILD_DAY, ROOT


def offer(gpu: str, price: float, count: float = 1.0) -> dict[str, object]:
    return {"gpu": gpu, "gpu_count": count, "price_usd_hour": price, "price_usd_gpu_hour": price / count}


@pytest.fixture
def table(data, with_offers):
    """Return the table of the guide to generative AI for one model and method over the given offers."""

    def make(model: str, method: str, *offers: dict[str, object], context: int = 8192):
        guide = data.workloads["ia-generativa"]
        sizing = replace(guide.sizing, models=(model,), methods=(method,), context=context)
        return sizing_table(Site(with_offers(*offers), BUILD_DAY, ROOT), replace(guide, sizing=sizing))

    return make


def test_the_table_says_profile_and_headroom(data):
    for workload in data.workloads.values():
        said = sizing_table(Site(data, BUILD_DAY, ROOT), workload).assumptions
        assert ("HF Trainer" in said) != ("Servidor de inferência" in said)
        assert "folga de" in said


def test_eight_bit_floats_are_recommended_only_where_the_gpu_accelerates_them(table):
    offers = offer("a100-80-sxm", 1.0), offer("h100-sxm", 2.0)
    (floats,) = table("llama-3.1-8b", "inferencia-fp8", *offers).rows
    (integers,) = table("llama-3.1-8b", "inferencia-int8", *offers).rows
    assert "H100" in floats.cheapest.text
    assert "A100" in integers.cheapest.text


def test_no_recommended_gpu_lacks_the_precision_of_its_method(data):
    for method in data.knowledge.methods.values():
        names = {gpu.id for gpu in gpus_for(method, data.gpus.values(), data.precisions)}
        assert "h100-sxm" in names
        if method.precision == "BF16":
            assert not names & {"v100-32", "t4", "p100"}
        if method.precision == "FP8":
            assert not names & {"a100-80-sxm", "a10g", "rtx-3090", "mi210"}


def test_a_model_published_in_4_bits_is_served_as_it_is(data):
    methods = list(data.knowledge.methods.values())
    served = [m.id for m in methods_for(data.models["gpt-oss-120b"], methods) if m.task == "inference"]
    assert served == ["inferencia-mxfp4"]
    assert "inferencia-mxfp4" not in [m.id for m in methods_for(data.models["llama-3.1-8b"], methods)]
    for workload in data.workloads.values():
        rows = sizing_table(Site(data, BUILD_DAY, ROOT), workload).rows
        assert {row.method for row in rows if row.model.startswith("gpt-oss")} <= {
            "Inferência em MXFP4 (só os especialistas)"
        }


def test_a_smaller_machine_without_the_headroom_is_shown_as_tight(table):
    """Llama 3.1 8B in BF16 with 4 requests of 8,192 tokens: about 21 GiB, within 5 % of a card of 22 GiB."""
    (row,) = table("llama-3.1-8b", "inferencia-bf16", offer("a10", 1.0), offer("rtx-4090", 2.0)).rows
    assert "A10" in row.tight.text
    assert "RTX 4090" in row.smallest.text
    assert "RTX 4090" in row.cheapest.text
    (alone,) = table("llama-3.1-8b", "inferencia-bf16", offer("a10", 1.0)).rows
    assert alone.smallest is None
    assert "A10" in alone.tight.text
    (roomy,) = table("llama-3.1-8b", "inferencia-4bit", offer("a10", 1.0), offer("rtx-4090", 2.0)).rows
    assert roomy.tight is None
