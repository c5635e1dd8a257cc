"""The tables of `data/sizing/` as typed rows: schemes, state policies, losses, methods and framework profiles."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

GIB = 2**30


@dataclass(frozen=True, slots=True)
class Scheme:
    """How weights are stored: bits per weight of the parts in `scope` (linears, experts, file or all).

    GGUF files mix types: averages for the down projection, the attention output, the values and the head.
    """

    id: str
    name: str
    bits: float
    down_bits: float | None
    out_bits: float | None
    value_bits: float | None
    head_bits: float | None
    scope: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class StatePolicy:
    """Bytes per trainable parameter, before sharding; `temporary` lives only during the optimizer step."""

    id: str
    name: str
    weights: float
    gradients: float
    optimizer: float
    temporary: float
    source: str


@dataclass(frozen=True, slots=True)
class Optimizer:
    """Bytes per trainable parameter of an optimizer as measurements name it."""

    optimizer: str
    name: str
    bytes: float
    temporary: float
    source: str


@dataclass(frozen=True, slots=True)
class Loss:
    """Bytes per logit and per hidden value that a loss kind needs at its peak, where the tags of `when` hold."""

    id: str
    name: str
    loss_impl: str
    when: tuple[str, ...]
    per_logit: float
    per_hidden: float
    split_by_tp: float
    basis: str
    source: str
    rows: int | None
    sources: int | None


@dataclass(frozen=True, slots=True)
class Method:
    """A named way to train or serve, as the tables offer it."""

    id: str
    name: str
    task: str  # training, inference
    scheme: str
    states: str
    kv_bytes: float
    lora_rank: int
    lora_targets: tuple[str, ...]
    checkpointing: str
    loss: str
    source: str


@dataclass(frozen=True, slots=True)
class Constant:
    """One number of a framework profile, where the tags of `when` hold, and where it comes from.

    `basis` is `cited`, `measured` (from `rows` measurements of `sources` sources) or `assumption`.
    """

    profile: str
    key: str
    when: tuple[str, ...]
    value: float
    basis: str
    source: str
    rows: int | None
    sources: int | None


@dataclass(frozen=True, slots=True)
class Profile:
    """How a framework trains or serves; `reading` says what its measurements read."""

    id: str
    name: str
    inherits: str
    reading: str
    description: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A fact that the text of a measurement tells: `tag` holds where `pattern` is found in `field`."""

    tag: str
    field: str
    pattern: str
    meaning: str


@dataclass(frozen=True, slots=True)
class FrameworkRule:
    """The profile of a framework as measurements name it, where the tags of `when` hold; the first rule wins."""

    framework: str
    when: tuple[str, ...]
    profile: str


@dataclass(frozen=True, slots=True)
class CaseModel:
    """A measurement whose model differs from its `model` as the source's own text says."""

    pattern: str
    model: str
    use_model: str
    source: str


@dataclass(frozen=True, slots=True)
class Band:
    """Half-width of the error band of a profile in a category, and what it was computed from."""

    category: str
    profile: str
    half_width: float
    rows: int
    sources: int
    basis: str


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
        held = set(tags)
        return next((row for row in self.losses if row.loss_impl == loss_impl and held.issuperset(row.when)), None)


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
