from dataclasses import replace

import numpy as np
import pytest

from generator.model import Gpu
from generator.sizing.fit import FITS, NO, TIGHT, choices, smallest, verdicts
from generator.sizing.grid import grid

GIB = 2**30


def gpu(name: str, memory: float, link: str = "none", **changes: object) -> Gpu:
    plain = Gpu(
        id=name, name=name, vendor="NVIDIA", accelerator_class="gpu", architecture="", form_factor="",
        memory_gb=memory, visible_memory_gib=memory, visible_memory_source="", memory_type="", bandwidth_gb_s=None,
        bf16_dense_tflops=None, fp8_dense_tflops=None, int8_dense_tops=None, fp4_dense_tflops=None, interconnect=link,
        interconnect_gb_s=None, host_bus="", tdp_w=None, release_year=None, cuda_capability="", confidence="high",
        source="", source_date=None, check_at="", notes="",
    )  # fmt: skip
    return replace(plain, **changes)


GPUS = [gpu("24", 23.6), gpu("48", 44.5), gpu("80", 79.2, "NVLink 4"), gpu("pair", 79.2, "NVLink bridge (pairs)")]


def test_82_gb_fit_an_80_gb_card_without_a_reserve_and_not_with_one_of_ten_percent():
    need, visible = np.array([82.0e9]), 81559 * 2**20
    assert verdicts(need, visible, 0.0)[0] == FITS
    assert verdicts(need, visible, 0.10)[0] == TIGHT


def test_a_need_equal_to_the_memory_does_not_fit():
    assert verdicts(np.array([40.0 * GIB]), 40 * GIB, 0.0)[0] == NO


def test_70_billion_weights_of_4_85_bits_do_not_fit_40_gib_with_a_reserve():
    need = np.array([70e9 * 4.85 / 8])
    assert need[0] / GIB == pytest.approx(39.52, abs=0.01)
    assert verdicts(need, 40 * GIB, 0.05)[0] < FITS


def test_four_gpus_or_more_share_a_model_only_over_a_fast_link():
    found = {(c.gpu, c.count) for c in choices({1: 10.0 * GIB, 2: 5.0 * GIB, 4: 3.0 * GIB}, GPUS, 0.1)}
    assert ("80", 4) in found
    assert ("24", 2) in found
    assert not {("24", 4), ("48", 4), ("pair", 4)} & found


def test_other_accelerators_and_uncertain_gpus_are_never_recommended():
    odd = [gpu("tpu", 95, accelerator_class="tpu"), gpu("rumour", 500, confidence="low")]
    assert {c.gpu for c in choices({1: GIB}, [*GPUS, *odd], 0.1)} == {"24", "48", "80", "pair"}


@pytest.fixture(scope="module")
def table(models, knowledge):
    chosen = [models[name] for name in ("llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b", "deepseek-v3")]
    return grid(chosen, list(knowledge.methods.values()), [512, 4096], [1, 8], knowledge)


def test_the_grid_has_one_row_for_each_combination_and_its_parts_add_up(table, knowledge):
    assert len(table) == 4 * len(knowledge.methods) * 2 * 2 * 4
    parts = table[[c for c in table if c.endswith("_bytes") and c != "total_bytes"]].sum(axis=1)
    assert np.allclose(parts, table["total_bytes"])


def test_a_seven_to_eight_billion_qlora_fits_24_gb_and_a_70b_needs_more_than_one_80_gb_in_bf16(table):
    found = smallest(table, GPUS, dict.fromkeys(table["method"].unique(), 0.1))
    row = found.set_index(["model", "method", "context", "batch"])
    assert row.loc[("llama-3.1-8b", "qlora", 4096, 1)]["gpu"] == "24"
    assert row.loc[("llama-3.1-70b", "inferencia-bf16", 4096, 1)]["gpu"] == ""
    assert row.loc[("llama-3.1-70b", "inferencia-bf16", 4096, 1)]["node_count"] >= 2
    assert row.loc[("deepseek-v3", "pre-treino", 512, 1)]["node_count"] == 0


def test_more_gpus_never_need_more_in_each(table):
    totals = table["total_bytes"].to_numpy().reshape(-1, 4)
    assert (np.diff(totals, axis=1) <= 0).all()


def test_a_context_or_batch_below_one_is_refused(models, knowledge):
    for context, batch in ((0, 1), (-1, 1), (1, 0)):
        with pytest.raises(ValueError, match="começam em 1"):
            grid([models["llama-3.1-8b"]], list(knowledge.methods.values()), [context], [batch], knowledge)
