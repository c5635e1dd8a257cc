"""Oracle Cloud: GPU shapes of the cost estimator with their list price, USD per hour of one GPU, the same everywhere.

Format, as the PyPI package gpuhunt 0.1.34 (`providers/oci.py`) and its tests with excerpts of the real answer read it:
`shapes.json` is `{"items": [...]}` with name (`BM.GPU.H100.8`, `BM.GPU.GB200.4 (NVL72)`), hidden, status (`ACTIVE`),
allowPreemptible, bundleMemoryQty (GB), gpuQty, gpuMemoryQty (wrong for several), processorType, shapeType, subType,
products (partNumber, qty, type: ocpu, memory, disk). `products.json` is `{"items": [...]}` with partNumber,
billingModel (`UCM`), pricetype (`HOUR`), currencyCodeLocalizations (currencyCode, prices: model, value). For shapes
with GPUs the `ocpu` product is priced per GPU and hour, and its qty is still the number of OCPUs. Preemptible capacity
costs half by the documentation, not by this answer, so no spot price is derived. Listed everywhere: no capacity told.

Rows counted: shapes with GPUs; a shape whose price is in several parts, or hidden, is dropped.
"""

from __future__ import annotations

import re
from typing import Any

from generator.sources.answers import Dropped, Parsed, above_zero, once, read_json, rows_at, text, under
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "oci"
PAGE = "https://www.oracle.com/cloud/price-list/"
_SHAPE = ("name", "status", "gpuQty", "products")
_PRODUCT = ("partNumber", "pricetype", "currencyCodeLocalizations")
_GPU = re.compile(r"\.GPU\.(?P<gpu>[A-Za-z0-9-]+)\.\d+$")


def download(fetcher: Fetcher) -> bytes:
    """Return `{"shapes": ..., "products": ...}`, both as they came."""
    shapes, products = (fetcher.get(f"{fetcher.source.url}{name}.json") for name in ("shapes", "products"))
    return b'{"shapes":' + shapes + b',"products":' + products + b"}"


def parse(payload: bytes) -> Parsed:
    """Return one row per shape with GPUs."""
    document = read_json(ID, payload)
    shapes = rows_at(ID, under(document, "shapes"), "items", _SHAPE)
    products = rows_at(ID, under(document, "products"), "items", _PRODUCT)
    once(ID, shapes, lambda shape: text(shape.get("name")))
    once(ID, products, lambda product: text(product.get("partNumber")))
    prices = {text(product.get("partNumber")): _price(product) for product in products}
    return Parsed.of(_row(shape, prices) for shape in shapes if above_zero(shape.get("gpuQty")))


def _price(product: dict[str, Any]) -> str:
    """Return the list price in USD per hour, empty where there is not exactly one."""
    found = [
        text(price.get("value"))
        for local in product.get("currencyCodeLocalizations") or []
        for price in local.get("prices") or []
        if local.get("currencyCode") == "USD" and price.get("model") == "PAY_AS_YOU_GO"
    ]
    hourly = product.get("pricetype") == "HOUR" and product.get("billingModel", "UCM") == "UCM"
    return found[0] if hourly and len(found) == 1 else ""


def _row(shape: dict[str, Any], prices: dict[str, str]) -> RawOffer | Dropped:
    name = text(shape.get("name")).removesuffix(" (NVL72)")
    if shape.get("hidden") is True or shape.get("status") != "ACTIVE":
        return Dropped(name, "not_offered")
    parts = {text(under(part, "type", "value")): part for part in shape.get("products") or []}
    if any(above_zero(prices.get(text(part.get("partNumber")))) for kind, part in parts.items() if kind != "ocpu"):
        return Dropped(name, "priced_in_parts")
    ocpu = parts.get("ocpu", {})
    gpu = _GPU.search(name)
    arm = under(shape, "processorType", "value") == "arm"  # an OCPU is then one vCPU, but the field is often wrong
    return RawOffer(
        source=ID,
        record=name,
        source_url=PAGE,
        observed_on="",
        provider="oci",
        price=prices.get(text(ocpu.get("partNumber")), ""),
        currency="USD",
        instance=name,
        gpu=gpu["gpu"] if gpu else "",
        gpu_count=text(shape.get("gpuQty")),
        vcpus="" if arm else text(ocpu.get("qty")),
        cpu_unit="ocpu",
        ram_gib=text(shape.get("bundleMemoryQty")),
        price_for="gpu",
        availability="listed",
    )
