"""The offers that a comparison loads on request: all that qualify, in its order, safe to draw."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from generator.dataset import Dataset
from generator.pages.all_offers import as_json
from generator.views.comparison import qualifying
from generator.views.site import Site

DAY = date(2026, 11, 30)


def rows(data: Dataset) -> list[dict[str, object]]:
    site = Site(data, DAY, Path())
    return json.loads(as_json(site, data.workloads["treinamento"]))["linhas"]


def test_every_offer_that_qualifies_is_there_once(data: Dataset):
    expected = qualifying(data, data.workloads["treinamento"], DAY)["offer_id"]
    assert sorted(str(row["id"]) for row in rows(data)) == sorted(expected)


def test_best_for_the_workload_comes_first_and_each_column_has_a_key(data: Dataset):
    found = rows(data)
    assert {len(row["ordem"]) for row in found} == {10}
    best = [float(row["ordem"][6]) for row in found if row["ordem"][6]]
    assert best[0] == max(best)


def test_text_of_the_dataset_is_escaped(with_offers):
    found = rows(with_offers({"instance": "<img src=x onerror=alert(1)>", "price_usd_gpu_hour": 2.0}))
    assert len(found) == 1
    assert "<img" not in found[0]["html"]
    assert "&lt;img" in found[0]["html"]


def test_words_are_folded_for_the_search_box(with_offers):
    found = rows(with_offers({"instance": "Máquina Única", "price_usd_gpu_hour": 2.0}))
    assert "maquina unica" in found[0]["texto"]
