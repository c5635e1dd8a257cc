"""Rows in chunks that can be judged one after the other, so that a million of them never stand in memory at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.sources.raw import RawOffer

ROWS = 50_000


def chunks(raws: Iterable[RawOffer]) -> Iterator[list[RawOffer]]:
    """Yield chunks that hold each provider whole, about `ROWS` each; resellers come together, last.

    Every rule looks at the rows of one provider, but for resale, which asks what the others sell directly.
    """
    by_provider: dict[str, list[RawOffer]] = {}
    resellers: set[str] = set()
    for raw in raws:
        by_provider.setdefault(raw.provider, []).append(raw)
        if raw.upstream:
            resellers.add(raw.provider)
    chunk: list[RawOffer] = []
    for provider in sorted(set(by_provider) - resellers):
        chunk += by_provider.pop(provider)
        if len(chunk) >= ROWS:
            yield chunk
            chunk = []
    if len(chunk) + sum(map(len, by_provider.values())) > 2 * ROWS:
        yield chunk
        chunk = []
    for provider in sorted(by_provider):
        chunk += by_provider.pop(provider)
    yield chunk
