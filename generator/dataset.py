"""The only reader and writer of `data/`: curated tables and offers in, the refreshed dataset out, whole or not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar, cast

import pandas as pd

from generator.cost_model import CostTables
from generator.exchange import latest
from generator.folder import Folder
from generator.language_model import LanguageModel, parse_models
from generator.model import Assumption, ExchangeRate, Gpu, Provider, ProviderField, Term, Workload
from generator.normalise.csv_files import parse_offers, parse_quarantine
from generator.normalise.reference import Reference
from generator.normalise.schema import offers_problems, offers_schema
from generator.problems import Problem, ProblemsError
from generator.sizing.cases import Case, parse_cases
from generator.sizing.knowledge import FILES as SIZING_FILES
from generator.sizing.knowledge import Knowledge, parse_knowledge
from generator.sources.registry import Source, parse_sources
from generator.tables.columns import Columns, parse_columns
from generator.tables.corrections import Correction, parse_corrections
from generator.tables.cost import read_cost_tables
from generator.tables.gpu_aliases import Alias, parse_gpu_aliases
from generator.tables.gpus import parse_gpus
from generator.tables.history import PricePeriod, read_history
from generator.tables.prose import Promises, ProseLists, parse_promises, parse_prose_lists, parse_words
from generator.tables.providers import parse_provider_facts, parse_provider_fields, parse_providers
from generator.tables.rates import parse_exchange_rates
from generator.tables.regions import Region, parse_regions
from generator.tables.rules import Rules, parse_rules
from generator.tables.scenarios import parse_cost_rules
from generator.tables.taxes import unknown_countries
from generator.tables.terms import parse_terms
from generator.tables.vocabularies import Vocabularies, parse_assumptions, parse_vocabularies
from generator.tables.workloads import parse_precisions, parse_workloads
from generator.text_files import decode

CASES = "data/sizing/reference_cases.csv"
CURATED = "data/curated"
OFFERS = "data/offers.csv"
QUARANTINE = "data/quarantine.csv"
QUALITY = "data/quality.json"
RATES = "data/exchange_rates.csv"
CORRECTIONS = "data/corrections.yml"
RULES = "data/rules.yml"
VOCABULARIES = "data/vocabularies.yml"
ASSUMPTIONS = "data/assumptions.yml"
PROVIDERS = "data/providers.csv"
FIELDS = "data/provider_fields.yml"
GPUS = "data/gpus.csv"
MODELS = "data/models.csv"
WORKLOADS = "data/workloads.yml"
COST = "data/cost.yml"
WORDS = "data/palavras.txt"
T = TypeVar("T")


@dataclass(frozen=True, eq=False)  # compared by identity, so that what is computed from it can be kept
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
    cost: CostTables
    precisions: dict[str, tuple[str, ...]]
    regions: dict[tuple[str, str], Region]
    rates: tuple[ExchangeRate, ...]
    rules: Rules
    sources: dict[str, Source]
    corrections: tuple[Correction, ...]
    terms: tuple[Term, ...]
    columns: Columns
    history: tuple[PricePeriod, ...]

    @property
    def region_labels(self) -> dict[tuple[str, str], str]:
        """Return the words a reader knows a region by, by provider and region."""
        return {key: region.place for key, region in self.regions.items()}

    def rate(self, base: str, quote: str, day: date = date.max) -> ExchangeRate | None:
        """Return the last rate of a pair known on a day (the newest of all, when no day is given), or nothing."""
        return latest(self.rates, base, quote, day)

    @property
    def reference(self) -> Reference:
        """Return what normalising leans on."""
        currencies = self.vocabularies["currency"]
        return Reference.of(
            self.gpus,
            self.gpu_aliases,
            self.regions,
            self.rates,
            self.rules,
            self.providers,
            currencies,
            self.corrections,
        )


@dataclass(frozen=True, eq=False)
class Dataset(Tables):
    """Everything in `data/`.

    In `offers`, text is `str` with "" for unknown, numbers are float64 with NaN, `collected_at` is in UTC, and `flags`
    is a list joined by `;`. `quality` is what the last refresh said of each source.
    """

    offers: pd.DataFrame
    quarantine: pd.DataFrame
    quality: dict[str, Any]


def load(root: Path) -> Dataset:
    """Return the whole dataset, checked.

    Raises:
        ProblemsError: with everything wrong in the tables, or else everything wrong in the offers.
    """
    tables = load_tables(root)
    folder = Folder(root)
    offers = folder.parse(parse_offers, OFFERS)
    quarantine = folder.parse(parse_quarantine, QUARANTINE)
    quality = folder.parse(_parse_quality, QUALITY)
    folder.done()
    schema = offers_schema(tables.providers, tables.gpus, tables.rules)
    problems = offers_problems(offers, schema, OFFERS)
    if problems:
        raise ProblemsError(problems)
    return Dataset(**vars(tables), offers=offers, quarantine=quarantine, quality=quality)


def load_tables(root: Path) -> Tables:
    """Return the curated tables; raises `ProblemsError` with every problem of every table."""
    folder = Folder(root)
    vocabularies = folder.parse(parse_vocabularies, VOCABULARIES)
    assumptions = folder.parse(parse_assumptions, ASSUMPTIONS)
    providers = folder.parse(parse_providers, PROVIDERS, vocabularies, needs=[VOCABULARIES])
    fields = folder.parse(parse_provider_fields, FIELDS)
    gpus = folder.parse(parse_gpus, GPUS, vocabularies, assumptions, needs=[VOCABULARIES, ASSUMPTIONS])
    rules = folder.parse(parse_rules, RULES, gpus, needs=[GPUS])
    facts_need = [PROVIDERS, FIELDS, VOCABULARIES]
    models = folder.parse(_raising(parse_models), MODELS)
    knowledge = _knowledge(folder)
    workloads = folder.parse(parse_workloads, WORKLOADS)
    cost_rules = folder.parse(parse_cost_rules, COST)
    rate_step = cost_rules.rate_step if cost_rules else None
    tables = Tables(
        vocabularies=vocabularies,
        assumptions=assumptions,
        gpus=gpus,
        gpu_aliases=folder.parse(parse_gpu_aliases, "data/gpu_aliases.csv", gpus, needs=[GPUS]),
        providers=folder.parse(
            parse_provider_facts, "data/provider_facts.csv", providers, fields, vocabularies, needs=facts_need
        ),
        provider_fields=fields,
        models=models,
        knowledge=knowledge,
        cases=tuple(parse_cases(folder.text(CASES))),
        workloads=workloads,
        cost=read_cost_tables(
            folder, cost_rules, vocabularies, providers, (models, knowledge.methods if knowledge else {})
        ),
        precisions=folder.parse(parse_precisions, "data/architectures.yml"),
        regions=folder.parse(parse_regions, "data/regions.csv", providers, needs=[PROVIDERS]),
        rates=folder.parse(parse_exchange_rates, RATES, vocabularies, rate_step, needs=[VOCABULARIES, COST]),
        rules=rules,
        sources=folder.parse(parse_sources, "data/sources.yml"),
        corrections=folder.parse(parse_corrections, CORRECTIONS),
        terms=folder.parse(parse_terms, "data/terminologia.csv"),
        columns=folder.parse(parse_columns, "data/columns.yml"),
        history=read_history(folder, providers, gpus, rules, needs=[PROVIDERS, GPUS, RULES]),
    )
    folder.done()
    places = [region.country for region in tables.regions.values()]
    folder.problems += unknown_countries("data/countries.csv", tables.cost.countries, places)
    folder.done()
    return tables


@dataclass(frozen=True)
class Editorial:
    """What the rules of prose lean on; `words` come with their lines."""

    lists: ProseLists
    promises: dict[str, Promises]
    words: dict[str, int]


def load_editorial(root: Path) -> Editorial:
    """Return the lists of the prose rules; raises `ProblemsError` with every problem of theirs."""
    folder = Folder(root)
    editorial = Editorial(
        lists=folder.parse(parse_prose_lists, "data/prosa.yml"),
        promises=folder.parse(parse_promises, "data/pauta.yml"),
        words=folder.parse(parse_words, WORDS),
    )
    folder.done()
    return editorial


def curated_files(root: Path) -> dict[str, bytes]:
    """Return the hand-kept offer files by their path in the project."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted((root / CURATED).glob("*.yml"))}


