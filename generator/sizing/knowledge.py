"""The tables of `data/sizing/` as typed rows: schemes, state policies, losses, methods and framework profiles."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FILES = ("schemes.csv", "states.csv", "losses.csv", "methods.csv", "profiles.csv")  # in data/sizing/
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Scheme:
    """How weights are stored: bits per weight of the parts in `scope` (linears, experts, file or all)."""

    id: str
    name: str
    bits: float
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
class Loss:
    """Bytes per logit and per hidden value that a loss kind needs at its peak."""

    id: str
    name: str
    per_logit: float
    per_hidden: float
    split_by_tp: bool
    source: str


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
    """One number of a framework profile with where it comes from (`cited`, `measured` or `assumption`)."""

    profile: str
    key: str
    value: float
    basis: str
    source: str
    rows: int | None
    sources: int | None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything the formulas take from data."""

    schemes: dict[str, Scheme]
    states: dict[str, StatePolicy]
    losses: dict[str, Loss]
    methods: dict[str, Method]
    profiles: dict[str, dict[str, Constant]]

    def constant(self, profile: str, key: str) -> float:
        """Return a number of a profile; zero where the profile has no such term."""
        found = self.profiles[profile].get(key)
        return found.value if found else 0.0


def parse_knowledge(texts: Mapping[str, str]) -> Knowledge:
    """Return the tables from the texts of `FILES`, by file name.

    Raises:
        KeyError: a file or a column is missing.
        ValueError: a number is not one.
    """
    rows = {name: list(csv.DictReader(StringIO(texts[name]))) for name in FILES}
    profiles: dict[str, dict[str, Constant]] = {}
    for row in rows["profiles.csv"]:
        profiles.setdefault(row["profile"], {})[row["key"]] = _constant(row)
    return Knowledge(
        schemes={row["id"]: _scheme(row) for row in rows["schemes.csv"]},
        states={row["id"]: _policy(row) for row in rows["states.csv"]},
        losses={row["id"]: _loss(row) for row in rows["losses.csv"]},
        methods={row["id"]: _method(row) for row in rows["methods.csv"]},
        profiles=profiles,
    )


def _scheme(row: dict[str, str]) -> Scheme:
    return Scheme(row["id"], row["name"], float(row["bits"]), row["scope"], row["source"], row["notes"])


def _policy(row: dict[str, str]) -> StatePolicy:
    weights, gradients, optimizer, temporary = (
        float(row[key]) for key in ("weights", "gradients", "optimizer", "temporary")
    )
    return StatePolicy(row["id"], row["name"], weights, gradients, optimizer, temporary, row["source"])


def _loss(row: dict[str, str]) -> Loss:
    numbers = float(row["per_logit"]), float(row["per_hidden"])
    return Loss(row["id"], row["name"], *numbers, split_by_tp=row["split_by_tp"] == "1", source=row["source"])


def _method(row: dict[str, str]) -> Method:
    return Method(
        id=row["id"],
        name=row["name"],
        task=row["task"],
        scheme=row["scheme"],
        states=row["states"],
        kv_bytes=float(row["kv_bytes"]),
        lora_rank=int(row["lora_rank"]),
        lora_targets=tuple(part for part in row["lora_targets"].split(",") if part),
        checkpointing=row["checkpointing"],
        loss=row["loss"],
        source=row["source"],
    )


def _constant(row: dict[str, str]) -> Constant:
    counts = [int(row[key]) if row[key] else None for key in ("rows", "sources")]
    return Constant(row["profile"], row["key"], float(row["value"]), row["basis"], row["source"], *counts)
