"""A whole refresh as the command runs it: alone, over the network, with answers kept between runs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from generator import dataset, storage
from generator.refresh import SOURCES, refresh
from generator.refresh.report import RefreshReport
from generator.sources import collect, http_cache, live
from generator.sources.failure import SourceError
from generator.sources.http import Fetcher, Stored
from generator.sources.registry import Source

CACHE = ".cache/http"


@dataclass(frozen=True, slots=True)
class Progress:
    """One more source was fetched, of so many."""

    source: str
    done: int
    total: int
    failed: bool


def names(root: Path) -> list[str]:
    """Return the sources that can be asked for; raises `ProblemsError` where a table is wrong."""
    return [*(source.id for source in SOURCES if source.by_hand), *dataset.load_tables(root).sources]


def run(
    root: Path,
    now: datetime,
    only: str | None = None,
    *,
    dry_run: bool = False,
    offline: bool = False,
    tell: Callable[[Progress], None] = lambda _: None,
    open_fetcher: collect.Open | None = None,
) -> RefreshReport:
    """Fetch the live sources and refresh the dataset; offline, only the hand-kept offers are read again.

    Raises:
        BusyError: another run is writing.
        ProblemsError: a curated table is wrong.
    """
    with nullcontext() if dry_run else storage.exclusive(root):
        fetched = {} if offline else _fetched(root, only, tell, open_fetcher or polite)
        report = refresh(root, now, only, dry_run=dry_run, fetched=fetched)
    for source in report.sources:
        if source.status == "failed":
            http_cache.forget(root / CACHE / source.id)
    return report


def _fetched(
    root: Path, only: str | None, tell: Callable[[Progress], None], open_fetcher: collect.Open
) -> dict[str, Mapping[str, bytes] | SourceError]:
    live_sources = dataset.load_tables(root).sources
    wanted = [source for name, source in live_sources.items() if only in {None, name}]
    caches = {source.id: http_cache.kept(root / CACHE / source.id) for source in wanted}
    count = itertools.count(1)

    def finished(answer: collect.Answer) -> None:
        tell(Progress(answer.source.id, next(count), len(wanted), answer.payload is None))
        if answer.payload is not None and answer.cache != caches[answer.source.id]:
            http_cache.keep(root / CACHE / answer.source.id, answer.cache)

    found: dict[str, Mapping[str, bytes] | SourceError] = {}
    for answer in collect.collect(wanted, live.ADAPTERS, open_fetcher, caches, finished):
        if answer.payload is not None:
            found[answer.source.id] = {answer.source.url: answer.payload}
        elif answer.error is not None:
            found[answer.source.id] = answer.error
    return found


def polite(source: Source, cache: MutableMapping[str, Stored]) -> Fetcher:
    """Return a fetcher of the real network; tests give another."""
    return Fetcher(source, cache=cache)
