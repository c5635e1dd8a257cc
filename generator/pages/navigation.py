"""The menu: the guides stand where `mkdocs.yml` says, as many as `data/workloads.yml` has, in its order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from generator.model import Workload

GUIDES = "guias"  # the entry of `nav` in mkdocs.yml that stands for them


def navigation(entries: Iterable[Any], workloads: Iterable[Workload]) -> list[Any]:
    """Return the entries of the menu with the guides in their place."""
    return list(_expanded(entries, list(workloads)))


def _expanded(entries: Iterable[Any], workloads: list[Workload]) -> Iterator[Any]:
    for entry in entries:
        if entry == GUIDES:
            yield from ({workload.label: workload.guide} for workload in workloads)
        else:
            yield entry
