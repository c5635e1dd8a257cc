"""Vast.ai: what hosts of its marketplace offer right now, USD per hour of the whole machine.

Format, as the PyPI package gpuhunt 0.1.34 (`providers/vastai.py`) asks and reads it, with fields named too in public
clients of the API: POST to `bundles` with filters `{field: {operator: value}}`, `order` and `limit` (no pages: without
`limit` only a few dozen come). Answer: `{"offers": [...]}` with id, machine_id, gpu_name (`RTX 4090`, `H100 SXM`),
num_gpus, gpu_ram (MiB of one card), gpu_frac, cpu_cores, cpu_cores_effective (the share of this offer), cpu_ram (MB of
the whole host), disk_space (GB, what may be rented), dph_base (the machine without disk), storage_cost (USD per GB and
month), min_bid (the lowest bid that runs now), geolocation (`Bulgaria, BG`), reliability2, verification.

dph_base and min_bid leave the disk out. min_bid becomes a spot row that says so (flag `minimum_bid`).
Rows counted: one per price of each offer asked for: rentable, not rented, host verified. The offer id changes at each
listing, so the machine's id names the instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from generator.sources.answers import (
    GIB_IN_MIB,
    Parsed,
    above_zero,
    fail,
    number,
    once,
    read_json,
    rows_at,
    scaled,
    text,
)
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "vast"
PAGE = "https://vast.ai/pricing"
LIMIT = 20_000
QUESTION = {
    "rentable": {"eq": True},
    "rented": {"eq": False},
    "verified": {"eq": True},
    "type": "on-demand",
    "order": [["id", "asc"]],
    "limit": LIMIT,
}
_NEEDED = ("id", "machine_id", "gpu_name", "num_gpus", "gpu_ram", "dph_base", "geolocation")


def download(fetcher: Fetcher) -> bytes:
    """Return the offers of verified hosts."""
    return fetcher.post(QUESTION)


def parse(payload: bytes) -> Parsed:
    """Return the price of each offer, and its lowest bid where there is one."""
    rows = rows_at(ID, read_json(ID, payload), "offers", _NEEDED)
    if len(rows) >= LIMIT:
        fail(ID, f"{len(rows)} ofertas, o limite pedido: pode haver mais")
    once(ID, rows, lambda row: text(row.get("id")))
    return Parsed.of(offer for row in rows for offer in _offers(row))


def _offers(row: dict[str, Any]) -> Iterator[RawOffer]:
    asked = RawOffer(
        source=ID,
        record=f"offers/{text(row.get('id'))}",
        source_url=PAGE,
        observed_on="",
        provider="vast",
        price=text(row.get("dph_base")),
        currency="USD",
        instance=f"m{text(row.get('machine_id'))}",
        region=text(row.get("geolocation")),
        gpu=text(row.get("gpu_name")),
        gpu_count=text(row.get("num_gpus")),
        gpu_memory=text(row.get("gpu_ram")),
        gpu_memory_unit="mib",
        vcpus=text(row.get("cpu_cores_effective")),
        ram_gib=_ram(row),
        tier="marketplace",
        availability="available",
    )
    yield asked
    if above_zero(row.get("min_bid")):
        yield replace(asked, price=text(row["min_bid"]), pricing_model="spot", flags="minimum_bid")


def _ram(row: dict[str, Any]) -> str:
    """Return the part of the host's memory that goes with this offer's part of its cores."""
    own, cores = number(row.get("cpu_cores_effective")), number(row.get("cpu_cores"))
    ram = row.get("cpu_ram")
    return scaled(ram, own / cores * GIB_IN_MIB) if own and cores and above_zero(ram) else ""
