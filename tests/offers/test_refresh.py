"""A whole refresh in a small project: what fails stays as it was, and every row is accounted for."""

import json
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from generator import dataset, written
from generator.__main__ import main
from generator.problems import Problem, ProblemsError
from generator.refresh import SOURCES, Source, refresh
from generator.sources.answers import Parsed

from .conftest import a_raw

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HEADER = "source_url: https://exemplo.com\nobserved_on: 2026-06-01\nseen_in: teste\ncurrency: USD\noffers:\n"
RUNPOD = f"provider: runpod\n{HEADER}- {{gpu: L4, price: 0.44}}\n- {{gpu: H100 SXM, price: 2.69, tier: community}}\n"
VAST = f"provider: vast\n{HEADER}- {{gpu: L4, price: 0.13}}\n- {{gpu: Z900 UltraTurbo, gpu_count: 8, price: 41.00}}\n"
SECOND = (
    b"InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    b"1x_L4,L4,1,0.45,0.45,US\n1x_Z900,Z900 UltraTurbo,1,4,,US\n1x_H100,H100-SXM,1,4.90,,US\n"
)


@pytest.fixture
def small(project, tmp_path):
    """Return a project with our own tables and two small files of offers."""
    shutil.copytree(
        project / "data",
        tmp_path / "data",
        ignore=shutil.ignore_patterns("curated", "offers.csv", "q*.*", "provenance.csv", "review.csv"),
    )
    sources = tmp_path / "data/sources.yml"
    sources.write_text(re.sub(r"minimum_rows: \d+", "minimum_rows: 1", sources.read_text(encoding="utf-8")), "utf-8")
    (tmp_path / "data/curated").mkdir()
    (tmp_path / "data/curated/runpod.yml").write_text(RUNPOD, encoding="utf-8")
    (tmp_path / "data/curated/vast.yml").write_text(VAST, encoding="utf-8")
    return tmp_path


def on_disk(root):
    return {
        name: (root / "data" / name).read_bytes()
        for name in ("offers.csv", "quarantine.csv", "quality.json", "provenance.csv", "review.csv")
    }


def adds_up(facts):
    return facts["rows_read"] == facts["rows_published"] + facts["rows_quarantined"] + sum(
        facts["rows_dropped"].values()
    )


def test_known_rows_are_published_and_the_unknown_name_heads_the_summary(small):
    report = refresh(small, NOW)
    data = dataset.load(small)
    assert list(data.offers["offer_id"]) == [
        "runpod--h100-sxm-1x--on-demand--community",
        "runpod--l4-1x--on-demand",
        "vast--l4-1x--on-demand",
    ]
    assert list(data.quarantine["gpu"]) == ["Z900 UltraTurbo"]
    assert "Z900 UltraTurbo" in report.summary().splitlines()[0]
    facts = data.quality["sources"]["curated"]
    assert (facts["status"], facts["rows_read"], facts["rows_published"], facts["rows_quarantined"]) == ("ok", 4, 3, 1)
    assert adds_up(facts)
    assert data.quality["unknown_gpus"] == {"Z900 UltraTurbo": 1}


def test_the_day_of_a_price_is_the_day_of_the_fact_not_of_the_run(small):
    refresh(small, NOW)
    assert {str(moment.date()) for moment in dataset.load(small).offers["collected_at"]} == {"2026-06-01"}


def test_the_same_inputs_give_the_same_bytes_whatever_the_zone_of_the_clock(small):
    refresh(small, NOW)
    first = on_disk(small)
    report = refresh(small, NOW.astimezone(timezone(timedelta(hours=-3))))
    assert on_disk(small) == first
    assert not any((report.changes.added, report.changes.removed, report.changes.repriced))


def test_a_dry_run_writes_nothing_and_says_what_would_change(small):
    report = refresh(small, NOW, dry_run=True)
    assert len(report.changes.added) == 3
    assert not (small / "data/offers.csv").exists()


def test_a_changed_price_is_told_with_both_values(small):
    refresh(small, NOW)
    (small / "data/curated/runpod.yml").write_text(RUNPOD.replace("0.44", "0.55"), encoding="utf-8")
    report = refresh(small, NOW)
    assert report.changes.repriced == (("runpod--l4-1x--on-demand", 0.44, 0.55),)


