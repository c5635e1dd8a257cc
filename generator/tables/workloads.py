"""`data/workloads.yml` and `data/architectures.yml`: what makes an offer suitable for each guide."""

from __future__ import annotations

from generator import cells
from generator.model import SizingChoice, Workload
from generator.problems import Problem
from generator.records import Record, yaml_record

RANKINGS = ("memory_gb", "bandwidth_gb_s", "bf16_dense_tflops")
PREFERENCES = ("many", "few")
ROWS = ("on_demand", "spot", "reserved_1y", "brazil")


def parse_workloads(text: str, path: str) -> tuple[dict[str, Workload], list[Problem]]:
    """Return the workloads by id, in the order of the file, and every problem."""
    root = yaml_record(text, path)
    workloads = {name: _workload(name, root.child(name)) for name in root.keys}
    return workloads, root.problems


def _workload(name: str, entry: Record) -> Workload:
    requires, rows = entry.child("requires"), entry.child("rows")
    return Workload(
        id=name,
        guide=entry.need("guide", cells.text),
        label=entry.need("label", cells.text),
        title=entry.need("title", cells.text),
        min_memory_gb=requires.need("min_memory_gb", cells.positive),
        min_bandwidth_gb_s=requires.need("min_bandwidth_gb_s", cells.positive),
        precisions=tuple(requires.need("precisions", cells.list_of(cells.text)) or ()),
        rank_by=entry.need("rank_by", cells.one_of(RANKINGS)),
        prefer=entry.need("prefer", cells.one_of(PREFERENCES)),
        rows={group: rows.need(group, cells.integer) for group in ROWS},
        why=tuple(entry.need("why", cells.list_of(cells.text)) or ()),
        sizing=_sizing(entry.child("sizing")),
    )


def _sizing(entry: Record) -> SizingChoice:
    return SizingChoice(
        models=tuple(entry.need("models", cells.list_of(cells.identifier)) or ()),
        methods=tuple(entry.need("methods", cells.list_of(cells.identifier)) or ()),
        context=entry.need("context", cells.integer),
        batch=entry.need("batch", cells.integer),
    )


def parse_precisions(text: str, path: str) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """Return the precisions that the tensor cores of each architecture accelerate, and every problem."""
    root = yaml_record(text, path)
    precisions = {name: tuple(root.need(name, cells.list_of(cells.text)) or ()) for name in root.keys}
    return precisions, root.problems
