"""What only shows against the past: changes that wait, what confirms them, and corrections that run out."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from generator.model import ExchangeRate
from generator.normalise import normalise
from generator.normalise.across import Past, Waiting
from generator.normalise.corrections import expired
from generator.refresh.keeping import with_kept
from generator.refresh.rates import new_rates
from generator.tables.corrections import parse_corrections

from .conftest import a_raw

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEY = "alfa--m1--h100-sxm-1x--us-1--on-demand"


def price_list(**price_of):
    """Return rows of a price list: machines of one provider, each with its changes."""
    return [
        a_raw(source="viva", record=name, instance=name, region="us-1", availability="listed", **changes)
        for name, changes in price_of.items()
    ]


class Run:
    """Runs one after the other, as `refresh` does, over what the last one left."""

    def __init__(self, reference, raws):
        self.reference, self.waiting, self.now = reference, {}, NOW
        self.last = self._last(normalise(raws, reference))

    def _last(self, outcome):
        return type("Last", (), {"offers": outcome.offers, "quarantine": outcome.quarantine[:0],
                                 "provenance": outcome.provenance.assign(adapter_version="")})  # fmt: skip

    def __call__(self, raws, hours=6, opinions=()):
        self.now += timedelta(hours=hours)
        past = Past(self.last.offers, self.waiting, self.now, frozenset({"viva"}))
        outcome = normalise(raws, self.reference, opinions, past)
        outcome = with_kept(outcome, self.last, {"viva"}, past, self.reference.rules)
        self.waiting = {(entry.kind, entry.key): entry for entry in outcome.waiting}
        self.last = self._last(outcome)
        return outcome


@pytest.fixture
def runs(reference):
    return lambda raws: Run(reference, raws)


def price(outcome, key=KEY):
    row = outcome.offers.set_index("offer_id").loc[key]
    return row["price_hour"], row["currency"], row["flags"]


def test_a_price_that_jumps_stays_out_and_the_last_good_one_stays_marked(runs):
    run = runs(price_list(m1={"price": "2.50"}, m2={"price": "2.60"}))
    outcome = run(price_list(m1={"price": "5.00"}, m2={"price": "2.70"}))
    assert price(outcome) == (2.5, "USD", "held_value")
    assert price(outcome, KEY.replace("m1", "m2")) == (2.7, "USD", "")
    assert list(outcome.quarantine["reason"]) == ["price_jump"]
    assert outcome.waiting == (
        Waiting("price_jump", KEY, "viva", "2.5 USD", "5 USD", "2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z", 0),
    )


def test_two_later_runs_confirm_a_change(runs):
    run = runs(price_list(m1={"price": "2.50"}))
    seen = [price(run(price_list(m1={"price": "5.00"}))) for _ in range(4)]
    assert seen == [(2.5, "USD", "held_value"), (2.5, "USD", "held_value"), (5.0, "USD", ""), (5.0, "USD", "")]
    assert run.waiting == {}


def test_runs_close_together_and_other_values_confirm_nothing(runs):
    run = runs(price_list(m1={"price": "2.50"}))
    assert [price(run(price_list(m1={"price": "5.00"}), hours=0.1))[0] for _ in range(4)] == [2.5] * 4
    assert [price(run(price_list(m1={"price": new})))[0] for new in ("5.10", "5.20", "5.30", "5.40")] == [2.5] * 4


def test_a_source_that_takes_its_change_back_leaves_no_trace(runs):
    run = runs(price_list(m1={"price": "2.50"}))
    run(price_list(m1={"price": "5.00"}))
    assert price(run(price_list(m1={"price": "2.50"}))) == (2.5, "USD", "")
    assert run.waiting == {}


def test_a_second_source_confirms_at_once(runs):
    run = runs(price_list(m1={"price": "2.50"}))
    opinion = replace(price_list(m1={"price": "5.00"})[0], source="outra")
    assert price(run(price_list(m1={"price": "5.00"}), opinions=[opinion])) == (5.0, "USD", "")


def test_a_second_published_source_with_the_same_price_confirms_at_once(runs):
    run = runs(price_list(m1={"price": "2.50"}))
    changed = price_list(m1={"price": "5.00"})
    assert price(run([*changed, replace(changed[0], source="zeta")])) == (5.0, "USD", "")


def test_a_currency_that_changes_waits_even_with_the_same_number(runs):
    run = runs(price_list(m1={"price": "8.00", "currency": "USD"}))
    outcome = run(price_list(m1={"price": "8.00", "currency": "BRL"}))
    assert price(outcome) == (8.0, "USD", "held_value")
    assert list(outcome.quarantine["reason"]) == ["currency_changed"]


@pytest.mark.parametrize("bad", ["0", "-1", "9999", "0.0001", "caro"])
def test_a_price_that_cannot_be_keeps_the_last_good_one_for_as_long_as_it_lasts(runs, bad):
    run = runs(price_list(m1={"price": "2.50"}))
    assert [price(run(price_list(m1={"price": bad}))) for _ in range(4)] == [(2.5, "USD", "held_value")] * 4


def test_a_machine_whose_card_gets_an_unknown_name_keeps_its_last_good_price(runs):
    run = runs(price_list(m1={"gpu": "H100 SXM"}))
    outcome = run(price_list(m1={"gpu": "Z900 UltraTurbo"}))
    assert price(outcome)[2] == "held_value"
    assert list(outcome.quarantine["reason"]) == ["gpu_unknown"]


def test_an_offer_gone_from_a_price_list_stays_until_two_later_runs_agree(runs):
    run = runs(price_list(m1={}, m2={}, m3={}, m4={}))
    rest = price_list(m2={}, m3={}, m4={})
    assert [KEY in set(run(rest).offers["offer_id"]) for _ in range(4)] == [True, True, False, False]


def test_what_is_for_rent_right_now_comes_and_goes(runs):
    live = [replace(raw, availability="available") for raw in price_list(m1={}, m2={}, m3={}, m4={})]
    assert KEY not in set(runs(live)(live[1:]).offers["offer_id"])


def test_a_third_of_a_providers_offers_gone_at_once_waits_together(runs):
    names = {f"m{number}": {} for number in range(9)}
    live = [replace(raw, availability="available") for raw in price_list(**names)]
    run = runs(live)
    assert [len(run(live[4:]).offers) for _ in range(4)] == [9, 9, 5, 5]
    outcome = runs(live)(live[4:])
    assert [(entry.kind, entry.key, entry.old) for entry in outcome.waiting] == [("rows_lost", "viva/alfa", "9")]


def test_unlike_cards_that_all_cost_the_same_stay_out(outcome_of):
    cards = ["H100 SXM", "A100 80GB", "L40S", "RTX 4090"] * 2
    same = [{"gpu": gpu, "instance": f"m{n}", "price": "1.90"} for n, gpu in enumerate(cards)]
    assert set(outcome_of(*same).fates["reason"]) == {"prices_all_equal"}
    other = [*same[:-1], same[-1] | {"price": "2.10"}]
    assert "prices_all_equal" not in set(outcome_of(*other).fates["reason"])


def test_the_hour_of_a_run_is_no_news_but_its_day_is(runs):
    def dated(moment):
        return [replace(raw, observed_on=moment) for raw in price_list(m1={})]

    run = runs(dated("2026-11-28T02:00:00+00:00"))
    assert str(run(dated("2026-11-28T08:00:00+00:00")).offers["collected_at"][0]) == "2026-11-28 02:00:00+00:00"
    assert str(run(dated("2026-11-29T02:00:00+00:00")).offers["collected_at"][0]) == "2026-11-29 02:00:00+00:00"


def test_an_old_offer_of_a_source_that_fails_hides_only_where_something_fresher_sells_the_card(reference):
    rules = reference.rules
    kept = normalise(price_list(m1={}, m2={"gpu": "L4", "price": "0.60"}), reference)
    fresh = normalise([a_raw(source="nova", provider="beta", observed_on="2026-11-30")], reference)
    last = type("Last", (), {"offers": kept.offers, "quarantine": kept.quarantine, "provenance": kept.provenance})
    for days, shown in ((29, 3), (31, 2)):
        now = datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=days)
        past = Past(kept.offers, {}, now, frozenset({"viva", "nova"}))
        offers = with_kept(fresh, last, {"nova"}, past, rules).offers
        assert len(offers) == shown
        assert "l4" in set(offers["gpu"]), "nothing fresher sells it"


def test_rows_in_chunks_give_the_same_as_at_once(reference, monkeypatch):
    raws = [
        a_raw(record=str(n), provider=("alfa", "beta", "gama")[n % 3], upstream="alfa" if n % 6 == 2 else "",
              instance=f"m{n % 7}", region="us-1", price=f"{2 + n % 5}.{n % 10}")
        for n in range(120)
    ]  # fmt: skip
    whole = normalise(raws, reference)
    monkeypatch.setattr("generator.normalise.chunking.ROWS", 20)
    parts = normalise(raws, reference)
    assert parts.offers.equals(whole.offers)
    assert parts.quarantine.equals(whole.quarantine)
    assert parts.reviews == whole.reviews
    assert sorted(parts.fates["reason"]) == sorted(whole.fates["reason"])


WRONG = """\
corrections:
- target: {source: teste, instance: m1}
  field: vcpus
  wrong: "15"
  right: "30"
  reason: a fonte conta núcleos físicos
  source_url: https://exemplo.com
  day: 2026-11-30