def test_a_broken_hand_kept_file_keeps_the_last_good_offers_and_says_where(small):
    refresh(small, NOW)
    before = dataset.load(small).offers
    (small / "data/curated/vast.yml").write_text("provider: vast\nofertas: []\n", encoding="utf-8")
    report = refresh(small, NOW + timedelta(days=1))
    after = dataset.load(small)
    assert report.failed
    assert after.offers.equals(before)
    facts = after.quality["sources"]["curated"]
    assert (facts["status"], facts["rows_kept"], facts["last_success"]) == ("failed", 3, "2026-11-30T12:00:00Z")
    assert facts["last_try"] == "2026-12-01T12:00:00Z"
    assert adds_up(facts)
    assert any("data/curated/vast.yml" in str(problem) for problem in report.problems)
    assert list(after.quarantine["gpu"]) == ["Z900 UltraTurbo"]


def test_no_row_at_all_is_a_failure_not_an_empty_site(small):
    refresh(small, NOW)
    for file in (small / "data/curated").glob("*.yml"):
        file.unlink()
    assert refresh(small, NOW).failed
    assert len(dataset.load(small).offers) == 3


def a_source(name, make):
    return Source(name, lambda payload, *_: Parsed(tuple(make(payload.decode()))))


def prices(name):
    """Return an adapter whose payload is a number of rows."""

    def make(text):
        if not text.isdigit():
            raise KeyError(text)
        return [
            a_raw(source=name, record=f"{name}:{number}", provider="lambda", instance=f"{name}-{number}")
            for number in range(int(text))
        ]

    return a_source(name, make)


THREE = (*SOURCES[:1], prices("alfa"), prices("beta"), prices("gama"))


def fetch(**payloads):
    return {name: {"url": text.encode()} for name, text in payloads.items()}


def test_one_broken_source_neither_stops_the_others_nor_goes_unseen(small):
    refresh(small, NOW, fetched=fetch(alfa="4", beta="4", gama="4"), sources=THREE)
    report = refresh(small, NOW, fetched=fetch(alfa="5", beta="<html>", gama="5"), sources=THREE)
    offers = dataset.load(small).offers
    assert offers["source"].value_counts().to_dict() == {"alfa": 5, "beta": 4, "gama": 5, "curated": 3}
    assert {source.id: source.status for source in report.sources} == {
        "curated": "ok", "alfa": "ok", "beta": "failed", "gama": "ok",
    }  # fmt: skip
    assert "KeyError" in report.summary()
    assert all(adds_up(facts) for facts in report.quality["sources"].values())


def test_a_source_that_lost_more_than_half_of_its_rows_failed(small):
    refresh(small, NOW, fetched=fetch(alfa="120"), sources=THREE)
    assert not refresh(small, NOW, fetched=fetch(alfa="60"), sources=THREE).failed
    refresh(small, NOW, fetched=fetch(alfa="120"), sources=THREE)
    report = refresh(small, NOW, fetched=fetch(alfa="59"), sources=THREE)
    assert report.failed
    assert "59 linhas, e eram 120" in report.summary()
    assert dataset.load(small).offers["source"].eq("alfa").sum() == 120
    assert refresh(small, NOW, fetched=fetch(alfa="59"), sources=THREE).failed, "a failure must not lower the bar"


def test_only_one_source_is_read_when_asked_and_the_others_keep_their_offers(small):
    refresh(small, NOW, fetched=fetch(alfa="3"), sources=THREE)
    report = refresh(small, NOW, only="alfa", fetched=fetch(alfa="4"), sources=THREE)
    assert [source.id for source in report.sources] == ["alfa"]
    data = dataset.load(small)
    assert data.offers["source"].value_counts().to_dict() == {"alfa": 4, "curated": 3}
    assert set(data.quality["sources"]) == {"alfa", "curated"}
    assert list(data.quarantine["gpu"]) == ["Z900 UltraTurbo"]


def test_the_second_opinion_is_accounted_for_and_never_published(small):
    report = refresh(small, NOW, fetched={"skypilot-runpod": {"runpod": SECOND}})
    facts = report.quality["sources"]["skypilot-runpod"]
    assert facts["status"] == "compare_only"
    assert (facts["rows_read"], facts["rows_published"], facts["rows_quarantined"]) == (4, 0, 1)
    assert facts["rows_dropped"] == {"second_opinion": 3}
    assert [(review.kind, review.other_usd_hour) for review in report.reviews] == [("second_opinion", "4.9")]
    assert not dataset.load(small).offers["source"].str.startswith("skypilot").any()


