"""A small reference of our own: made-up providers and prices, real card names."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import SimpleNamespace

import pytest

from generator import dataset
from generator.model import ExchangeRate
from generator.normalise import normalise
from generator.normalise.gpu_names import GpuNames
from generator.normalise.money import Rates
from generator.normalise.places import Regions
from generator.normalise.reference import Reference
from generator.sources.raw import RawOffer
from generator.tables.gpu_aliases import parse_gpu_aliases
from generator.tables.regions import Region
from generator.tables.rules import parse_rules

_READ = {}


@pytest.fixture(autouse=True)
def _tables_are_read_once(monkeypatch):
    """Read the same tables once for all tests: a project's tables are known by the bytes of its files."""
    real = dataset.load_tables

    def load_tables(root):
        told = ("curated", "offers.csv", "quarantine.csv", "quality.json", "provenance.csv", "review.csv")
        files = sorted(f for f in (root / "data").rglob("*") if f.is_file() and not {*f.parts} & {*told})
        known = hashlib.sha256()
        for file in files:
            known.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
        key = known.hexdigest()
        if key not in _READ:
            _READ[key] = real(root)
        return _READ[key]

    monkeypatch.setattr(dataset, "load_tables", load_tables)


RAW = RawOffer(
    source="teste",
    record="teste:1",
    source_url="https://exemplo.com/precos",
    observed_on="2026-06-01",
    provider="alfa",
    price="2.50",
    currency="USD",
    gpu="H100 SXM",
)


def a_raw(**changes: str) -> RawOffer:
    """Return a raw offer that would be published, with only what the test is about changed."""
    return replace(RAW, **changes)


@pytest.fixture(scope="session")
def project(pytestconfig):
    return pytestconfig.rootpath


@pytest.fixture(scope="session")
def rules(project):
    path = project / "data/rules.yml"
    found, problems = parse_rules(path.read_text(encoding="utf-8"), "data/rules.yml", GPUS)
    assert not problems
    return found


@pytest.fixture(scope="session")
def aliases(project):
    path = project / "data/gpu_aliases.csv"
    found, problems = parse_gpu_aliases(path.read_text(encoding="utf-8"), "data/gpu_aliases.csv", GPUS)
    assert not problems
    return found


MEMORY_GB = {
    "a10": 24, "a10g": 24, "a16": 16, "a30": 24, "a40": 48, "a100-40": 40, "a100-40-pcie": 40, "a100-40-sxm": 40,
    "a100-80": 80, "a100-80-pcie": 80, "a100-80-sxm": 80, "b200": 180, "b300": 288, "gb200": 186, "gb300": 279,
    "gh200-96": 96, "h20": 96, "h100-80": 80, "h100-nvl": 94, "h100-pcie": 80, "h100-sxm": 80, "h200-141": 141,
    "h200-nvl": 141, "h200-sxm": 141, "l4": 24, "l40": 48, "l40s": 48, "mi210": 64, "mi250x": 128, "mi300x": 192,
    "mi325x": 256, "mi350x": 288, "mi355x": 288, "p100": 16, "quadro-rtx-6000": 24, "rtx-3090": 24,
    "rtx-4000-ada": 20, "rtx-4090": 24, "rtx-5090": 32, "rtx-6000-ada": 48, "rtx-a4000": 16, "rtx-a5000": 24,
    "rtx-a6000": 48, "rtx-pro-6000": 96, "rtx-pro-6000-server": 96, "rtx-pro-6000-ws": 96, "t4": 16, "t4g": 16,
    "v100-16": 16, "v100-32": 32, "v100s": 32, "a2": 16, "v100-16-unknown": 16, "v100-32-unknown": 32, "b200-180": 180,
}  # fmt: skip


GPUS = {id_: SimpleNamespace(id=id_, accelerator_class="gpu") for id_ in MEMORY_GB}


@pytest.fixture(scope="session")
def names(aliases, rules):
    return GpuNames(aliases, MEMORY_GB, rules.modifiable)


REGIONS = {
    ("alfa", "sa-east-1"): Region("BR", "São Paulo"),
    ("alfa", "windhoek-1"): Region("NA", "Vinduque"),
    ("alfa", "NA"): Region("US", "América do Norte"),
    ("alfa", "gov-1"): Region("US", "Governo", "government"),
    **{("alfa", f"us-{number}"): Region("US", f"Estados Unidos {number}") for number in range(1, 9)},
}
BRL = ExchangeRate("USD", "BRL", date(2026, 4, 16), Decimal("5.0007"), "", "Banco Central do Brasil, PTAX")


@pytest.fixture(scope="session")
def reference(names, rules):
    return Reference(
        names=names,
        memory_gb=MEMORY_GB,
        regions=Regions(REGIONS, rules.countries),
        rates=Rates((BRL,), frozenset({"USD", "BRL", "EUR", "CNY"})),
        rules=rules,
        providers=frozenset({"alfa", "beta", "gama", "vast", "aws"}),
        today=date(2026, 11, 30),
    )


@pytest.fixture
def outcome_of(reference):
    """Return what becomes of raw offers given as changes to one that would be published."""

    def run(*changes: dict[str, str]):
        raws = [a_raw(record=f"teste:{number}", **change) for number, change in enumerate(changes, 1)]
        return normalise(raws, reference)

    return run
