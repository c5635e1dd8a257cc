"""Costs computed here by hand, and known points of the multiple of São Paulo."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import formatting as fmt
from generator.cost.bill import bill, billed_hours, egress_amount, storage_amount
from generator.cost.multiples import absent_from_brazil, brazil_multiples
from generator.cost.reais import in_reais, regime_of
from generator.cost_model import StoragePrice
from generator.tables.storage import parse_egress_prices, parse_storage_prices

from .conftest import TODAY, a_rate, an_offer

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("amount", "currency", "regime", "text"),
    [
        ("1.99", "USD", "foreign_card", "R$ 10,30"),  # 1.99 × 5.0007 × 1.035 = 10.29969…
        ("98.32", "USD", "national_brl", "R$ 491,67"),  # 98.32 × 5.0007 = 491.66882…
        ("7.50", "BRL", "native_brl", "R$ 7,50"),
        ("2.00", "USD", "", "R$ 10,00"),  # 2 × 5.0007 = 10.0014
        ("3.00", "EUR", "foreign_card", "R$ 17,08"),  # 3 × 1.1 × 5.0007 × 1.035 = 17.07989…
    ],
)
def test_five_offers_of_different_regimes_and_currencies_cost_what_a_hand_computes(
    pinned, amount, currency, regime, text
):
    euro = a_rate("1.10", base="EUR", quote="USD", kind="mid")
    spent = in_reais(Decimal(amount), currency, regime, replace(pinned, rates=(*pinned.rates, euro)), TODAY)
    assert fmt.money(spent.amount, "BRL") == text.replace(" ", NBSP)


def test_only_a_foreign_card_pays_the_tax(data):
    regimes = {r: in_reais(Decimal(1), "USD", r, data, TODAY) for r in ("", "national_brl", "foreign_card")}
    assert [r for r, spent in regimes.items() if spent.iof] == ["foreign_card"]


def test_a_provider_of_unknown_regime_is_unknown_and_not_foreign(data):
    assert regime_of(data.providers["vultr"]) == ""
    assert regime_of(data.providers["aws"]) == "national_brl"


@pytest.mark.parametrize(
    ("minutes", "sessions", "increment", "hours"),
    [
        (50, 10, 1, "8.333333"),
        (50, 10, 3600, "10"),  # each session is a whole hour
        (61, 1, 3600, "2"),
        (60, 1, 3600, "1"),
        (95, 2, 600, "3.333333"),  # 95 min → ten increments of ten minutes
    ],
)
def test_each_session_is_charged_in_whole_increments(minutes, sessions, increment, hours):
    found = billed_hours(Decimal(minutes), sessions, Decimal(increment))
    assert round(found, 6) == Decimal(hours)


@given(st.integers(1, 10000), st.integers(1, 60), st.sampled_from([1, 60, 120, 600, 3600]))
def test_rounding_up_never_charges_less_nor_more_than_an_increment_a_session(minutes, sessions, increment):
    extra = billed_hours(Decimal(minutes), sessions, Decimal(increment)) * 3600 - Decimal(minutes * sessions * 60)
    assert Decimal("-0.001") <= extra <= increment * sessions


def _storage(running="0.10", stopped="0.20", unit="gb_month"):
    price = None if stopped is None else Decimal(stopped)
    return StoragePrice("x", "", "disco", Decimal(running), price, "USD", unit, "fonte", None)


class TestStorage:
    def test_a_month_of_100_gb_half_stopped_at_twice_the_price(self):
        # 100 GB × (0.10 × 365 + 0.20 × 365) ÷ 730
        assert storage_amount(_storage(), Decimal(100), Decimal(365), Decimal(365)) == 15

    def test_a_gib_is_larger_than_a_gb_so_that_the_same_disk_has_fewer_of_them(self):
        amount = storage_amount(_storage(unit="gib_month"), Decimal("107.3741824"), Decimal(730), Decimal(0))
        assert amount == 10  # 107.3741824 GB are 100 GiB

    def test_a_price_per_hour_is_not_divided_by_the_hours_of_a_month(self):
        price = _storage("0.00015", "0.00015", "gb_hour")
        assert storage_amount(price, Decimal(100), Decimal(10), Decimal(0)) == Decimal("0.15")

    def test_an_unknown_price_of_the_stopped_disk_is_not_zero(self):
        assert storage_amount(_storage(stopped=None), Decimal(100), Decimal(4), Decimal(1)) is None
        assert storage_amount(_storage(stopped=None), Decimal(100), Decimal(730), Decimal(0)) == 10


class TestEgress:
    # AWS, us-east-1: 100 GB a month free, then 0.09 up to 10 TB, 0.085 above.
    @pytest.mark.parametrize(
        ("volume", "amount"),
        [
            (0, "0"),
            (100, "0"),
            (200, "9"),  # 100 × 0.09
            (12000, "1061"),  # 9,900 × 0.09 + 2,000 × 0.085
        ],
    )
    def test_each_tier_charges_its_own_part(self, data, volume, amount):
        assert egress_amount(data.cost.egress["aws", "us-east-1"], Decimal(volume)) == Decimal(amount)

    @given(st.integers(0, 400000), st.integers(0, 400000))
    def test_more_data_never_costs_less(self, data, one, other):
        tiers = data.cost.egress["aws", "us-east-1"]
        less, more = sorted((one, other))
        assert egress_amount(tiers, Decimal(less)) <= egress_amount(tiers, Decimal(more))


class TestBill:
    def test_an_afternoon_at_runpod_is_compute_disk_and_free_egress_with_tax(self, pinned):
        found = bill(pinned.cost.scenarios["qlora-8b-tarde"], an_offer(price_hour=0.5), pinned, TODAY)
        # 4 h × 0.50 + 100 GB × 0.10 × 4 ÷ 730 + 0 = 2.054794…; × 5.0007 × 1.035 = 10.63505…
        assert [round(part.amount, 6) for part in found.parts] == [2, Decimal("0.054795"), 0]
        assert fmt.money(found.total.amount, "BRL") == f"R${NBSP}10,64"
        assert found.unknown == ()

    def test_spot_repeats_half_an_interval_and_the_way_back_at_each_interruption(self, data):
        spot = data.cost.scenarios["completo-8b-semana-spot"]
        assumed = {name: data.knowledge.money[name].value for name in data.knowledge.money}
        lost = assumed["interruptions_per_hour"] * (assumed["checkpoint_hours"] / 2 + assumed["restart_hours"])
        found = bill(spot, an_offer(price_hour=10.0), data, TODAY)
        assert float(found.parts[0].amount) == pytest.approx(168 * (1 + lost) * 10, abs=0.01)
        assert bill(data.cost.scenarios["completo-8b-semana"], an_offer(), data, TODAY).repeated_share == 0

    def test_what_nobody_tells_is_named_and_not_counted_as_zero(self, data):
        found = bill(data.cost.scenarios["qlora-8b-mes"], an_offer(provider="novita"), data, TODAY)
        assert set(found.unknown) == {"storage", "egress", "granularity", "stopped"}
        assert found.total_usd == found.parts[0].amount
        assert [part.amount for part in found.parts[1:]] == [None, None]

    def test_a_price_read_in_one_region_is_not_lent_to_another(self, data):
        found = bill(data.cost.scenarios["qlora-8b-tarde"], an_offer(provider="aws", region="sa-east-1"), data, TODAY)
        assert {"storage", "egress"} <= set(found.unknown)

    def test_without_a_rate_the_total_in_reais_is_absent(self, data):
        found = bill(data.cost.scenarios["qlora-8b-tarde"], an_offer(currency="EUR"), data, TODAY)
        assert found.total is None

    def test_a_gpu_sold_without_its_cpu_says_so(self, data):
        found = bill(data.cost.scenarios["qlora-8b-tarde"], an_offer(flags="gpu_only_price"), data, TODAY)
        assert "beside" in found.unknown


class TestSaoPaulo:
    # AWS on-demand Linux, January 2026: us-east-1, sa-east-1 and their ratio.
    @pytest.mark.parametrize(
        ("instance", "gpu", "virginia", "sao_paulo", "multiple"),
        [
            ("g4dn.xlarge", "t4", 0.526, 0.894, 1.70),
            ("p5.48xlarge", "h100-sxm", 55.04, 92.4672, 1.68),
            ("p4d.24xlarge", "a100-40-sxm", 21.957642, 35.5569, 1.62),
        ],
    )
    def test_known_multiples_hold(self, with_offers, instance, gpu, virginia, sao_paulo, multiple):
        same = {"provider": "aws", "instance": instance, "gpu": gpu}
        world = with_offers(
            {**same, "region": "us-east-1", "country": "US", "price_hour": virginia},
            {**same, "region": "sa-east-1", "country": "BR", "price_hour": sao_paulo},
            {**same, "region": "sa-east-1", "country": "BR", "price_hour": 0.1, "pricing_model": "spot"},
            {**same, "region": "us-west-2", "country": "US", "price_hour": 0.2},
        )
        ((found,),) = [each.pairs for each in brazil_multiples(world)]
        assert round(found.multiple, 2) == multiple

    def test_a_machine_sold_on_one_side_alone_has_no_multiple_and_its_card_is_named_absent(self, with_offers):
        world = with_offers(
            {
                "provider": "aws",
                "instance": "a",
                "gpu": "l4",
                "region": "sa-east-1",
                "country": "BR",
                "price_hour": 1,
            },
            {
                "provider": "aws",
                "instance": "b",
                "gpu": "l40s",
                "region": "us-east-1",
                "country": "US",
                "price_hour": 1,
            },
        )
        assert brazil_multiples(world) == []
        assert absent_from_brazil(world) == {"aws": ["l40s"]}

    def test_the_committed_pairs_are_of_the_same_machine_at_plausible_multiples(self, data):
        pairs = [pair for each in brazil_multiples(data) for pair in each.pairs]
        assert pairs
        assert all(0.8 < pair.multiple < 3 for pair in pairs)

    def test_what_the_provider_does_not_rent_in_brazil_is_named(self, data):
        absent = absent_from_brazil(data)["aws"]
        assert {"l40s", "a100-80-sxm", "h200-sxm", "b200"} <= set(absent)
        assert "h100-sxm" not in absent

    def test_each_price_of_a_pair_has_its_day(self, data):
        pairs = [pair for each in brazil_multiples(data) for pair in each.pairs]
        assert all(isinstance(pair.day, date) and isinstance(pair.baseline_day, date) for pair in pairs)


def _storage_row(**changes):
    row = {"provider": "aws", "product": "disco", "running": "0.08", "currency": "USD", "unit": "gb_month"}
    row |= {"source": "fonte"} | changes
    names = ("provider", "region", "product", "running", "stopped", "currency", "unit", "source", "source_date")
    return ",".join(names) + "\n" + ",".join(row.get(name, "") for name in names) + "\n"


def _egress_rows(*rows):
    return "provider,region,from_gb,price_gb,currency,source,source_date\n" + "".join(f"aws,,{row}\n" for row in rows)


class TestTables:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"running": "-0.08"}, "maior que zero"),
            ({"running": "0"}, "maior que zero"),
            ({"running": "80"}, "confira a unidade"),
            ({"running": "0.08", "unit": "gb_hour"}, "confira a unidade"),  # 58 dollars a month for a GB
            ({"running": "0.0001"}, "confira a unidade"),  # an hourly price called monthly
            ({"unit": "gb"}, "gb_month"),
            ({"unit": ""}, "unit"),
            ({"currency": ""}, "currency"),
            ({"provider": "ninguem"}, "um destes"),
        ],
    )
    def test_a_wrong_price_of_storage_is_told_with_file_and_line(self, data, rules, changes, words):
        text, path = _storage_row(**changes), "data/storage_prices.csv"
        _, problems = parse_storage_prices(text, path, data.providers, data.vocabularies, rules)
        assert {(p.path, p.line) for p in problems} == {(path, 2)}
        assert words in " ".join(map(str, problems))

    @pytest.mark.parametrize(
        ("rows", "line", "words"),
        [
            (["0,ilimitado,USD,fonte,"], 2, "sem tarifa se escreve 0"),
            (["0,-0.09,USD,fonte,"], 2, "maior ou igual a zero"),
            (["0,9,USD,fonte,"], 2, "confira a unidade"),
            (["100,0.09,USD,fonte,"], 2, "começa em 0 GB"),
            (["0,0,USD,fonte,", "0,0.09,USD,fonte,"], 3, "repetido"),
        ],
    )
    def test_a_wrong_price_of_egress_is_told_with_file_and_line(self, data, rules, rows, line, words):
        path = "data/egress_prices.csv"
        _, problems = parse_egress_prices(_egress_rows(*rows), path, data.providers, data.vocabularies, rules)
        assert [(p.path, p.line) for p in problems] == [(path, line)]
        assert words in str(problems[0])

    def test_facts_and_prices_tell_the_same(self, data):
        told = {
            id_: fact.value
            for id_, provider in data.providers.items()
            if (fact := provider.facts.get("persistent_storage")) and fact.value[:1].isdigit()
        }
        priced = {price.provider: price.running for price in data.cost.storage.values()}
        assert {id_: Decimal(value) for id_, value in told.items()} == {id_: priced[id_] for id_ in told}
        tiered = {
            id_ for id_, p in data.providers.items() if "egress" in p.facts and p.facts["egress"].value == "tiered"
        }
        assert {provider for provider, _ in data.cost.egress} == tiered

    def test_every_country_of_an_offer_has_its_class(self, data):
        used = {region.country for region in data.regions.values()} | set(data.offers["country"])
        assert used - {""} <= set(data.cost.countries)
        assert {c.code for c in data.cost.countries.values() if c.lgpd == "brazil"} == {"BR"}
        assert data.cost.countries["FI"].lgpd == data.cost.countries["NO"].lgpd == "adequate"
        assert data.cost.countries["US"].lgpd == data.cost.countries["CH"].lgpd == "instrument"

    def test_every_guide_has_at_least_three_scenarios(self, data):
        counts = Counter(scenario.workload for scenario in data.cost.scenarios.values())
        assert all(counts[guide] >= 3 for guide in data.workloads)
