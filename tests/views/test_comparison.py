"""Which offers a guide compares, which one stands for its provider, and what a summary may quote."""

import random
from datetime import date

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.views.comparison import best_of_each, cheapest, compare, few, qualifying, with_gpu_facts

TODAY = date(2026, 11, 30)
OLD = pd.Timestamp("2026-01-21", tz="UTC")


@pytest.fixture
def training(data):
    return data.workloads["treinamento"]


def _ids(frame) -> list[str]:
    return list(frame["offer_id"])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"gpu": "l4"}, "24 GB are under the 40 GB that training asks for"),
        ({"gpu": "v100-32"}, "no BF16"),
        ({"gpu": "gaudi2"}, "not a GPU"),
        ({"flags": "fraction", "gpu_count": 0.5}, "a slice is never compared with a whole card"),
        ({"flags": "modified"}, "a modified card is not the maker's"),
        ({"flags": "larger_machine;restricted_region"}, "not for everybody"),
        ({"availability": "unavailable"}, "nobody can rent it"),
        ({"price_usd_gpu_hour": None, "price_usd_hour": None, "price_hour": 3.0}, "no price in dollars to compare"),
    ],
)
def test_an_offer_that_does_not_qualify_stays_out(with_offers, training, change, why):
    assert _ids(qualifying(with_offers({}, change), training, TODAY)) == ["alfa--0"], why


def test_a_plain_name_qualifies_but_ranks_after_cards_whose_facts_are_known(with_offers, training):
    offers = qualifying(with_offers({"gpu": "h100-80", "price_usd_gpu_hour": 0.5}, {}), training, TODAY)
    assert _ids(best_of_each(offers, training)) == ["alfa--1", "alfa--0"]


def test_the_cheapest_stands_for_each_provider_card_and_pricing_model(with_offers, training):
    data = with_offers(
        {"price_usd_gpu_hour": 3.0},
        {"price_usd_gpu_hour": 2.5},
        {"price_usd_gpu_hour": 1.0, "pricing_model": "spot"},
        {"price_usd_gpu_hour": 9.0, "provider": "aws"},
        {"price_usd_gpu_hour": 4.0, "gpu": "h200-sxm"},
    )
    assert set(_ids(best_of_each(qualifying(data, training, TODAY), training))) == {
        "alfa--1", "alfa--2", "alfa--3", "alfa--4",
    }  # fmt: skip


def test_between_equal_prices_training_prefers_the_larger_machine_and_fine_tuning_the_smaller(with_offers, data):
    offers = with_offers({"gpu_count": 1.0}, {"gpu_count": 8.0})
    for workload, expected in (("treinamento", "alfa--1"), ("ajuste-fino", "alfa--0")):
        found = data.workloads[workload]
        assert _ids(best_of_each(qualifying(offers, found, TODAY), found)) == [expected]


def test_rows_are_ordered_by_what_a_dollar_rents(with_offers, training):
    # 989 TFLOPS for 3.00 against 312 TFLOPS (A100 datasheet, dense BF16) for 0.90: 330 and 347 per dollar.
    data = with_offers({}, {"gpu": "a100-80-sxm", "price_usd_gpu_hour": 0.90})
    assert _ids(best_of_each(qualifying(data, training, TODAY), training)) == ["alfa--1", "alfa--0"]


def test_on_demand_and_spot_never_share_a_group(data, training):
    comparison = compare(data, training, TODAY)
    for model, rows in comparison.groups.items():
        assert set(rows["pricing_model"]) <= {model}


@pytest.mark.parametrize("workload", ["treinamento", "ia-generativa", "ajuste-fino"])
def test_each_guide_compares_sixty_to_a_hundred_offers_without_repeating_one(data, workload):
    shown = compare(data, data.workloads[workload], TODAY).shown
    assert 60 <= len(shown) <= 100
    assert shown["offer_id"].is_unique


def test_a_summary_quotes_recent_prices_and_the_newest_only_when_there_is_none(with_offers):
    data = with_offers({"price_usd_gpu_hour": 1.0, "collected_at": OLD}, {"price_usd_gpu_hour": 2.0})
    offers = with_gpu_facts(data.offers, data.gpus, TODAY)
    found = cheapest(offers, 120)
    assert found is not None
    assert (found.offer["offer_id"], found.is_recent) == ("alfa--1", True)
    found = cheapest(offers[offers["collected_at"] == OLD], 120)
    assert found is not None
    assert (found.offer["offer_id"], found.is_recent) == ("alfa--0", False)
    assert cheapest(offers, 120, "spot") is None


def test_a_price_without_cpu_and_memory_never_leads_a_summary(with_offers):
    data = with_offers({"price_usd_gpu_hour": 1.0, "flags": "gpu_only_price"}, {"price_usd_gpu_hour": 2.0})
    found = cheapest(with_gpu_facts(data.offers, data.gpus, TODAY), 120)
    assert found is not None
    assert found.offer["offer_id"] == "alfa--1"


def test_when_room_is_short_recent_prices_come_first_and_providers_take_turns(with_offers, training):
    data = with_offers(
        {"gpu": "h100-sxm", "price_usd_gpu_hour": 1.0, "collected_at": OLD},
        {"gpu": "h200-sxm", "price_usd_gpu_hour": 1.1, "collected_at": OLD},
        {"provider": "aws", "price_usd_gpu_hour": 7.0, "collected_at": OLD},
        {"provider": "azure", "price_usd_gpu_hour": 12.0},
    )
    best = best_of_each(qualifying(data, training, TODAY), training)
    kept = set(_ids(few(best, 3, 120)))
    assert kept == {"alfa--0", "alfa--2", "alfa--3"}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_the_order_of_the_input_never_shows(data, seed):
    order = list(range(len(data.offers)))
    random.Random(seed).shuffle(order)
    workload = data.workloads["ia-generativa"]
    offers = qualifying(data, workload, TODAY)
    shuffled = qualifying(type(data)(**{**vars(data), "offers": data.offers.iloc[order]}), workload, TODAY)
    assert _ids(best_of_each(offers, workload)) == _ids(best_of_each(shuffled, workload))
