"""Exchange rates as people keep them: exact, dated, and refused where they make no sense."""

from datetime import date

import pytest

from generator.tables.rates import parse_exchange_rates
from tests.test_tables import VOCABULARIES, good


def test_exchange_rates_are_exact_and_dated():
    # Banco Central, 20 January 2020: buys at 4.1823, sells at 4.1829
    text = "base,quote,day,rate,kind,source\nUSD,BRL,2020-01-20,4.1829,sell,PTAX\nUSD,BRL,2020-01-20,4.1823,buy,PTAX\n"
    rates = good(parse_exchange_rates(text, "rates.csv", VOCABULARIES))
    assert [(str(rate.rate), rate.kind, rate.day) for rate in rates] == [
        ("4.1823", "buy", date(2020, 1, 20)),
        ("4.1829", "sell", date(2020, 1, 20)),
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('USD,BRL,2020-01-20,"4,18",sell,PTAX', "vírgula por ponto"),
        ("USD,BRL,20/01/2020,4.18,sell,PTAX", "AAAA-MM-DD"),
        ("USD,BRL,2020-01-20,0,sell,PTAX", "maior que zero"),
        ("USD,BRLL,2020-01-20,4.18,sell,PTAX", "«BRL»"),
        ("USD,BRL,2020-01-20,4.18,venda,PTAX", "sell"),
        ("USD,BRL,2020-01-20,4.18,sell,", "preencha"),
    ],
)
def test_a_wrong_rate_is_reported(row, words):
    rates, problems = parse_exchange_rates(f"base,quote,day,rate,kind,source\n{row}\n", "r.csv", VOCABULARIES)
    assert rates == ()
    assert words in str(problems[0])
