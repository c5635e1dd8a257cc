"""Scaleway: GPU instances of its public catalogue, EUR without tax, by zone.

Format, from Scaleway's own pages `Product Catalog API` (public-catalog) and its schema, and scaleway-sdk-go
(`api/product_catalog/v2alpha1`): `{"products": [...], "total_count": n}`, with `page` and `page_size`. Product: sku,
product, variant, locality (one of global, region, zone, datacenter), price.retail_price ({currency_code, units, nanos};
may be absent), unit_of_measure ({unit: hour, minute, month…, size}), status (general_availability, end_of_sale…),
properties.hardware (cpu.threads, ram.size in bytes, gpu: {description, count, type}), properties.instance (offer_id:
`H100-1-80G`). Products of other kinds carry hardware.gpu too (managed inference), so that an instance is what has
properties.instance. The catalogue prices most instances by the minute and RENDER-S by the hour. Filters it does not
know are ignored: the whole catalogue may come.

Rows counted: instances with a GPU, one per zone.
"""

from __future__ import annotations

from typing import Any

from generator.sources.answers import (
    GIB_IN_BYTES,
    Dropped,
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

ID = "scaleway"
PAGE = "https://www.scaleway.com/en/pricing/gpu/"
_SIZE = 1000
_HOURLY = {"hour": "1", "minute": "60"}
_SOLD = {"", "public_beta", "preview", "general_availability", "end_of_new_features", "end_of_growth"}
_NEEDED = ("sku", "locality", "price", "unit_of_measure", "properties")


def download(fetcher: Fetcher) -> bytes:
    """Return all pages joined."""

    def fetch(page: str) -> bytes:
        return fetcher.get(params={"page": page, "page_size": str(_SIZE), "product_types": "instance"})

    def following(pages: list[Any]) -> str:
        counts = [len(under(page, "products") or []) for page in pages]
        total = text(under(pages[-1], "total_count"))
        return str(len(pages) + 1) if total.isdigit() and sum(counts) < int(total) and counts[-1] else ""

    return walk(ID, "1", fetch, following, fetcher.limits.pages)


def parse(payload: bytes) -> Parsed:
    """Return the GPU instances."""
    pages, products = paged_rows(ID, read_json(ID, payload), "products", _NEEDED)
    whole(ID, products, [page.get("total_count") for page in pages], lambda row: text(row.get("sku")))
    return Parsed.of(_row(row) for row in products if _has_gpu(row))


def _has_gpu(row: dict[str, Any]) -> bool:
    instance = under(row, "properties", "instance")
    return bool(instance) and above_zero(under(row, "properties", "hardware", "gpu", "count"))


def _row(row: dict[str, Any]) -> RawOffer | Dropped:
    sku = text(row.get("sku"))
    unit, size = text(under(row, "unit_of_measure", "unit")), text(under(row, "unit_of_measure", "size"))
    if text(row.get("status")) not in _SOLD:
        return Dropped(sku, "not_offered")
    if unit not in _HOURLY or size != "1":
        return Dropped(sku, "not_hourly")
    hardware = under(row, "properties", "hardware")
    return RawOffer(
        source=ID,
        record=sku,
        source_url=PAGE,
        observed_on="",
        provider="scaleway",
        price=_money(under(row, "price", "retail_price")),
        currency=text(under(row, "price", "retail_price", "currency_code")),
        instance=text(under(row, "properties", "instance", "offer_id")) or text(row.get("product")),
        region=text(under(row, "locality", "zone")) or text(under(row, "locality", "region")),
        gpu=text(under(hardware, "gpu", "type")),
        gpu_count=text(under(hardware, "gpu", "count")),
        vcpus=text(under(hardware, "cpu", "threads")),
        ram_gib=scaled(under(hardware, "ram", "size"), GIB_IN_BYTES),
        price_scale=_HOURLY[unit],
        availability="listed",
    )


def _money(money: Any) -> str:
    """Return units and billionths as one number, nothing rounded; without both parts there is no price."""
    units, nanos = text(under(money, "units")), text(under(money, "nanos"))
    if units.isdigit() and nanos.isdigit() and len(nanos) <= 9:
        return f"{units}.{nanos.zfill(9)}"
    return text(money) if units and nanos else ""
