"""Brazilian formats, fixed by hand from the conventions of the language and by the cases that other sites got wrong."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from generator import formatting as f

NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("value", "currency", "expected"),
    [
        (Decimal("1234.5"), "BRL", f"R${NBSP}1.234,50"),
        (Decimal("-12.5"), "BRL", f"-R${NBSP}12,50"),
        (Decimal("1234.5"), "USD", f"US${NBSP}1.234,50"),
        (Decimal("2.8"), "EUR", f"€{NBSP}2,80"),
        (Decimal("0.0025"), "USD", f"US${NBSP}0,0025"),
        (Decimal("0.0149"), "USD", f"US${NBSP}0,0149"),
        (Decimal("0.000012"), "USD", f"US${NBSP}0,000012"),
        (Decimal("0.05"), "USD", f"US${NBSP}0,05"),
        (Decimal(0), "USD", f"US${NBSP}0,00"),
        (12345678.05, "USD", f"US${NBSP}12.345.678,05"),
        (Decimal("2.345"), "USD", f"US${NBSP}2,35"),
        (Decimal("2.355"), "USD", f"US${NBSP}2,36"),
        (2.345, "USD", f"US${NBSP}2,35"),
        (1.1 * 730, "USD", f"US${NBSP}803,00"),
    ],
)
def test_money_reads_as_a_brazilian_writes_it(value, currency, expected):
    assert f.money(value, currency) == expected


def test_bandwidth_changes_unit_at_a_thousand():
    assert f.bandwidth(3350) == f"3,35{NBSP}TB/s"
    assert f.bandwidth(864) == f"864{NBSP}GB/s"
    assert f.bandwidth(8000) == f"8{NBSP}TB/s"


def test_binary_and_decimal_gigabytes_are_never_mixed():
    # A card sold as "80 GB" that shows 81,559 MiB has 79.65 GiB.
    assert f.gibibytes(81559 * 2**20) == f"79,6{NBSP}GiB"
    assert f.quantity(80, "GB") == f"80{NBSP}GB"


def test_dates_are_written_out():
    assert f.day_long(date(2026, 1, 31)) == "31 de janeiro de 2026"
    assert f.day_long(date(2026, 3, 1)) == "1º de março de 2026"
    assert f.day_short(date(2026, 1, 31)) == "31/01/2026"


def test_an_instant_is_shown_in_brasilia_time_whatever_the_machine():
    assert f.moment(datetime(2025, 3, 1, 1, 30, tzinfo=UTC)) == "28 de fevereiro de 2025, 22h30 (Brasília)"


@pytest.mark.parametrize(("n", "text"), [(0, "0 ofertas"), (1, "1 oferta"), (2, "2 ofertas"), (1234, "1.234 ofertas")])
def test_nouns_agree_with_their_number(n, text):
    assert f.count(n, "oferta", "ofertas").replace(NBSP, " ") == text


@pytest.mark.parametrize(("days", "text"), [(0, "hoje"), (1, "há 1 dia"), (190, "há 190 dias")])
def test_age_in_words(days, text):
    assert f.age(days).replace(NBSP, " ") == text


def test_country_names_are_portuguese_and_namibia_is_not_missing():
    assert f.country("BR") == "Brasil"
    assert f.country("NA") == "Namíbia"
    assert f.country("ZZZ") == "ZZZ"


@pytest.mark.parametrize("value", [None, "", float("nan")])
def test_unknown_is_recognised(value):
    assert f.is_missing(value)


@pytest.mark.parametrize("value", [0, 0.0, "0", "NA", "null"])
def test_zero_and_text_are_not_unknown(value):
    assert not f.is_missing(value)


def test_words_are_joined_as_in_speech():
    assert f.words(["SSH", "Docker", "Jupyter"]) == "SSH, Docker e Jupyter"
