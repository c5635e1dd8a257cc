"""Every source that `refresh` reads, and the version of the code that reads it."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from generator.refresh.reading import Source, plain
from generator.sources import curated, live
from generator.sources.answers import Parsed


def _live(name: str, adapter: live.Adapter[Parsed], *, published: bool) -> Source:
    def parse(payload: bytes, _: str, now: datetime) -> Parsed:
        return adapter.parse(payload).observed(now.astimezone(UTC).isoformat(timespec="seconds"))

    return Source(name, parse, published=published, version=version_of(adapter.code))


def version_of(code: ModuleType | Callable[..., Any]) -> str:
    """Return a short name of what an adapter's code is now, which nobody can forget to change."""
    return hashlib.sha256(inspect.getsource(inspect.getmodule(code) or code).encode()).hexdigest()[:8]


SOURCES = (
    Source(curated.ID, plain(curated.parse), by_hand=True, version=version_of(curated)),
    *(_live(name, adapter, published=True) for name, adapter in live.OFFERS.items()),
    *(_live(name, adapter, published=False) for name, adapter in live.OPINIONS.items()),
)
