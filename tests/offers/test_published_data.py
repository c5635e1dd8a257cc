"""The committed dataset keeps what the site promises (data tests: they look at `data/`, not at code)."""

import shutil
from collections import Counter
from datetime import UTC, datetime

import pytest

from generator import dataset, written
from generator.refresh import refresh
from generator.sources import curated


@pytest.fixture(scope="module")
def data(project):
    return dataset.load(project)


def test_the_snapshot_is_as_large_as_promised(data):
    assert len(data.offers) >= 1400
    assert data.offers["provider"].nunique() >= 22
    assert data.offers["gpu"].nunique() >= 30
    assert data.offers["country"].eq("BR").sum() >= 20


def test_the_committed_files_are_what_the_refresh_writes_byte_for_byte(project, data, tmp_path):
    shutil.copytree(project / "data", tmp_path / "data")
    report = refresh(tmp_path, datetime.fromisoformat(data.quality["generated_at"]).astimezone(UTC))
    assert not report.problems
    for path in (dataset.OFFERS, dataset.QUARANTINE, dataset.QUALITY, written.PROVENANCE, written.REVIEW):
        assert (tmp_path / path).read_bytes() == (project / path).read_bytes(), path


def test_every_hand_kept_file_has_a_known_provider_and_a_page(project, data):
    for path, payload in dataset.curated_files(project).items():
        for raw in curated.parse(payload, path):
            assert raw.provider in data.providers, path
            assert raw.source_url.startswith("https://"), path


def test_no_slice_and_no_modified_card_has_a_price_to_compare(data):
    flags = data.offers["flags"].str.split(";")
    slices = data.offers[flags.map(lambda names: "fraction" in names)]
    assert len(slices)
    assert slices["price_usd_gpu_hour"].isna().all()
    assert (data.offers["gpu_count"].lt(1) == flags.map(lambda names: "fraction" in names)).all()


def test_only_gpus_are_published(data):
    assert {data.gpus[gpu].accelerator_class for gpu in data.offers["gpu"]} == {"gpu"}


def test_no_spot_price_is_above_the_machine_on_demand(data):
    key = ["provider", "instance", "gpu", "gpu_count", "region", "tier"]
    prices = data.offers.pivot_table(index=key, columns="pricing_model", values="price_usd_hour")
    both = prices.dropna(subset=["on_demand", "spot"])
    assert len(both)
    assert (both["spot"] <= both["on_demand"]).all()


def test_what_was_fixed_by_hand_stays_fixed(data):
    offers = data.offers.set_index("offer_id")
    assert offers.filter(like="aws--g6f", axis=0)["gpu"].unique().tolist() == ["l4"]
    assert offers.filter(like="aws--g5g", axis=0)["gpu"].unique().tolist() == ["t4g"]
    [slice_] = offers.filter(like="standard-nv6ads", axis=0).query("pricing_model == 'on_demand'")["gpu_count"]
    assert slice_ == pytest.approx(1 / 6, abs=1e-6)
    assert offers.filter(like="oci--vm.gpu.a10.1", axis=0)["vcpus"].tolist() == [30]
    assert offers.filter(like="standard-nc40ads", axis=0)["gpu"].unique().tolist() == ["h100-nvl"]


def test_local_zones_have_their_own_country(data):
    where = data.offers.drop_duplicates("region").set_index("region")["country"]
    assert where.loc[["us-east-1-scl-1", "us-east-1-qro-1", "eu-west-3-wl1-dss1", "sa-east-1"]].tolist() == [
        "CL", "MX", "SN", "BR",
    ]  # fmt: skip


def test_names_that_differ_only_in_writing_are_one_alias(data):
    names = Counter((alias.provider, alias.instance, alias.name, alias.gpu) for alias in data.gpu_aliases)
    assert [name for name, count in names.items() if count > 1 and not name[2]] == []


def test_quality_accounts_for_every_row(data):
    for name, facts in data.quality["sources"].items():
        dropped = sum(facts["rows_dropped"].values())
        assert facts["rows_read"] == facts["rows_published"] + facts["rows_quarantined"] + dropped, name
    assert sum(facts["rows_quarantined"] for facts in data.quality["sources"].values()) == len(data.quarantine)
