"""`refresh` from the command line against a server that answers as every source does, and against every fault."""

import json
import re
import shutil
from dataclasses import replace

import pandas as pd
import pytest
from faults import LIMITS
from faults_in_the_data import CURRENCY, DATA, PLACES, PRICES
from faults_on_the_wire import WIRE
from replay import NOW, ROOT, ROUTES, FakeWorld, ToLoopback, fetcher_for

from generator import dataset, storage, written
from generator.__main__ import main
from generator.refresh import run

CURATED = (
    "provider: novita\nsource_url: https://exemplo.com\nobserved_on: 2026-06-01\nseen_in: teste\ncurrency: USD\n"
    "offers:\n- {gpu: L4, price: 0.44}\n"
)
EPOCH = str(int(NOW.timestamp()))


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """Return a project whose only sources are those that the server answers for."""
    root = tmp_path_factory.mktemp("project")
    drop = shutil.ignore_patterns("curated", *(path.split("/")[1] for path in (*written.FILES, dataset.RATES)))
    shutil.copytree(ROOT / "data", root / "data", ignore=drop)
    (root / dataset.RATES).write_text("base,quote,day,rate,kind,source\nUSD,BRL,2026-11-20,5.4,sell,PTAX\n", "utf-8")
    (root / "data/curated").mkdir()
    (root / "data/curated/novita.yml").write_text(CURATED, "utf-8")
    text = (ROOT / "data/sources.yml").read_text("utf-8")
    kept = [part for part in re.split(r"\n\n", text) if part.partition(":")[0] in ROUTES]
    (root / "data/sources.yml").write_text(re.sub(r"minimum_rows: \d+", "minimum_rows: 1", "\n\n".join(kept)), "utf-8")
    return root


@pytest.fixture
def project(template, tmp_path, network):
    del network  # no run may reach the real one
    shutil.copytree(template / "data", tmp_path / "data")
    return tmp_path


@pytest.fixture
def network(_server, monkeypatch):
    """Send every fetch to the local server, with a clock that nobody waits for."""

    def fetcher(source, cache):
        return fetcher_for(
            source.id, ToLoopback(_server.server_port), FakeWorld(), described=source, cache=cache, limits=LIMITS
        )

    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    monkeypatch.setattr(run, "Fetcher", fetcher)
    _server.replay.reset()
    return _server.replay


