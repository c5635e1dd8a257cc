"""The hand-kept YAML: the simple case is short, and what is wrong is told with its line."""

import pytest

from generator.problems import ProblemsError
from generator.sources import curated

HEADER = """\
provider: alfa
source_url: https://exemplo.com/precos
observed_on: 2026-06-01
seen_in: página de preços do provedor
currency: USD
offers:
"""
PATH = "data/curated/alfa.yml"


def read(offers, header=HEADER):
    return curated.parse((header + offers).encode(), PATH)


def test_a_gpu_and_a_price_are_an_offer():
    [offer] = read("- {gpu: RTX 4090, price: 0.69}")
    assert (offer.gpu, offer.gpu_count, offer.price, offer.currency) == ("RTX 4090", "1", "0.69", "USD")
    assert (offer.pricing_model, offer.price_for, offer.availability) == ("on_demand", "machine", "listed")
    assert (offer.observed_on, offer.record) == ("2026-06-01", f"{PATH}:7")


def test_several_pricing_models_and_regions_are_one_offer_each_with_its_line():
    offers = read(
        "- gpu: H100 SXM\n"
        "  prices: {on_demand: 3.29, spot: 1.10}\n"
        "- gpu: L4\n"
        "  pricing_model: spot\n"
        "  regions:\n"
        "    us-1: 0.80\n"
        "    sa-1: {on_demand: 1.36, reserved_1y: 0.9}\n"
    )
    assert [(offer.region, offer.pricing_model, offer.price, offer.record.rpartition(":")[2]) for offer in offers] == [
        ("", "on_demand", "3.29", "8"),
        ("", "spot", "1.10", "8"),
        ("us-1", "spot", "0.80", "12"),
        ("sa-1", "on_demand", "1.36", "13"),
        ("sa-1", "reserved_1y", "0.9", "13"),
    ]


@pytest.mark.parametrize(
    "priceless",
    [
        'price: ""', "price: ~", "prices: ~", "prices: {on_demand: ~}", "regions: {}", "regions: {us-1: ~}",
        "regions: {us-1: {on_demand: ~}}",
    ],
)  # fmt: skip
def test_an_offer_that_waits_for_its_price_is_still_a_row_to_count(priceless):
    [offer] = read(f"- gpu: L4\n  {priceless}\n")
    assert (offer.price, offer.pricing_model, offer.record) == ("", "on_demand", f"{PATH}:8")


def test_units_are_declared_and_left_for_later():
    [offer] = read(
        "- gpu: A10\n  gpu_count: 1/6\n  ocpus: 15\n  disk: {nvme: 500}\n  network: {ethernet: até 25}\n"
        "  price_for: gpu\n  price_every: month\n  price: 330\n  flags: [approximate_price]\n"
    )
    assert (offer.gpu_count, offer.vcpus, offer.cpu_unit) == ("1/6", "15", "ocpu")
    assert (offer.disk_kind, offer.disk_gb) == ("nvme", "500")
    assert (offer.node_network, offer.node_network_gbps, offer.flags) == (
        "ethernet",
        "25",
        "approximate_price;network_peak",
    )
    assert (offer.price_for, offer.price_every) == ("gpu", "month")


def test_an_offer_may_have_its_own_page_day_and_currency():
    [offer] = read(
        "- {gpu: L4, price: 4.10, currency: BRL, source_url: 'https://exemplo.com/br', observed_on: 2026-05-01}"
    )
    assert (offer.currency, offer.source_url, offer.observed_on) == ("BRL", "https://exemplo.com/br", "2026-05-01")


WRONG = {
    "an unknown field": ("- {gpu: L4, price: 0.8, preco: 1}", 7, "preco"),
    "no price": ("- {gpu: L4}", 7, "sem preço"),
    "two kinds of price": ("- {gpu: L4, price: 0.8, prices: {spot: 0.3}}", 7, "price e prices"),
    "a price that is a list": ("- {gpu: L4, price: [0.8]}", 7, "lista"),
    "an unknown unit": ("- {gpu: L4, price: 0.8, price_every: dia}", 7, "dia"),
    "an empty list": ("  []", 6, "nenhuma oferta"),
    "a day that does not exist": ("- {gpu: L4, price: 0.8, observed_on: 2026-02-30}", 7, "2026-02-30"),
    "a page that no one can open": ("- {gpu: L4, price: 0.8, source_url: exemplo}", 7, "exemplo"),
}


@pytest.mark.parametrize(("offers", "line", "told"), WRONG.values(), ids=WRONG.keys())
def test_a_badly_formed_offer_is_told_with_its_line(offers, line, told):
    with pytest.raises(ProblemsError) as raised:
        read(offers)
    assert any(problem.line == line and told in str(problem) for problem in raised.value.problems), raised.value


def test_a_file_without_source_or_day_is_told_all_at_once():
    with pytest.raises(ProblemsError) as raised:
        read("- {gpu: L4, price: 0.8}", header="provider: alfa\noffers:\n")
    assert {name for name in ("source_url", "observed_on", "seen_in") if name in str(raised.value)} == {
        "source_url",
        "observed_on",
        "seen_in",
    }


def test_a_repeated_key_and_another_encoding_are_told():
    with pytest.raises(ProblemsError, match="repetida"):
        read("- {gpu: L4, price: 0.8, price: 0.9}")
    with pytest.raises(ProblemsError, match="UTF-8"):
        curated.parse((HEADER + "- {gpu: L4, price: 0.8, notes: São Paulo}").encode("cp1252"), PATH)


def test_byte_order_mark_and_line_ends_change_nothing():
    text = HEADER + "- {gpu: L4, price: 0.8}\n"
    assert curated.parse(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), PATH) == curated.parse(
        text.encode(), PATH
    )
