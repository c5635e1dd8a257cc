"""Each adapter reads an answer in its source's real layout into the rows that stand beside it."""

import csv
import dataclasses
import json
from collections import Counter

import pytest
from replay import ANSWERS, ROUTES, SOURCES, VERSION, fetcher_for, zipped

from generator.sources import gpuhunt, live
from generator.sources.failure import SourceError

OFFERS = [source for source in ROUTES if source in live.OFFERS]
RATES = [source for source in ROUTES if source in live.RATES]


def table(folder, name):
    path = ANSWERS / folder / name
    return list(csv.DictReader(path.read_text("utf-8").splitlines())) if path.exists() else []


def fetched(source, transport, **more):
    adapter = (live.OFFERS | live.RATES)[source]
    with fetcher_for(source, transport, **more) as fetcher:
        return adapter.parse(adapter.download(fetcher))


@pytest.mark.parametrize("source", OFFERS)
def test_every_row_comes_out_as_written(source, transport):
    folder = source.partition("-")[0]
    expected = table(folder, "expected.csv")
    parsed = fetched(source, transport)
    rows = [{name: getattr(offer, name) for name in expected[0]} for offer in parsed.offers]
    assert rows == expected
    assert Counter(row.reason for row in parsed.dropped) == Counter(
        {row["reason"]: int(row["rows"]) for row in table(folder, "dropped.csv")}
    )
    assert parsed.rows_read == len(rows) + len(parsed.dropped)


@pytest.mark.parametrize("source", RATES)
def test_every_rate_comes_out_with_its_day(source, transport):
    expected = table(source, "expected.csv")
    rows = [{name: str(getattr(rate, name)) for name in expected[0]} for rate in fetched(source, transport)]
    assert rows == expected


@pytest.mark.parametrize("source", OFFERS)
def test_rows_say_where_they_come_from_and_lead_to_a_page(source, transport):
    offers = fetched(source, transport).offers
    assert {offer.source for offer in offers} == {source}
    assert all(offer.record and offer.source_url.startswith("https://") for offer in offers)
    assert len({dataclasses.replace(offer, price="") for offer in offers}) == len(offers)


@pytest.mark.parametrize("source", [source for source in OFFERS if source != "gpuhunt-aws"])
def test_rows_without_a_date_of_their_own_get_that_of_the_fetch(source, transport):
    parsed = fetched(source, transport)
    assert {offer.observed_on for offer in parsed.offers} == {""}
    dated = parsed.observed("2026-11-30T12:00:00+00:00")
    assert {offer.observed_on for offer in dated.offers} == {"2026-11-30T12:00:00+00:00"}
    assert dated.rows_read == parsed.rows_read


def test_a_catalogue_keeps_its_own_date(transport):
    dated = fetched("gpuhunt-aws", transport).observed("2026-11-30")
    assert {offer.observed_on for offer in dated.offers} == {"2026-11-29"}
    assert all(VERSION in offer.record for offer in dated.offers)


def test_every_adapter_is_a_configured_source_and_the_reverse():
    assert list(SOURCES) == list(live.ADAPTERS)


def test_the_requests_are_the_ones_the_sources_document(replay, transport):
    for source in ROUTES:
        fetched(source, transport)
    asked = {request["target"]: request for request in replay.seen}
    filters = next(target for target in asked if target.startswith("/api/retail/prices?api-version"))
    assert "armSkuName" in filters
    assert "Windows" in filters
    assert json.loads(asked["/api/v0/bundles/"]["body"])["verified"] == {"eq": True}
    assert "gpuTypes" in json.loads(asked["/graphql"]["body"])["query"]
    assert all("guia-gpu-na-nuvem" in request["headers"]["User-Agent"] for request in replay.seen)


def test_gpuhunts_own_reader_finds_the_same_offers_in_a_catalogue_folder(tmp_path, monkeypatch):
    from gpuhunt._internal.catalog import OFFLINE_PROVIDERS, Catalog

    content = (ANSWERS / "gpuhunt/aws.csv").read_text("utf-8")
    header = content.splitlines()[0] + "\n"
    for provider in OFFLINE_PROVIDERS:
        folder = tmp_path / provider / VERSION
        folder.mkdir(parents=True)
        (tmp_path / provider / "version").write_text(VERSION)
        own = content if provider == "aws" else header
        (folder / "catalog.zip").write_bytes(zipped(own, f"{provider}.csv"))
    monkeypatch.setenv("GPUHUNT_CATALOG_URL", tmp_path.as_uri())
    catalogue = Catalog(auto_reload=False)
    catalogue.load()
    theirs = {
        (item.instance_name, item.location, item.spot, item.price, item.gpu_name, item.gpu_memory, item.memory)
        for item in catalogue.query(provider="aws", min_gpu_count=1)
    }
    payload = json.dumps({"provider": "aws", "version": VERSION, "csv": content}).encode()
    ours = {
        (o.instance, o.region, o.pricing_model == "spot", float(o.price), o.gpu, float(o.gpu_memory), float(o.ram_gib))
        for o in gpuhunt.parse(payload).offers
    }
    assert ours == theirs


@pytest.mark.parametrize("source", ROUTES)
@pytest.mark.parametrize(
    "payload", [b"", b"{}", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b'{"pages":[1]}', b"[" * 5000]
)
def test_nonsense_is_a_failure_of_the_source_and_no_crash(source, payload):
    with pytest.raises(SourceError):
        (live.OFFERS | live.RATES)[source].parse(payload)


def test_a_tpu_keeps_a_name_that_says_so():
    header = (ANSWERS / "gpuhunt/aws.csv").read_text("utf-8").splitlines()[0]
    rows = "ct5lp-hightpu-1t,us-west4,1.2,24,48.0,1,v5litepod,16.0,False,,google,,x86,{}\n"
    old = "n1,us-west4,1.2,24,48.0,1,tpu-v3,16.0,False,,,,x86,{}\n"
    payload = json.dumps({"provider": "gcp", "version": VERSION, "csv": f"{header}\n{rows}{old}"}).encode()
    assert [offer.gpu for offer in gpuhunt.parse(payload).offers] == ["tpu-v5litepod", "tpu-v3"]