def text_of(path: Path) -> str:
    """Return the text of a file that somebody named; raises `ProblemsError` where it is not UTF-8."""
    text, problems = decode(path.read_bytes(), str(path))
    if problems:
        raise ProblemsError(problems)
    return text


def _knowledge(folder: Folder) -> Knowledge:
    """Return the sizing tables."""
    texts = {f"data/sizing/{name}": folder.text(f"data/sizing/{name}") for name in SIZING_FILES}
    try:
        return parse_knowledge({path.removeprefix("data/sizing/"): text for path, text in texts.items()})
    except (KeyError, ValueError, TypeError) as error:
        folder.problems.append(_unreadable(texts, str(error)))
        return cast("Knowledge", None)


def _parse_quality(text: str, path: str) -> tuple[dict[str, Any], list[Problem]]:
    try:
        return json.loads(text), []
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        todo = "rode `python -m generator refresh`, que escreve este arquivo"
        return {}, [Problem(path, line, 0, "JSON que não se lê", "o arquivo que a coleta escreveu", todo)]


def _unreadable(texts: dict[str, str], message: str) -> Problem:
    """Return the problem of a sizing table, at the line that holds the text which the message quotes."""
    quoted = (re.findall(r"'([^']*)'", message) or [message])[-1]
    lines = ((path, n) for path, text in texts.items() for n, line in enumerate(text.splitlines(), 1) if quoted in line)
    path, line = next(lines, ("data/sizing", 0)) if quoted else ("data/sizing", 0)
    expected = "números com ponto decimal e as colunas que o programa conhece"
    return Problem(path, line, 0, f"«{quoted}» não serve", expected, "compare com as outras linhas")


def _raising(parse: Callable[[str, str], T]) -> Callable[[str, str], tuple[T | dict[str, Any], list[Problem]]]:
    """Return a reader that gives back its problems instead of raising them."""

    def read(text: str, path: str) -> tuple[T | dict[str, Any], list[Problem]]:
        try:
            return parse(text, path), []
        except ProblemsError as error:
            return {}, error.problems

    return read
