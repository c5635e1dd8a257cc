"""`data/corrections.yml`: values that a source has wrong, told by a person, each until the source mends itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from generator import cells
from generator.problems import Problem
from generator.records import Record, yaml_record

TARGET = ("source", "provider", "upstream", "instance", "region", "gpu", "pricing_model", "tier")
CORRECTABLE = (
    "provider", "upstream", "instance", "region", "gpu", "gpu_count", "gpu_memory", "gpu_memory_unit",
    "gpu_interconnect", "node_network", "node_network_gbps", "vcpus", "cpu_unit", "ram_gib", "disk_gb", "disk_kind",
    "price", "currency", "pricing_model", "tier", "price_for", "price_every", "price_scale", "availability",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Correction:
    """In the rows of `target`, where `field` says `wrong`, it means `right`; both are text as the source writes it."""

    target: Mapping[str, str]
    field: str
    wrong: str
    right: str
    reason: str
    source_url: str  # the page that shows the right value
    day: date
    line: int


def parse_corrections(text: str, path: str) -> tuple[tuple[Correction, ...], list[Problem]]:
    """Return the corrections in the order of the file, and what is wrong with it."""
    file = yaml_record(text, path)
    found = tuple(_correction(record) for record in file.children("corrections"))
    return (() if file.problems else found), file.problems


def _correction(record: Record) -> Correction:
    target = record.child("target")
    told = {name: target.maybe(name, cells.text, "") for name in TARGET}
    target.need("source", cells.text)
    return Correction(
        target={name: value for name, value in told.items() if value},
        field=record.need("field", cells.one_of(CORRECTABLE)),
        wrong=record.maybe("wrong", cells.text, ""),
        right=record.maybe("right", cells.text, ""),
        reason=record.need("reason", cells.text),
        source_url=record.need("source_url", cells.https_url),
        day=record.need("day", cells.day),
        line=record.place()[0],
    )
