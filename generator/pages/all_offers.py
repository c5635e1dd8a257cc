"""Every offer that qualifies for a guide, as JSON that the comparison loads when a reader asks for the rest.

A row carries what filters and order look at, and its HTML as the page itself would have it, so that the browser draws
only the rows it shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from generator.model import Workload
from generator.pages.search_index import fold
from generator.pages.templating import environment
from generator.views import labels
from generator.views.comparison import qualifying
from generator.views.offer_rows import OfferRow, offer_rows
from generator.views.site import Site


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield path below the site and content, one file for each guide."""
    for workload in site.data.workloads.values():
        yield f"{workload.guide.removesuffix('.md')}/ofertas.json", as_json(site, workload).encode()


def as_json(site: Site, workload: Workload) -> str:
    """Return the offers, best for the workload first, as the comparison ranks them."""
    offers = qualifying(site.data, workload, site.today)
    ranked = offers.sort_values(
        ["is_apart", f"{workload.rank_by}_per_usd", "offer_id"], ascending=[True, False, True], na_position="last"
    )
    draw = environment().get_template("offers.html").module.offer  # type: ignore[attr-defined]
    rank_label = labels.RANKING[workload.rank_by]
    rows = [
        {
            "id": row.offer_id,
            "filtros": {name: value for name, value in row.filters.items() if value},
            "ordem": _keys(row),
            "texto": fold(f"{row.provider} {row.instance} {row.gpu.text} {row.links} {row.pricing} {row.place.text}"),
            "html": str(draw(row, rank_label)),
        }
        for row in (replace(row, anchor="") for row in offer_rows(ranked, site.data, workload.rank_by))
    ]
    return json.dumps({"linhas": rows}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _keys(row: OfferRow) -> list[str]:
    """Return what orders each column of the table, from left to right; empty is unknown."""
    amounts = (row.gpu, row.memory, row.bandwidth, row.price_gpu, row.price_instance, row.per_usd)
    name = f"{row.provider} {row.instance}".strip()
    return [name, *(cell.sort for cell in amounts), row.pricing, row.place.sort, row.day.isoformat()]
