"""Linode (Akamai): its GPU types, USD per hour of the machine, with the regions that cost otherwise.

Format, from the Linode API reference (`linode/types`) and the answers recorded in the Linode documentation guides:
`{"data": [...], "page": 1, "pages": 1, "results": n}`. Type: id (`g2-gpu-rtx4000a1-s`), label (`RTX4000 Ada x1 Small`,
`Dedicated 32GB + RTX6000 GPU x1`), class (`gpu`; `accelerated` are video cards), vcpus, memory (MB), disk (MB), gpus,
price and region_prices ({id, hourly, monthly}; São Paulo is `br-gru`). Types with a price only in regions have null or
0 as their own. The RTX6000 of `g1` is the Turing card.

Rows counted: types with GPUs: the own price (regions without a name here) unless it is empty and regions have one, and
each region's price.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.sources.answers import (
    GIB_IN_MIB,
    Parsed,
    above_zero,
    paged_rows,
    read_json,
    scaled,
    text,
    under,
    walk,
    whole,
)
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "linode"
PAGE = "https://www.linode.com/pricing/"
_NEEDED = ("id", "label", "gpus", "price", "region_prices", "memory", "vcpus")


def download(fetcher: Fetcher) -> bytes:
    """Return all pages joined."""

    def following(pages: list[Any]) -> str:
        last = text(under(pages[-1], "pages"))
        return str(len(pages) + 1) if last.isdigit() and len(pages) < int(last) else ""

    def fetch(page: str) -> bytes:
        return fetcher.get(params={"page": page, "page_size": "500"})

    return walk(ID, "1", fetch, following, fetcher.limits.pages)


def parse(payload: bytes) -> Parsed:
    """Return the prices of every type with GPUs."""
    pages, types = paged_rows(ID, read_json(ID, payload), "data", _NEEDED)
    whole(ID, types, [page.get("results") for page in pages], lambda row: text(row.get("id")))
    return Parsed.of(offer for row in types if above_zero(row.get("gpus")) for offer in _offers(row))


def _offers(row: dict[str, Any]) -> Iterator[RawOffer]:
    regions = row.get("region_prices") or []
    own = text(under(row, "price", "hourly"))
    if above_zero(own) or not regions:
        yield _offer(row, "", own)
    for region in regions:
        yield _offer(row, text(region.get("id")), text(region.get("hourly")))


def _offer(row: dict[str, Any], region: str, price: str) -> RawOffer:
    name = text(row.get("id"))
    card = re.sub(r"(\s+GPU)?\s+x\d+\b.*$", "", text(row.get("label")).rpartition("+")[2].strip())
    return RawOffer(
        source=ID,
        record=f"{name}/{region or 'price'}",
        source_url=PAGE,
        observed_on="",
        provider="akamai",
        price=price,
        currency="USD",
        instance=name,
        region=region,
        gpu=card,
        gpu_count=text(row.get("gpus")),
        vcpus=text(row.get("vcpus")),
        ram_gib=scaled(row.get("memory"), GIB_IN_MIB),
        disk_gb=scaled(row.get("disk"), GIB_IN_MIB),
        availability="listed",
    )
