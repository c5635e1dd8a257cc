"""Rates and the tax are dated, chosen by day, and a wrong one is kept out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cost.reais import in_reais, iof_is_stale, iof_on
from generator.exchange import convert, judge, latest
from generator.tables.rates import parse_exchange_rates
from generator.tables.taxes import parse_iof

from .conftest import TODAY, a_rate

STEP = Decimal("0.5")
# PTAX of 20 January 2020, Banco Central do Brasil: buy 4.1823, sell 4.1829.
JANUARY_2020 = (
    a_rate("4.1823", date(2020, 1, 20), kind="buy"),
    a_rate("4.1829", date(2020, 1, 20), kind="sell"),
)


def test_the_sell_rate_of_the_day_is_the_one_a_buyer_of_dollars_pays():
    assert latest(JANUARY_2020, "USD", "BRL", date(2020, 1, 20)).rate == Decimal("4.1829")


def test_the_committed_rate_of_16_april_2026_is_5_0007(data):
    assert data.rate("USD", "BRL", date(2026, 4, 16)).rate == Decimal("5.0007")


@pytest.mark.parametrize("day", [date(2026, 4, 18), date(2026, 4, 19), date(2026, 4, 21)])  # Saturday, Sunday, holiday
def test_on_days_without_a_bulletin_the_last_one_holds_with_its_own_date(day):
    assert latest([a_rate("4.9", date(2026, 4, 15)), a_rate("5.0007")], "USD", "BRL", day).day == date(2026, 4, 16)


def test_a_rate_of_the_future_is_never_used():
    assert latest([a_rate("5.0007")], "USD", "BRL", date(2026, 4, 15)) is None


def test_without_a_chain_of_rates_nothing_is_converted():
    assert convert(Decimal(10), "EUR", "BRL", (a_rate(5),), TODAY) is None
    assert convert(Decimal(10), "BRL", "BRL", (), TODAY).amount == 10


def test_a_currency_without_a_rate_to_the_real_goes_through_the_dollar():
    euro = a_rate("1.10", base="EUR", quote="USD", kind="mid")
    converted = convert(Decimal(10), "EUR", "BRL", (a_rate(5), euro), TODAY)
    assert converted.amount == 55
    assert [rate.base for rate in converted.rates] == ["EUR", "USD"]


@given(st.decimals("0.01", "1000000", places=2), st.decimals("0.5", "20", places=4))
def test_there_and_back_is_the_same_amount(amount, rate):
    there = convert(amount, "USD", "BRL", (a_rate(rate),), TODAY)
    back = convert(there.amount, "BRL", "USD", (a_rate(rate),), TODAY)
    assert abs(back.amount - amount) < Decimal("1e-15") * max(amount, 1)


@pytest.mark.parametrize(
    ("day", "percent"),
    [
        (date(2022, 6, 1), "6.38"),
        (date(2025, 3, 1), "3.38"),
        (date(2025, 6, 1), "3.5"),
        (date(2025, 7, 1), "3.38"),
        (date(2025, 8, 1), "3.5"),
    ],
)
def test_the_tax_of_a_day_is_the_one_in_force_on_it(data, day, percent):
    assert iof_on(data.cost.iof, day).percent == Decimal(percent)


def test_before_the_series_no_tax_is_invented(data):
    assert iof_on(data.cost.iof, date(2021, 12, 31)) is None


def test_a_tax_checked_long_ago_is_stale_and_one_checked_now_is_not(data, rules):
    last = data.cost.iof[-1]
    assert not iof_is_stale(data, last.checked_on + timedelta(days=rules.iof_check_days))
    assert iof_is_stale(data, last.checked_on + timedelta(days=rules.iof_check_days + 1))


class TestJudge:
    known = (a_rate("5.0007"),)
    day = date(2026, 11, 27)

    @pytest.mark.parametrize(
        ("rate", "reason"),
        [
            (a_rate("50.007", day), "longe demais"),
            (a_rate("0.50007", day), "longe demais"),
            (a_rate(0, day), "zero ou negativa"),
            (a_rate("-5", day), "zero ou negativa"),
            (a_rate("5.1", TODAY + timedelta(days=1)), "futuro"),
            (a_rate("5.9", date(2026, 4, 16)), "mesmo dia"),
        ],
    )
    def test_an_absurd_rate_is_kept_out_and_told(self, rate, reason):
        accepted, refused = judge([rate], self.known, TODAY, STEP)
        assert accepted == ()
        assert reason in refused[0].reason

    def test_an_empty_answer_leaves_the_last_good_rate(self):
        assert judge([], self.known, TODAY, STEP) == ((), ())

    def test_rates_in_the_wrong_order_are_put_in_the_order_of_their_days(self):
        found = [a_rate("5.3", date(2026, 11, 27)), a_rate("5.2", date(2026, 11, 26))]
        accepted, refused = judge(found, self.known, TODAY, STEP)
        assert [rate.day.day for rate in accepted] == [26, 27]
        assert refused == ()

    def test_a_rate_already_known_is_no_news(self):
        assert judge(self.known, self.known, TODAY, STEP) == ((), ())

    def test_one_bad_rate_does_not_take_the_good_ones_with_it(self):
        found = [a_rate("53", date(2026, 11, 26)), a_rate("5.3", date(2026, 11, 27))]
        accepted, refused = judge(found, self.known, TODAY, STEP)
        assert [str(rate.rate) for rate in accepted] == ["5.3"]
        assert len(refused) == 1


class TestTables:
    @pytest.mark.parametrize(
        ("rows", "line", "words"),
        [
            (["2026-04-16,5.0007", "2026-04-17,50.007"], 3, "longe demais"),
            (["2026-04-16,5.0007", "2026-04-15,5.01"], 3, "mais antiga à mais nova"),
            (["2026-04-16,0"], 2, "maior que zero"),
            (['2026-04-16,"5,0007"'], 2, "ponto decimal"),
            (["16/04/2026,5.0007"], 2, "AAAA-MM-DD"),
        ],
    )
    def test_a_wrong_rate_is_told_with_file_and_line(self, data, rows, line, words):
        text = "base,quote,day,rate,kind,source\n" + "".join(f"USD,BRL,{row},sell,PTAX\n" for row in rows)
        _, problems = parse_exchange_rates(text, "data/exchange_rates.csv", data.vocabularies, STEP)
        assert [(p.path, p.line) for p in problems] == [("data/exchange_rates.csv", line)]
        assert words in str(problems[0])

    @pytest.mark.parametrize(
        ("row", "words"),
        [
            ("2026-01-01,35,2026-01-01,x", "plausível"),
            ("2026-01-01,-1,2026-01-01,x", "plausível"),
            ("2026-01-01,3.5,,x", "checked_on"),
            ("2026-01-01,3.5,2026-01-01,", "source"),
        ],
    )
    def test_a_tax_that_is_absurd_undated_or_without_source_is_refused(self, rules, row, words):
        text = f"in_force_from,percent,checked_on,source\n{row}\n"
        _, problems = parse_iof(text, "data/iof.csv", rules)
        assert [p.line for p in problems] == [2]
        assert words in str(problems[0])


def test_rates_and_tax_of_the_day_are_kept_with_the_amount(data):
    late = replace(data, rates=(a_rate("5.0007"), a_rate("5.2", date(2026, 11, 27), kind="sell")))
    spent = in_reais(Decimal(100), "USD", "foreign_card", late, TODAY)
    assert spent.rates[0].day == date(2026, 11, 27)
    assert spent.iof.in_force_from == date(2025, 7, 16)
