"""All live sources fetched side by side; what one of them does never touches another."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from generator.sources.failure import SourceError
from generator.sources.http import Fetcher, Stored
from generator.sources.live import Adapter
from generator.sources.registry import Source

Open = Callable[[Source, MutableMapping[str, Stored]], Fetcher]
_WORKERS = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source gave: its payload, or why there is none. `cache` is to be handed in again the next time."""

    source: Source
    payload: bytes | None
    error: SourceError | None
    cache: Mapping[str, Stored]


def collect(
    sources: Iterable[Source],
    adapters: Mapping[str, Adapter[object]],
    open_fetcher: Open,
    caches: Mapping[str, Mapping[str, Stored]] | None = None,
    finished: Callable[[Answer], None] = lambda _: None,
) -> list[Answer]:
    """Return one answer per source, in their order; `finished` hears of each as it comes, one at a time."""
    chosen = list(sources)
    with ThreadPoolExecutor(_WORKERS) as pool:
        running = {
            pool.submit(_fetched, source, adapters[source.id], open_fetcher, dict((caches or {}).get(source.id, {}))): n
            for n, source in enumerate(chosen)
        }
        answers: dict[int, Answer] = {}
        for done in as_completed(running):
            answers[running[done]] = done.result()
            finished(done.result())
    return [answers[n] for n in range(len(chosen))]


def _fetched(
    source: Source, adapter: Adapter[object], open_fetcher: Open, cache: MutableMapping[str, Stored]
) -> Answer:
    try:
        with open_fetcher(source, cache) as fetcher:
            return Answer(source, adapter.download(fetcher), None, cache)
    except SourceError as error:
        return Answer(source, None, error, cache)
    except Exception as error:  # a fault of ours in one adapter must not cost the other sources
        where = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"falha do leitor ({type(error).__name__}, {where.name}:{where.lineno})"
        return Answer(source, None, SourceError(source.id, problem, "Corrija o leitor da fonte"), cache)
