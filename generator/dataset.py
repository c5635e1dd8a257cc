"""The only reader and writer of `data/`: curated tables and offers in, the refreshed dataset out, whole or not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from generator.language_model import LanguageModel, parse_models
from generator.model import Assumption, ExchangeRate, Gpu, Provider, ProviderField, Term, Workload
from generator.normalise.csv_files import offers_csv, parse_offers, parse_quarantine, quarantine_csv
from generator.normalise.reference import Reference
from generator.normalise.schema import offers_problems, offers_schema
from generator.problems import Problem, ProblemsError
from generator.sizing.cases import Case, parse_cases
from generator.sizing.knowledge import FILES as SIZING_FILES
from generator.sizing.knowledge import Knowledge, parse_knowledge
from generator.tables.columns import Columns, parse_columns
from generator.tables.gpu_aliases import Alias, parse_gpu_aliases
from generator.tables.gpus import parse_gpus
from generator.tables.history import PricePeriod, parse_history
from generator.tables.providers import parse_provider_facts, parse_provider_fields, parse_providers
from generator.tables.rates import parse_exchange_rates
from generator.tables.regions import Region, parse_regions
from generator.tables.rules import Rules, parse_rules
from generator.tables.terms import parse_terms
from generator.tables.vocabularies import Vocabularies, parse_assumptions, parse_vocabularies
from generator.tables.workloads import parse_precisions, parse_workloads
from generator.text_files import decode

CASES = "data/sizing/reference_cases.csv"
CURATED = "data/curated"
OFFERS = "data/offers.csv"
QUARANTINE = "data/quarantine.csv"
QUALITY = "data/quality.json"
HISTORY = "data/history"
T = TypeVar("T")


@dataclass(frozen=True)
class Tables:
    """What people edit: the curated tables of `data/`."""

    vocabularies: Vocabularies
    assumptions: dict[str, Assumption]
    gpus: dict[str, Gpu]
    gpu_aliases: tuple[Alias, ...]
    providers: dict[str, Provider]
    provider_fields: dict[str, ProviderField]
    models: dict[str, LanguageModel]
    knowledge: Knowledge
    cases: tuple[Case, ...]  # published measurements
    workloads: dict[str, Workload]
    precisions: dict[str, tuple[str, ...]]
    regions: dict[tuple[str, str], Region]
    rates: tuple[ExchangeRate, ...]
    rules: Rules
    terms: tuple[Term, ...]
    columns: Columns
    history: tuple[PricePeriod, ...]

    @property
    def region_labels(self) -> dict[tuple[str, str], str]:
        """Return the words a reader knows a region by, by provider and region."""
        return {key: region.place for key, region in self.regions.items()}

    def rate(self, base: str, quote: str) -> ExchangeRate | None:
        """Return the newest rate of a pair, or nothing."""
        known = [rate for rate in self.rates if (rate.base, rate.quote) == (base, quote)]
        return max(known, key=lambda rate: rate.day, default=None)

    @property
    def reference(self) -> Reference:
        """Return what normalising leans on."""
        currencies = self.vocabularies["currency"]
        return Reference.of(
            self.gpus, self.gpu_aliases, self.regions, self.rates, self.rules, self.providers, currencies
        )


@dataclass(frozen=True)
class Dataset(Tables):
    """Everything in `data/`.

    In `offers`, text is `str` with "" for unknown, numbers are float64 with NaN, `collected_at` is in UTC, and `flags`
    is a list joined by `;`. `quality` is what the last refresh said of each source.
    """

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    quality: dict[str, Any]


@dataclass(frozen=True)
class LastGood:
    """What the last refresh left: the rows that stay when a source fails."""

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    quality: dict[str, Any]

    def rows_of(self, source: str) -> int:
        """Return how many rows a source gave the last time it was read well."""
        return int(self.quality.get("sources", {}).get(source, {}).get("rows_last_good", 0))


def load(root: Path) -> Dataset:
    """Return the whole dataset, checked.

    Raises:
        ProblemsError: with everything wrong in the tables, or else everything wrong in the offers.
    """
    tables = load_tables(root)
    folder = _Folder(root)
    offers = folder.parse(parse_offers, OFFERS)
    quarantine = folder.parse(parse_quarantine, QUARANTINE)
    quality = json.loads(folder.text(QUALITY) or '{"sources": {}}')
    folder.done()
    schema = offers_schema(tables.providers, tables.gpus, tables.rules)
    problems = offers_problems(offers, schema, OFFERS)
    if problems:
        raise ProblemsError(problems)
    return Dataset(**vars(tables), offers=offers, quarantine=quarantine, quality=quality)


def load_tables(root: Path) -> Tables:
    """Return the curated tables; raises `ProblemsError` with every problem of every table."""
    folder = _Folder(root)
    vocabularies = folder.parse(parse_vocabularies, "data/vocabularies.yml")
    assumptions = folder.parse(parse_assumptions, "data/assumptions.yml")
    folder.done()
    providers = folder.parse(parse_providers, "data/providers.csv", vocabularies)
    fields = folder.parse(parse_provider_fields, "data/provider_fields.yml")
    gpus = folder.parse(parse_gpus, "data/gpus.csv", vocabularies, assumptions)
    folder.done()
    rules = folder.parse(parse_rules, "data/rules.yml", gpus)
    folder.done()
    tables = Tables(
        vocabularies=vocabularies,
        assumptions=assumptions,
        gpus=gpus,
        gpu_aliases=folder.parse(parse_gpu_aliases, "data/gpu_aliases.csv", gpus),
        providers=folder.parse(parse_provider_facts, "data/provider_facts.csv", providers, fields, vocabularies),
        provider_fields=fields,
        models=folder.parse(_raising(parse_models), "data/models.csv"),
        knowledge=folder.knowledge(),
        cases=tuple(parse_cases(folder.text(CASES))),
        workloads=folder.parse(parse_workloads, "data/workloads.yml"),
        precisions=folder.parse(parse_precisions, "data/architectures.yml"),
        regions=folder.parse(parse_regions, "data/regions.csv", providers),
        rates=folder.parse(parse_exchange_rates, "data/exchange_rates.csv", vocabularies),
        rules=rules,
        terms=folder.parse(parse_terms, "data/terminologia.csv"),
        columns=folder.parse(parse_columns, "data/columns.yml"),
        history=_history(folder, providers, gpus, rules),
    )
    folder.done()
    return tables


def _history(
    folder: _Folder, providers: dict[str, Provider], gpus: dict[str, Gpu], rules: Rules
) -> tuple[PricePeriod, ...]:
    """Return the periods of every year, in order; a project may have none."""
    paths = sorted(file.relative_to(folder.root).as_posix() for file in (folder.root / HISTORY).glob("*.csv"))
    years = [folder.parse(parse_history, path, providers, gpus, rules.pricing_models) for path in paths]
    return tuple(period for year in years for period in year)


def curated_files(root: Path) -> dict[str, bytes]:
    """Return the hand-kept offer files by their path in the project."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted((root / CURATED).glob("*.yml"))}