def test_a_wrong_table_stops_everything_with_its_line(small):
    aliases = small / "data/gpu_aliases.csv"
    aliases.write_text(aliases.read_text(encoding="utf-8") + ",,z900,-,z-900,gpu,\n", encoding="utf-8")
    with pytest.raises(ProblemsError) as raised:
        refresh(small, NOW)
    [problem] = raised.value.problems
    assert isinstance(problem, Problem)
    assert problem.path == "data/gpu_aliases.csv"
    assert problem.line == len(aliases.read_text(encoding="utf-8").splitlines())


def test_a_gpu_without_a_plausible_price_is_a_problem_of_the_rules(small):
    rules = small / "data/rules.yml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("  l40s: [0.30, 0.15, 14]\n", ""), encoding="utf-8")
    with pytest.raises(ProblemsError, match="falta a faixa de preço de l40s"):
        refresh(small, NOW)


def test_the_report_is_plain_values_for_programs(small):
    report = refresh(small, NOW)
    assert json.loads(json.dumps(report.as_dict()))["sources"]["curated"]["rows_read"] == 4


def test_a_dataset_that_somebody_spoiled_is_told_with_line_and_offer(small):
    refresh(small, NOW)
    offers = small / "data/offers.csv"
    text = offers.read_text(encoding="utf-8")
    for old, new, told in (
        (",0.13,USD,0.13,0.13,", ",0.13,USD,0.13,9,", "vast--l4-1x--on-demand"),
        (",runpod,", ",omega,", "omega"),
        (",0.44,USD", ",quanto?,USD", "quanto?"),
        ("T00:00:00Z", "", "2026-06-01"),
        ("listed,curated", "São Paulo".encode().decode("latin-1") + ",curated", "availability"),
    ):
        offers.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(ProblemsError) as raised:
            dataset.load(small)
        assert told in str(raised.value), str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "told", "expected"),
    [
        (",0.13,USD,0.13,0.13,", ",0.14,USD,0.13,0.13,", "price_hour 0.14, currency USD, price_usd_hour 0.13", "igual"),
        (",0.13,USD,0.13,0.13,", ",0.01,USD,0.01,0.01,", "gpu l4, pricing_model on_demand", "faixa da placa"),
        (",0.13,USD,0.13,0.13,", ",0.13,USD,0.13,0.2,", "price_usd_hour 0.13, price_usd_gpu_hour 0.2", "× gpu_count"),
        (",0.13,USD,0.13,0.13,", ",0.13,USD,0.13,,", "price_usd_gpu_hour vazio", "× gpu_count"),
        (",0.13,USD,0.13,0.13,", ",0.13,USD,,,", "price_usd_hour vazio", "igual a price_hour"),
        (",l4,1,", ",l4,,", "em gpu_count", "um valor"),
    ],
)
def test_a_wrong_price_in_the_table_is_one_message_that_names_its_columns(small, old, new, told, expected):
    refresh(small, NOW)
    offers = small / "data/offers.csv"
    lines = offers.read_text(encoding="utf-8").splitlines(keepends=True)
    offers.write_text("".join([*lines[:-1], lines[-1].replace(old, new)]), encoding="utf-8")
    with pytest.raises(ProblemsError) as raised:
        dataset.load(small)
    about = [str(problem) for problem in raised.value.problems if told in problem.found]
    assert len(about) == 1, str(raised.value)
    assert about[0].startswith("data/offers.csv:4: ")
    assert "(oferta vast--l4-1x--on-demand)" in about[0]
    assert expected in about[0]


def test_asking_for_a_source_that_would_not_be_read_is_wrong_usage(small, capsys):
    assert main(["refresh", "--root", str(small), "--offline", "--only", "skypilot-runpod"]) == 2
    assert "--offline" in capsys.readouterr().err
    assert not (small / "data/offers.csv").exists()


def test_a_write_that_fails_leaves_the_old_files_and_nothing_beside_them(small):
    report = refresh(small, NOW)
    before = on_disk(small)
    new = written.Refreshed(report.offers[:1], report.quarantine, {}, written.last_good(small).provenance)
    with pytest.raises(TypeError):
        written.write(small, replace(new, quality={"not": {"json"}}))
    with pytest.raises(KeyError):
        written.write(small, replace(new, offers=report.offers.drop(columns="gpu")))
    assert on_disk(small) == before
    assert not (small / "data/.staging").exists()
