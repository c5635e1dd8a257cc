"""Words that are right because a table has a name with them: providers, cards, models, places."""

from __future__ import annotations

from collections.abc import Iterator

from generator.dataset import Dataset
from generator.prose.words import words


def words_of_names(data: Dataset) -> frozenset[str]:
    """Return every word of every name in the tables."""
    return frozenset(word for name in _names(data) for _, word in words(name))


def _names(data: Dataset) -> Iterator[str]:
    for gpu in data.gpus.values():
        yield from (gpu.name, gpu.vendor, gpu.architecture)
    for provider in data.providers.values():
        yield provider.name
    for model in data.models.values():
        yield from (model.name, model.family)
    yield from (region.place for region in data.regions.values())
