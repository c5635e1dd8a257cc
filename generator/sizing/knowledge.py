"""The tables of `data/sizing/` as typed rows: schemes, state policies, losses, methods and framework profiles."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from io import StringIO
from typing import Any, Protocol, TypeVar

from generator.sizing.rows import (
    Band,
    CaseFact,
    CaseGpu,
    CaseModel,
    Constant,
    DecodeClass,
    Exclusion,
    FrameworkRule,
    HfType,
    Loss,
    Method,
    MoneyConstant,
    Optimizer,
    Pipeline,
    Profile,
    Scheme,
    ServingClass,
    StatePolicy,
    Tag,
    Utilisation,
)

GIB = 2**30


class Conditional(Protocol):
    """A row with conditions."""

    @property
    def when(self) -> tuple[str, ...]:
        """Tags that must hold."""


class Measured(Protocol):
    """A row with the sources it was measured on."""

    @property
    def origins(self) -> tuple[str, ...]:
        """Sources; empty when the number was not measured."""


Row = TypeVar("Row", bound=Conditional)


ROWS: dict[str, type[Any]] = {
    "schemes.csv": Scheme,
    "states.csv": StatePolicy,
    "optimizers.csv": Optimizer,
    "losses.csv": Loss,
    "methods.csv": Method,
    "profiles.csv": Constant,
    "profile_names.csv": Profile,
    "tags.csv": Tag,
    "frameworks.csv": FrameworkRule,
    "case_models.csv": CaseModel,
    "mfu.csv": Utilisation,
    "decode.csv": DecodeClass,
    "serving.csv": ServingClass,
    "pipelines.csv": Pipeline,
    "case_gpus.csv": CaseGpu,
    "case_facts.csv": CaseFact,
    "case_exclusions.csv": Exclusion,
    "hf_types.csv": HfType,
    "money.csv": MoneyConstant,
    "bands.csv": Band,
}
FILES = tuple(ROWS)  # in data/sizing/


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything the formulas take from data."""

    schemes: dict[str, Scheme]
    states: dict[str, StatePolicy]
    optimizers: dict[str, Optimizer]
    losses: tuple[Loss, ...]
    methods: dict[str, Method]
    constants: dict[str, tuple[Constant, ...]]  # by profile, in the order of the file
    profiles: dict[str, Profile]
    tags: tuple[Tag, ...]
    frameworks: tuple[FrameworkRule, ...]
    case_models: tuple[CaseModel, ...]
    utilisations: tuple[Utilisation, ...]
    decode_classes: tuple[DecodeClass, ...]
    serving_classes: tuple[ServingClass, ...]
    pipelines: tuple[Pipeline, ...]
    case_gpus: dict[str, CaseGpu]
    case_facts: tuple[CaseFact, ...]
    exclusions: tuple[Exclusion, ...]
    hf_types: dict[str, HfType]
    money: dict[str, MoneyConstant]
    bands: dict[tuple[str, str], Band]

    def ancestry(self, profile: str) -> tuple[str, ...]:
        """Return the profile and those it inherits from, the most general first."""
        chain = [profile]
        while parent := self.profiles[chain[-1]].inherits:
            chain.append(parent)
        return tuple(reversed(chain))

    def settings(self, profile: str, tags: Iterable[str]) -> dict[str, float]:
        """Return the numbers of a profile where its conditions hold; later and more specific rows win."""
        held = set(tags)
        rows = (row for name in self.ancestry(profile) for row in self.constants.get(name, ()))
        return {row.key: row.value for row in rows if held.issuperset(row.when)}

    def loss(self, loss_impl: str, tags: Iterable[str]) -> Loss | None:
        """Return the first loss of that kind whose conditions hold."""
        return first_that_holds((row for row in self.losses if row.loss_impl == loss_impl), tags)


def first_that_holds(rows: Iterable[Row], tags: Iterable[str]) -> Row | None:
    """Return the first row whose conditions are all among the tags."""
    held = set(tags)
    return next((row for row in rows if held.issuperset(row.when)), None)


def parse_knowledge(texts: Mapping[str, str]) -> Knowledge:
    """Return the tables from the texts of `FILES`, by file name.

    Raises:
        KeyError: a file or a column is missing.
        ValueError: a number is not one.
    """
    rows = {name: tuple(_typed(kind, row) for row in _read(texts[name])) for name, kind in ROWS.items()}
    constants: dict[str, tuple[Constant, ...]] = {}
    for row in rows["profiles.csv"]:
        constants[row.profile] = (*constants.get(row.profile, ()), row)
    return Knowledge(
        schemes={row.id: row for row in rows["schemes.csv"]},
        states={row.id: row for row in rows["states.csv"]},
        optimizers={row.optimizer: row for row in rows["optimizers.csv"]},
        losses=rows["losses.csv"],
        methods={row.id: row for row in rows["methods.csv"]},
        constants=constants,
        profiles={row.id: row for row in rows["profile_names.csv"]},
        tags=rows["tags.csv"],
        frameworks=rows["frameworks.csv"],
        case_models=rows["case_models.csv"],
        utilisations=rows["mfu.csv"],
        decode_classes=rows["decode.csv"],
        serving_classes=rows["serving.csv"],
        pipelines=rows["pipelines.csv"],
        case_gpus={row.name: row for row in rows["case_gpus.csv"]},
        case_facts=rows["case_facts.csv"],
        exclusions=rows["case_exclusions.csv"],
        hf_types={row.model_type: row for row in rows["hf_types.csv"]},
        money={row.id: row for row in rows["money.csv"]},
        bands={(row.category, row.profile): row for row in rows["bands.csv"]},
    )


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))


def _typed(kind: type[Any], row: dict[str, str]) -> Any:
    readers: dict[str, Callable[[str], object]] = {
        "str": str,
        "float": float,
        "int": int,
        "float | None": lambda text: float(text) if text else None,
        "int | None": lambda text: int(text) if text else None,
        "tuple[str, ...]": lambda text: tuple(text.replace(",", " ").split()),
    }
    return kind(**{f.name: readers[str(f.type)](row[f.name]) for f in fields(kind)})