def text_of(path: Path) -> str:
    """Return the text of a file that somebody named; raises `ProblemsError` where it is not UTF-8."""
    text, problems = decode(path.read_bytes(), str(path))
    if problems:
        raise ProblemsError(problems)
    return text


def last_good(root: Path) -> LastGood:
    """Return what the last refresh wrote; all empty in a project that never had one.

    Raises:
        ProblemsError: what it wrote can no longer be read.
    """
    folder = _Folder(root)
    offers = folder.parse(parse_offers, OFFERS, missing="")
    quarantine = folder.parse(parse_quarantine, QUARANTINE, missing="")
    quality = json.loads(folder.text(QUALITY, missing="") or "{}")
    folder.done()
    return LastGood(offers, quarantine, quality)


def write(root: Path, offers: pd.DataFrame, quarantine: pd.DataFrame, quality: dict[str, Any]) -> None:
    """Replace the refreshed files, each whole: a reader sees the old one or the new one.

    All are written beside their places first, so that a full disk or a killed run leaves the old ones.
    """
    text = json.dumps(quality, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    payloads = {QUARANTINE: quarantine_csv(quarantine), QUALITY: text.encode(), OFFERS: offers_csv(offers)}
    beside = {path: (root / path).with_name(f".{Path(path).name}.{os.getpid()}.tmp") for path in payloads}
    try:
        for path, payload in payloads.items():
            beside[path].write_bytes(payload)
        for path, file in beside.items():
            file.replace(root / path)
    finally:
        for file in beside.values():
            file.unlink(missing_ok=True)


class _Folder:
    """Reads files of a project and keeps every problem until `done`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[Problem] = []

    def text(self, path: str, missing: str | None = None) -> str:
        """Return the text of a file; a missing file is a problem, unless it is told what stands for it."""
        file = self.root / path
        if missing is not None and not file.is_file():
            return missing
        if not file.is_file():
            found = Problem(path, 0, 0, "arquivo ausente", "o arquivo da tabela", "recupere o arquivo do repositório")
            self.problems.append(found)
            return ""
        text, problems = decode(file.read_bytes(), path)
        self.problems += problems
        return text

    def parse(
        self, parse: Callable[..., tuple[T, list[Problem]]], path: str, *more: Any, missing: str | None = None
    ) -> T:
        """Return what a table's own reader makes of a file."""
        found = len(self.problems)
        text = self.text(path, missing)
        value, problems = parse(text, path, *more)
        if len(self.problems) == found:
            self.problems += problems
        return value

    def knowledge(self) -> Knowledge:
        """Return the sizing tables."""
        return parse_knowledge({name: self.text(f"data/sizing/{name}") for name in SIZING_FILES})

    def done(self) -> None:
        """Raise `ProblemsError` if anything was wrong."""
        if self.problems:
            raise ProblemsError(self.problems)


def _raising(parse: Callable[[str, str], T]) -> Callable[[str, str], tuple[T | dict[str, Any], list[Problem]]]:
    """Return a reader that gives back its problems instead of raising them."""

    def read(text: str, path: str) -> tuple[T | dict[str, Any], list[Problem]]:
        try:
            return parse(text, path), []
        except ProblemsError as error:
            return {}, error.problems

    return read
