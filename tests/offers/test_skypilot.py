"""The second opinion: files of our own in each real layout of the catalogue, and what the adapter makes of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from generator.normalise import normalise
from generator.normalise.reference import Reference
from generator.problems import ProblemsError
from generator.sources import skypilot

from .conftest import a_raw

FOLDER = Path(__file__).parent / "skypilot"
SEEN = "2026-06-02"

# cloud, row: card, how many, price, model, sold as
ROWS = {
    "aws": [
        ("H100", "8.0", "40.0", "on_demand", "machine"),
        ("H100", "8.0", "16.500000", "spot", "machine"),
        ("H200", "8.0", "18.700000", "spot", "machine"),
        ("H200", "8.0", "", "on_demand", "machine"),
    ],
    "gcp": [  # host and card of the same zone are one machine; what has no partner is none
        ("A100", "1", "3.60", "on_demand", "machine"),
        ("A100", "1", "1.70", "spot", "machine"),
        ("", "0", "0.71", "on_demand", "no_gpu"),
        ("", "0", "0.31", "spot", "no_gpu"),
        ("", "0", "0.47", "on_demand", "no_gpu"),
        ("", "0", "0.10", "spot", "no_gpu"),
        ("H100", "8", "78.37", "on_demand", "addon"),
        ("H100", "8", "22.72", "spot", "addon"),
        ("tpu-v6e-1", "1", "700.0", "on_demand", "addon"),
        ("tpu-v6e-1", "1", "700.0", "spot", "addon"),
    ],
    "verda": [
        ("B300", "1.0", "6.90", "on_demand", "machine"),
        ("B300", "1.0", "2.4", "spot", "machine"),
        ("B300", "2.0", "4.8", "spot", "machine"),
    ],
    "runpod": [
        ("A100-80GB", "2.0", "2.78", "on_demand", "machine"),
        ("A100-80GB", "2.0", "2.70", "spot", "machine"),
    ],
    "jarvislabs": [("L4", "1", "0.44", "on_demand", "machine")],
    "paperspace": [("H100", "1.0", "5.95", "on_demand", "machine")],
    "scaleway": [("P100", "1", "1.2426", "on_demand", "machine")],
}


def read(cloud):
    return skypilot.parse((FOLDER / f"{cloud}.csv").read_bytes(), cloud, SEEN)


@pytest.mark.parametrize(("cloud", "rows"), ROWS.items())
def test_each_layout_is_read_by_column_name(cloud, rows):
    found = [(raw.gpu, raw.gpu_count, raw.price, raw.pricing_model, raw.price_for) for raw in read(cloud)]
    assert found == rows


GCP = "InstanceType,AcceleratorName,AcceleratorCount,Region,AvailabilityZone,Price,SpotPrice\n"
JOINED = [
    ("a2-highgpu-1g", "A100,1.0", "A100"),
    ("g2-standard-12", "L4,1", "L4"),
    ("g2-standard-96", "L4,8.0", "L4"),
    ("n1-standard-8", "T4,1.0", "T4"),
    ("a3-edgegpu-8g-nolssd", "H100,8", "H100"),
    ("a4-highgpu-8g", "B200,8", "B200"),
]


@pytest.mark.parametrize(("host", "card", "gpu"), JOINED)
def test_each_google_host_is_joined_with_its_card_however_the_count_is_written(host, card, gpu):
    text = f"{GCP}{host},,,us-1,us-1-a,0.50,\n,{card},us-1,us-1-a,2.25,\n"
    [machine] = skypilot.parse(text.encode(), "gcp", SEEN)
    assert (machine.instance, machine.gpu, machine.price, machine.price_for) == (host, gpu, "2.75", "machine")


def test_a_host_price_that_is_no_number_costs_its_row_and_not_the_source(reference):
    text = f"{GCP}a2-highgpu-1g,,,us-1,us-1-a,n/a,\n,A100,1,us-1,us-1-a,2.90,\na4-highgpu-8g,,,us-1,us-1-a,9,\n"
    first, other = skypilot.parse(text.encode(), "gcp", SEEN)
    assert (first.price, other.price) == ("n/a + 2.90", "9")
    fates = normalise([], reference, [first, other]).fates
    assert list(fates["record"]) == ["skypilot/gcp/vms.csv:2", "skypilot/gcp/vms.csv:4"]


RESOLVED = {
    "vast": ["h100-nvl", "gpu_not_tracked", "rtx-5090", "a100-40-sxm", "rtx-4090"],
    "hyperstack": ["h100-sxm"],
    "lambda": ["h100-sxm", "h100-pcie"],
    "primeintellect": ["a100-80", "no_gpu"],
    "shadeform": ["rtx-a6000", "not_gpu"],
    "do": ["no_gpu", "h100-80"],
    "nebius": ["no_gpu", "h200-sxm"],
    "mithril": ["h100-sxm"],
    "oci": ["a100-80-sxm", "a10"],
    "verda": ["b300", "b300"],
}


@pytest.mark.parametrize(("cloud", "cards"), RESOLVED.items())
def test_the_exact_card_comes_from_the_machine_and_then_the_memory(reference, cloud, cards):
    from generator.normalise.rows import text_frame, typed

    lines = typed(text_frame(read(cloud)), reference).drop_duplicates("record")
    found = [row.id_gpu if row.price_for == "machine" and row.id_gpu else row.reason for row in lines.itertuples()]
    assert found == cards


def test_a_reseller_tells_its_upstream_by_our_names():
    assert [raw.upstream for raw in (*read("shadeform"), *read("primeintellect"))] == [
        "lambda", "denvr", "verda", "latitude",
    ]  # fmt: skip


def test_no_row_is_ever_published_and_each_is_accounted_for(reference):
    opinions = [raw for cloud in (*ROWS, *RESOLVED) for raw in read(cloud)]
    outcome = normalise([], reference, opinions)
    assert outcome.offers.empty
    assert len(outcome.fates) == len(opinions)
    assert not outcome.fates["reason"].eq("").any()
    assert set(outcome.fates["reason"]) <= set(reference.rules.reasons)


HEADER = b"InstanceType,AcceleratorName,AcceleratorCount,Region,SpotPrice,Price\n"
BROKEN = {
    "HTML with status 200": b"<html><body><h1>Tente de novo em 30 segundos</h1></body></html>\n",
    "empty body": b"",
    "a column gone": (FOLDER / "lambda.csv").read_bytes().replace(b",Price,", b",Preco,"),
    "cut inside the last line": (FOLDER / "lambda.csv").read_bytes()[:-30],
    "cut inside the last cell": HEADER + b"m,H100,1,us,,2.4",
    "a trailing comma": HEADER + b"m,H100,1,us,,2.4,\n",
    "another encoding": (FOLDER / "vast.csv").read_text(encoding="utf-8").encode("cp1252"),
}


@pytest.mark.parametrize("payload", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_not_the_catalogue_is_refused_whole(payload):
    with pytest.raises(ProblemsError) as raised:
        skypilot.parse(payload, "alfa", SEEN)
    assert all(problem.path == "skypilot/alfa/vms.csv" for problem in raised.value.problems)


def test_a_byte_order_mark_and_line_ends_change_nothing():
    plain = (FOLDER / "oci.csv").read_bytes()
    assert skypilot.parse(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"), "oci", SEEN) == read("oci")


def _with_second(reference: Reference, ours, theirs):
    return normalise(ours, reference, theirs)


def an_opinion(**changes):
    return replace(a_raw(source="skypilot", record="skypilot:1", **changes))


def test_a_price_close_to_ours_confirms_it_in_silence(reference):
    outcome = _with_second(reference, [a_raw(price="2.50")], [an_opinion(price="2.90")])
    assert outcome.reviews == ()
    assert list(outcome.offers["flags"]) == [""]


def test_a_price_more_than_a_fifth_apart_goes_to_review_with_both_values(reference):
    ours, theirs = a_raw(price="40", gpu_count="8"), an_opinion(price="32", gpu_count="8")
    outcome = _with_second(reference, [ours], [theirs])
    [review] = outcome.reviews
    assert (review.kind, review.published_usd_hour, review.other_usd_hour) == ("second_opinion", "40", "32")
    assert list(outcome.offers["flags"]) == ["disputed_price"]
    assert list(outcome.offers["price_hour"]) == [40]


@pytest.mark.parametrize("price", ["700.0", "0.05", "0"])
def test_a_marker_or_a_bid_floor_is_no_opinion_even_of_a_place_nobody_knows(reference, price):
    ours = a_raw(instance="m8", region="us-1", price="2.50")
    theirs = an_opinion(instance="m8", region="lua", price=price)
    assert _with_second(reference, [ours], [theirs]).reviews == ()
    sound = replace(theirs, price="5.00")
    assert len(_with_second(reference, [ours], [replace(sound, region="us-1")]).reviews) == 1


def test_other_regions_say_nothing_of_ours_unless_all_cost_the_same(reference):
    ours = a_raw(instance="m8", region="us-1", price="2.50")
    regional = [
        an_opinion(instance="M8", region=region, price=price) for region, price in (("us-2", "4"), ("us-3", "5"))
    ]
    assert _with_second(reference, [ours], regional).reviews == ()
    uniform = [replace(raw, price="5") for raw in regional]
    assert len(_with_second(reference, [ours], uniform).reviews) == 1


def test_a_second_source_lets_in_a_price_that_looked_too_low(reference):
    rows = [
        a_raw(instance="m8", gpu_count="8", region=f"us-{number}", price=price, record=f"teste:{number}")
        for number, price in enumerate(("33.6", "78.3", "78.3", "90.7"), 1)
    ]
    agreed = an_opinion(instance="m8", gpu_count="8", region="us-1", price="35")
    assert len(_with_second(reference, rows, []).offers) == 3
    assert len(_with_second(reference, rows, [agreed]).offers) == 4