"""


@pytest.fixture(scope="module")
def corrections():
    found, problems = parse_corrections(WRONG, "data/corrections.yml")
    assert not problems
    return found


def test_a_declared_correction_mends_the_value_and_says_so(reference, corrections):
    raws = [a_raw(instance="m1", vcpus="15"), a_raw(instance="m2", gpu="L4", vcpus="15")]
    offers = normalise(raws, replace(reference, corrections=corrections)).offers.set_index("instance")
    assert offers["vcpus"].to_dict() == {"m1": 30.0, "m2": 15.0}
    assert offers["flags"].to_dict() == {"m1": "corrected", "m2": ""}


@pytest.mark.parametrize(("said", "asks"), [("15", 0), ("30", 1), ("31", 1)])
def test_a_correction_that_the_source_made_needless_asks_to_be_deleted(corrections, said, asks):
    problems = expired(corrections, [a_raw(instance="m1", vcpus=said)], "data/corrections.yml")
    assert [(problem.line, problem.todo) for problem in problems] == [
        (2, "confira o valor novo e apague a correção")
    ] * asks
    assert expired(corrections, [a_raw(instance="m9")], "data/corrections.yml") == [], "its rows did not come"


def test_a_correction_of_an_unknown_field_is_a_problem_with_its_line():
    found, problems = parse_corrections(WRONG.replace("field: vcpus", "field: vcpu"), "data/corrections.yml")
    assert found == ()
    assert [problem.line for problem in problems] == [3]


def ptax(value, day):
    row = f'{{"cotacaoCompra": 1, "cotacaoVenda": {value}, "dataHoraCotacao": "{day} 13:11:33.123"}}'
    return {"ptax": {"endereço": f'{{"value": [{row}]}}'.encode()}}


@pytest.mark.parametrize(
    ("value", "day", "account"),
    [
        ("5.45", "2026-11-30", (1, 0, {})),
        ("5.45", "2026-11-23", (0, 0, {"rate_known": 1})),
        ("54.5", "2026-11-30", (0, 1, {})),  # ten times the last
        ("545", "2026-11-30", (0, 1, {})),  # without its comma
        ("0.185", "2026-11-30", (0, 1, {})),  # the other way round
        ("5.45", "2026-12-01", (0, 1, {})),  # tomorrow
    ],
)
def test_an_exchange_rate_is_only_believed_near_the_last_one(rules, value, day, account):
    known = [ExchangeRate("USD", "BRL", date(2026, 11, 23), Decimal("5.40"), "sell", "teste")]
    found = new_rates(ptax(value, day), known, rules, NOW.date(), Decimal("0.5"))
    [report] = found.reports
    assert (report.rows_published, report.rows_quarantined, report.rows_dropped) == account
    assert len(found.rates) == account[0]
    assert (report.status == "failed") == bool(account[1])


def test_the_first_rate_of_a_pair_has_to_be_plausible_by_itself(rules):
    assert new_rates(ptax("5.45", "2026-11-30"), [], rules, NOW.date(), Decimal("0.5")).rates
    assert not new_rates(ptax("0.185", "2026-11-30"), [], rules, NOW.date(), Decimal("0.5")).rates


def test_a_marketplace_shows_the_cheapest_of_each_kind_in_a_country_and_counts_the_others(reference):
    rows = [
        ("m1", "3.10", "Ohio, US, NA"), ("m2", "2.40", "Texas, US, NA"), ("m3", "2.90", "Bulgaria, BG, EU"),
        ("m4", "2.40", "Utah, US, NA"),
    ]  # fmt: skip
    raws = [
        a_raw(source="vast", provider="vast", record=name, instance=name, price=price, region=region,
              tier="marketplace", availability="available")
        for name, price, region in rows
    ]  # fmt: skip
    outcome = normalise(raws, reference)
    assert outcome.offers[["region", "country", "price_hour", "flags"]].to_numpy().tolist() == [
        ["BG", "BG", 2.9, "lowest_live_offer"],
        ["US", "US", 2.4, "lowest_live_offer"],
    ]
    assert outcome.fates["reason"].value_counts().to_dict() == {"": 2, "market_dearer": 2}
    assert normalise(raws[::-1], reference).offers.equals(outcome.offers)


def test_a_live_price_in_a_currency_without_a_rate_waits_and_a_hand_kept_one_stays_in_its_own(reference):
    fates = normalise([a_raw(currency="CNY"), a_raw(currency="CNY", source="curated", gpu="L4")], reference).fates
    assert sorted(fates["reason"]) == ["", "rate_missing"]
