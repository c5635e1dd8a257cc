"""What holds for any rows: the account adds up, order does not matter, nothing is published that the schema refuses."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.normalise import normalise
from generator.normalise.csv_files import offers_csv, parse_offers
from generator.normalise.merge import offer_id, slug
from generator.normalise.numbers import UnreadableError, as_text, read_decimal, round_money
from generator.normalise.schema import offers_problems, offers_schema
from generator.sources.raw import RawOffer

from .conftest import GPUS, a_raw

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LIKELY = {
    "provider": ["alfa", "beta", "omega", ""],
    "upstream": ["", "alfa", "delta"],
    "gpu": ["H100 SXM", "A100", "A100 80GB", "L4", "RTX 4090", "Z900", "tpu-v5e", "GTX 1080", ""],
    "gpu_count": ["1", "8", "0", "1/6", "0.125", "-1", "oito"],
    "gpu_memory": ["", "80", "24", "4096", "x"],
    "gpu_memory_unit": ["gb", "mib"],
    "instance": ["", "m1", "m-1", "M1", "Máquina 1", "0012"],
    "region": ["", "NA", "sa-east-1", "us-1", "us-2", "us-3", "us-4", "lua", "X, US, NA"],
    "price": ["", "0", "2.5", "2.50", "20", "700", "9999", "-1", "0.01", "1e-7", "1E+30", "2,5", "NaN", "grátis"],
    "price_for": ["machine", "gpu", "gpu_only", "addon", "no_gpu"],
    "price_every": ["hour", "month"],
    "currency": ["USD", "BRL", "EUR", "", "usd"],
    "pricing_model": ["on_demand", "spot", "reserved_1y", "leilão"],
    "tier": ["", "secure", "community", "outro"],
    "vcpus": ["", "8", "24-30", "oito"],
    "ram_gib": ["", "64", "1,024"],
    "observed_on": ["2026-06-01", "2026-01-01", "2026-13-01", ""],
    "decimal_mark": [".", ","],
    "flags": ["", "estimated_price", "inventado", "network_peak;approximate_price"],
    "node_network": ["", "efa", "sinal de fumaça"],
}
FREE = ("gpu", "instance", "region", "price", "gpu_count", "ram_gib", "tier", "observed_on")


@st.composite
def raw_offers(draw) -> RawOffer:
    """Return a raw offer that is mostly likely, with some fields of any text at all."""
    changes = {name: draw(st.sampled_from(values)) for name, values in LIKELY.items() if draw(st.booleans())}
    if draw(st.integers(0, 3)) == 0:
        changes[draw(st.sampled_from(FREE))] = draw(ANY_TEXT)
    return a_raw(**changes)


def numbered(raws):
    return [replace(raw, record=f"teste:{number}") for number, raw in enumerate(raws)]


@pytest.fixture(scope="module")
def outcome(reference):
    """Return what becomes of raw offers; a function, because hypothesis prints what a test is given."""
    return lambda raws: normalise(raws, reference)


@pytest.fixture(scope="module")
def refused(reference):
    """Return what the schema refuses of some offers."""
    schema = offers_schema(reference.providers, GPUS, reference.rules)
    return lambda offers: offers_problems(offers, schema, "offers.csv")


@pytest.fixture(scope="module")
def reasons(reference):
    """Return every reason, and those that wait for a person, without printing the rest."""
    return frozenset(reference.rules.reasons), reference.rules.quarantined


SLOW = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@SLOW
@given(raws=st.lists(raw_offers(), max_size=12))
def test_every_row_is_published_quarantined_or_dropped_and_what_is_published_is_sound(outcome, refused, reasons, raws):
    known, quarantined = reasons
    found = outcome(numbered(raws))
    fates = found.fates["reason"]
    assert len(fates) == len(raws)
    assert set(fates) <= {"", *known}
    assert fates.eq("").sum() == len(found.offers)
    assert fates.isin(list(quarantined)).sum() == len(found.quarantine)
    assert refused(found.offers) == []


@SLOW
@given(raws=st.lists(raw_offers(), min_size=1, max_size=10), data=st.data())
def test_order_and_repetition_of_rows_change_nothing_of_what_is_published(outcome, raws, data):
    rows = numbered(raws)
    first = offers_csv(outcome(rows).offers)
    shuffled = data.draw(st.permutations(rows))
    assert offers_csv(outcome(shuffled).offers) == first
    again = [*rows, *data.draw(st.lists(st.sampled_from(rows), max_size=4))]
    assert offers_csv(outcome(again).offers) == first


@SLOW
@given(raws=st.lists(raw_offers(), max_size=10))
def test_the_file_keeps_everything(outcome, raws):
    offers = outcome(numbered(raws)).offers
    text = offers_csv(offers)
    again, problems = parse_offers(text.decode(), "offers.csv")
    assert not problems
    assert offers_csv(again) == text
    assert again.equals(offers)


@given(st.decimals("0.000001", "999999999", places=6))
def test_money_survives_the_way_to_the_file_and_back(amount):
    assert read_decimal(as_text(float(amount))) == amount


@given(st.decimals("0.01", "9999999", places=2))
def test_both_decimal_marks_read_the_same_money(amount):
    plain = f"{amount:,.2f}"
    swapped = plain.translate(str.maketrans(",.", ".,"))
    assert read_decimal(plain, ".") == read_decimal(swapped, ",") == amount


@given(ANY_TEXT, st.sampled_from([".", ","]))
def test_any_text_is_a_number_or_refused(text, mark):
    try:
        assert isinstance(read_decimal(text, mark), Decimal)
    except UnreadableError as error:
        assert str(error) == text  # noqa: PT017 - either outcome is right


@given(ANY_TEXT)
def test_a_slug_is_made_of_plain_characters_once(text):
    made = slug(text)
    assert slug(made) == made
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")


@given(ANY_TEXT, ANY_TEXT)
def test_an_offer_has_a_readable_key_whatever_the_names(instance, region):
    key = offer_id(("alfa", "", instance, "h100-sxm", Decimal(8), region, "on_demand", ""))
    assert re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*(--[a-z0-9]+([-.][a-z0-9]+)*)*", key)


@given(st.decimals("-1000000", "1000000", places=9))
def test_money_is_rounded_to_six_decimals_and_only_once(amount):
    rounded = round_money(amount)
    assert abs(rounded - amount) <= Decimal("0.0000005")
    assert round_money(rounded) == rounded
