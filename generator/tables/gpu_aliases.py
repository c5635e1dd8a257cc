"""`data/gpu_aliases.csv`: how sources name cards, and which machines of a provider hold which card."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from generator import cells
from generator.problems import Problem
from generator.records import Record, build, csv_records

COLUMNS = ("provider", "instance", "name", "forms", "gpu", "status", "note")
STATUSES = ("gpu", "variant_unknown", "not_gpu", "not_tracked")
FORMS = ("-", "*", "sxm", "pcie", "nvl", "nvlink", "oam")


@dataclass(frozen=True, slots=True)
class Alias:
    """A name as normalised words, or the machines of a provider, and the card behind it."""

    provider: str
    instance: str  # pattern with * and ?, only together with a provider
    name: str  # may hold * where no card is meant
    forms: frozenset[str]  # "-" is a name that does not tell the form factor
    gpu: str
    status: str


def parse_gpu_aliases(text: str, path: str, gpus: Collection[str]) -> tuple[tuple[Alias, ...], list[Problem]]:
    """Return the aliases in the order of the file: the first machine pattern that matches wins."""
    records, problems = csv_records(text, path, COLUMNS)
    aliases, more = build(records, lambda row: _alias(row, gpus))
    return tuple(aliases), problems + more


def _alias(row: Record, gpus: Collection[str]) -> Alias:
    alias = Alias(
        provider=row.maybe("provider", cells.identifier, ""),
        instance=row.maybe("instance", cells.text, ""),
        name=row.maybe("name", cells.text, ""),
        forms=frozenset(row.maybe("forms", cells.set_of(FORMS), ())),
        gpu=row.maybe("gpu", cells.one_of(gpus), ""),
        status=row.need("status", cells.one_of(STATUSES)),
    )
    row.maybe("note", cells.text)
    if bool(alias.instance) == bool(alias.name) or bool(alias.instance) != bool(alias.provider):
        row.note("name", "linha sem nome nem máquina", "um nome, ou um provedor e uma máquina", "preencha um dos dois")
    if not row.problems and (alias.status == "gpu") != bool(alias.gpu):
        row.note(
            "gpu", f"situação «{alias.status}» com gpu «{alias.gpu}»", "gpu só quando é uma placa", "acerte a linha"
        )
    return alias
