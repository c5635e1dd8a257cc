"""Addresses without a page of their own: those that once had one, or that people write the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from generator.views.atlas import Atlas


def redirects(atlas: Atlas) -> dict[str, str]:
    """Return where to go instead, by address: without data to the index, a pair turned round to the pair."""
    return dict(_redirects(atlas))


def _redirects(atlas: Atlas) -> Iterator[tuple[str, str]]:
    data, catalogue = atlas.catalogue.data, atlas.catalogue
    catalogued = {name for name, model in data.models.items() if model.role == "catalogo"}
    for folder, every, made in (
        ("gpus/", set(data.gpus), set(catalogue.gpus)),
        ("provedores/", set(data.providers), set(catalogue.providers)),
        ("modelos/", catalogued, set(catalogue.models)),
    ):
        yield from ((f"{folder}{name}/", folder) for name in sorted(every - made))
    for one, other in combinations(atlas.rivals.known, 2):
        page = atlas.rivals.pair_url(one, other)
        yield f"comparar/{other.id}-vs-{one.id}/", page or "comparar/"
        if not page:
            yield f"comparar/{one.id}-vs-{other.id}/", "comparar/"
