"""The gate tells when the hand-kept files and the table of offers do not say the same."""

from dataclasses import replace
from datetime import date

import pytest

from generator import dataset
from generator.sources import curated
from generator.stale_offers import stale_offers

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def data(project):
    return dataset.load(project)


@pytest.fixture(scope="module")
def raws(project):
    files = dataset.curated_files(project)
    return [raw for path, payload in files.items() for raw in curated.parse(payload, path)]


def told(raws, data):
    return [(problem.path, problem.line, problem.found) for problem in stale_offers(raws, data, TODAY)]


def test_the_committed_table_is_what_the_files_give(raws, data):
    assert told(raws, data) == []


def test_a_price_changed_in_a_file_asks_for_a_refresh_with_its_line(raws, data):
    at = next(
        number for number, raw in enumerate(raws) if raw.provider == "tensordock" and raw.gpu.startswith("NVIDIA H100")
    )
    changed = [*raws[:at], replace(raws[at], price="2.35"), *raws[at + 1 :]]
    [problem] = stale_offers(changed, data, TODAY)
    assert f"{problem.path}:{problem.line}" == raws[at].record
    assert "está de outro modo em data/offers.csv" in problem.found
    assert "generator refresh" in problem.todo


def test_rows_cut_from_the_table_are_missed_file_by_file(raws, data):
    cut = replace(data, offers=data.offers[data.offers["provider"].ne("tensordock")].reset_index(drop=True))
    [(path, line, found)] = told(raws, cut)
    assert path == "data/curated/tensordock.yml"
    assert line > 1
    assert "não está em data/offers.csv (e mais " in found


def test_an_offer_that_no_file_gives_is_told_at_its_line_of_the_table(raws, data):
    without = [raw for raw in raws if raw.provider != "salad"]
    row = data.offers.index[data.offers["provider"].eq("salad")][0]
    [(path, line, found)] = told(without, data)
    assert (path, line) == ("data/offers.csv", row + 2)
    assert "salad--" in found


def test_a_spec_in_another_unit_is_told_in_the_file_that_has_it(raws, data):
    at = next(number for number, raw in enumerate(raws) if raw.node_network_gbps and raw.provider == "aws")
    wrong = [*raws[:at], replace(raws[at], node_network_gbps="2000000"), *raws[at + 1 :]]
    path, line = raws[at].record.split(":")
    assert (path, int(line)) in [(where, number) for where, number, found in told(wrong, data) if "2000000" in found]