@pytest.fixture
def command(project, capsys):
    def run_command(*arguments):
        code = main(["refresh", "--root", str(project), *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command


def on_disk(root):
    return {path: (root / path).read_bytes() for path in (*written.FILES, dataset.RATES)}


def accounts(root):
    return json.loads((root / dataset.QUALITY).read_text("utf-8"))["sources"]


def test_every_source_is_read_published_and_accounted_for(project, command):
    code, summary, progress = command()
    assert code == 0, summary
    assert [line.split()[0] for line in progress.splitlines()] == [
        f"[{number}/{len(ROUTES)}]" for number in range(1, len(ROUTES) + 1)
    ]
    facts = accounts(project)
    assert set(facts) == {*ROUTES, "curated"}
    for name, told in facts.items():
        assert told["status"] == "ok", name
        assert told["rows_read"] == (
            told["rows_published"] + told["rows_quarantined"] + sum(told["rows_dropped"].values())
        ), name
    offers = written.last_good(project).offers
    assert set(offers["source"]) >= {"curated", "vast", "gpuhunt-aws", "runpod"}
    assert len(offers) == sum(told["rows_published"] for name, told in facts.items() if name not in {"ptax", "ecb"})


def test_prices_in_euros_are_converted_with_the_rate_of_the_day_that_came_with_them(project, command):
    command()
    rates = (project / dataset.RATES).read_text("utf-8").splitlines()
    assert rates[1] == "USD,BRL,2026-11-20,5.4,sell,PTAX", "what was there stays, in its place"
    assert any(line.startswith("EUR,USD,2026-11-") for line in rates)
    euros = written.last_good(project).offers.query("currency == 'EUR'")
    assert len(euros)
    assert euros["price_usd_hour"].gt(euros["price_hour"]).all()


def test_the_second_run_asks_conditionally_and_changes_no_byte(project, command):
    command()
    before = on_disk(project)
    code, summary, _ = command()
    assert code == 0
    assert "nada mudou" in summary
    after = on_disk(project)
    assert {path for path in before if after[path] != before[path]} == {dataset.QUALITY}, "rates known before are news"


def test_every_offer_has_its_record_its_hash_and_the_version_of_its_adapter(project, command):
    command()
    last = written.last_good(project)
    assert set(last.provenance["offer_id"]) == set(last.offers["offer_id"])
    assert last.provenance.ne("").all(axis=None)
    again = pd.read_csv(project / written.PROVENANCE, dtype=str)
    assert again["record_hash"].str.fullmatch("[0-9a-f]{12}").all()


def test_only_one_source_without_writing(project, command, network):
    code, summary, _ = command("--only", "vast", "--dry-run")
    assert code == 0
    assert {request["target"].partition("?")[0] for request in network.seen} == {"/api/v0/bundles/"}
    assert summary.startswith("vast: lida.")
    assert not (project / dataset.OFFERS).exists()


def test_an_unknown_source_is_refused_with_the_ones_there_are(command):
    code, _, error = command("--only", "vasst")
    assert code == 2
    assert "vast" in error


def test_offline_keeps_what_every_source_last_said_and_says_when(project, command, network):
    command()
    before = on_disk(project)
    network.seen.clear()
    code, summary, _ = command("--offline")
    assert (code, network.seen) == (0, [])
    assert "vast: não consultada agora; última leitura boa em 2026-11-30T12:00:00Z." in summary
    assert on_disk(project)[dataset.OFFERS] == before[dataset.OFFERS]


def test_without_a_network_every_source_fails_and_nothing_is_lost(project, command, network):
    command()
    before = written.last_good(project).offers
    network.fault = lambda reply, _before, _request: replace(reply, sent=-1)
    code, summary, progress = command()
    assert code == 1
    assert progress.count("falhou") == len(ROUTES)
    assert "vast: falhou; valem os últimos dados bons" in summary
    assert written.last_good(project).offers.equals(before)


def test_a_second_run_leaves_at_once_and_says_why(project, command):
    with storage.exclusive(project):
        code, summary, _ = command()
    assert code == 1
    assert "outra coleta está em andamento" in summary


@pytest.fixture(scope="module")
def after_a_good_run(template, _server, tmp_path_factory):
    """Return a folder with only what a good run reads again, its tables, and its offers."""
    root = tmp_path_factory.mktemp("good")
    shutil.copytree(template / "data", root / "data")
    _server.replay.reset()

    def fetcher(source, cache):
        return fetcher_for(source.id, ToLoopback(_server.server_port), FakeWorld(), described=source, cache=cache)

    run.run(root, NOW, open_fetcher=fetcher)
    tables = dataset.load_tables(root)
    small = tmp_path_factory.mktemp("small")
    for path in (*written.FILES, dataset.RATES, "data/curated/novita.yml"):
        (small / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, small / path)
    return small, tables, written.last_good(root).offers


@pytest.fixture
def project_after(after_a_good_run, tmp_path, network, monkeypatch):
    """Return a project after a good run, in which the next one is to fail."""
    del network
    small, tables, _ = after_a_good_run
    shutil.copytree(small / "data", tmp_path / "data")
    monkeypatch.setattr(dataset, "load_tables", lambda _: tables)
    return tmp_path


@pytest.fixture
def good(after_a_good_run):
    return after_a_good_run[2]


def same_prices(root, good):
    """Assert that no price is wrong and no good row lost: held values are those of before, and say so."""
    offers = written.last_good(root).offers.set_index("offer_id")
    before = good.set_index("offer_id")
    assert set(before.index) - set(offers.index) == set()
    assert set(offers.index) - set(before.index) == set()
    for name in ("price_hour", "currency", "price_usd_gpu_hour", "gpu", "gpu_count"):
        assert offers[name].equals(before[name]), name


@pytest.mark.parametrize("fault", [*PRICES, *DATA], ids=lambda fault: fault.name)
def test_a_fault_in_what_every_source_writes_publishes_no_wrong_price_and_loses_no_good_row(
    fault, good, project_after, network, outcomes
):
    edits = [fault.make(place) for source, place in PLACES.items() if not fault.only or source in fault.only]

    def edit(file, content):
        for change in edits:
            content = change(file, content)
        return content

    network.edit = edit
    report = run.run(project_after, NOW)
    same_prices(project_after, good)
    states = {source.id: source.status for source in report.sources}
    assert report.failed == ("failed" in states.values())
    for source, state in states.items():
        outcomes[f"whole refresh: {fault.name}", source, "failure" if state == "failed" else "row"] += 1


@pytest.mark.parametrize("fault", WIRE[::6], ids=lambda fault: fault.name)
def test_a_fault_on_the_wire_publishes_no_wrong_price_and_loses_no_good_row(fault, good, project_after, network):
    network.fault = fault.make
    run.run(project_after, NOW)
    same_prices(project_after, good)


@pytest.mark.parametrize("source", CURRENCY)
def test_a_currency_that_changes_waits_for_a_person_and_the_old_price_stays(source, good, project_after, network):
    file, change, _ = CURRENCY[source]

    def edit(name, content):
        if name != file:
            return content
        document = json.loads(content)
        change(document)
        return json.dumps(document).encode()

    network.edit = edit
    report = run.run(project_after, NOW)
    same_prices(project_after, good)
    assert {entry.kind for entry in report.waiting} <= {"currency_changed"}
