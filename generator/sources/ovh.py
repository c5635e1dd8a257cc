"""OVHcloud Public Cloud: GPU instances of the order catalogue of one subsidiary, without tax, no region told.

Format, as three public readers with answers recorded in 2026 describe it (a GPU price index, ovh_pricelist, and the
OVHcloud manager, `ovh/manager` on GitHub): `{"locale": {"currencyCode": "EUR", "subsidiary": "FR"}, "addons": [...]}`.
Addon: planCode (`h100-380.consumption` by the hour, `.monthly.postpaid`, `.consumption.3AZ`, `.consumption.LZ.EU`),
invoiceName, product (`publiccloud-instance`), pricings ([{price: integer in 1e-8 of the currency, formattedPrice:
`2.80 €`, interval, intervalUnit (not reliable)}]), blobs.commercial.brick (`gpu`), blobs.tags (`coming_soon`),
blobs.technical: name, cpu.cores, memory.size (GB), storage.disks[].capacity, gpu ({model, number, memory.size GB}),
os.family (`windows` includes the licence). AI services have a gpu blob too, per minute: they are not of that product.
`Quadro-RTX5000` is the Turing card. A shown price that is not price × 1e-8 means that the scale changed.

Rows counted: addons of instances with brick `gpu`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from generator.sources.answers import Dropped, Parsed, fail, first, number, once, read_json, rows_at, text, under
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "ovh"
PAGE = "https://www.ovhcloud.com/en/public-cloud/prices/"
SUBSIDIARY = "FR"
_SCALE = "0.00000001"
_NEEDED = ("planCode", "product", "pricings", "blobs")
_SHOWN = re.compile(r"\d+[.,]\d{2}(?!\d)")


def download(fetcher: Fetcher) -> bytes:
    """Return the catalogue (about 8 MB)."""
    return fetcher.get(params={"ovhSubsidiary": SUBSIDIARY})


def parse(payload: bytes) -> Parsed:
    """Return the hourly Linux plans, and why each other plan is none."""
    catalogue = read_json(ID, payload)
    currency = text(under(catalogue, "locale", "currencyCode"))
    if not currency or text(under(catalogue, "locale", "subsidiary")) != SUBSIDIARY:
        fail(ID, "o catálogo não é o da filial pedida, ou não diz a moeda", payload)
    addons = [row for row in rows_at(ID, catalogue, "addons", _NEEDED) if _is_gpu(row)]
    if not addons:
        fail(ID, "nenhum plano com GPU no catálogo", payload)
    once(ID, addons, lambda row: text(row.get("planCode")))
    return Parsed.of(_row(addon, currency) for addon in addons)


def _is_gpu(addon: dict[str, Any]) -> bool:
    return addon.get("product") == "publiccloud-instance" and under(addon, "blobs", "commercial", "brick") == "gpu"


def _row(addon: dict[str, Any], currency: str) -> RawOffer | Dropped:
    plan = text(addon.get("planCode"))
    prices = addon.get("pricings") or []
    tests = {
        "windows": under(addon, "blobs", "technical", "os", "family") == "windows",
        "monthly_plan": ".monthly" in plan,
        "local_zone": not plan.endswith(".consumption") and ".consumption." in plan,
        "not_hourly": not plan.endswith(".consumption"),
        "not_offered": "coming_soon" in (under(addon, "blobs", "tags") or []),
        "several_prices": len(prices) > 1,
        "scale_changed": bool(prices) and not _as_shown(prices[0]),
    }
    reason = next((name for name, holds in tests.items() if holds), "")
    return Dropped(plan, reason) if reason else _offer(addon, plan, currency)


def _as_shown(pricing: dict[str, Any]) -> bool:
    """Tell whether the price shown, rounded to cents, is the exact one; where none is shown there is no telling."""
    shown = _SHOWN.search(text(pricing.get("formattedPrice")))
    price = number(pricing.get("price"))
    told = Fraction(shown[0].replace(",", ".")) if shown else None
    return told is None or price is None or abs(price * Fraction(_SCALE) - told) <= Fraction("0.005")


def _offer(addon: dict[str, Any], plan: str, currency: str) -> RawOffer:
    technical = under(addon, "blobs", "technical")
    pricing, disk = first(addon.get("pricings")), first(under(technical, "storage", "disks"))
    return RawOffer(
        source=ID,
        record=plan,
        source_url=PAGE,
        observed_on="",
        provider="ovhcloud",
        price=text(under(pricing, "price")),
        currency=currency,
        instance=plan.removesuffix(".consumption"),
        gpu=text(under(technical, "gpu", "model")),
        gpu_count=text(under(technical, "gpu", "number")),
        gpu_memory=text(under(technical, "gpu", "memory", "size")),
        vcpus=text(under(technical, "cpu", "cores")),
        ram_gib=text(under(technical, "memory", "size")),
        disk_gb=text(under(disk, "capacity")),
        price_scale=_SCALE,
        availability="listed",
    )
