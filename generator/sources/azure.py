"""Azure Retail Prices: pay-as-you-go and spot prices of the GPU sizes (`Standard_N…`), USD per hour of the machine.

Format, from Microsoft's page `Azure Retail Prices overview` and the PyPI package gpuhunt 0.1.34 (`providers/azure.py`):
`{"BillingCurrency", "Items": [...], "NextPageLink": address or null, "Count": items of this page}`, at most 1,000 items
a page. Item: currencyCode, tierMinimumUnits, retailPrice, unitPrice, armRegionName, location, effectiveStartDate,
meterId, meterName, productId, skuId, productName (ends in `Windows` for that licence), skuName, serviceName,
unitOfMeasure (`1 Hour`), type (Consumption, DevTestConsumption, Reservation), isPrimaryMeterRegion, armSkuName.
Filters are case sensitive since 2023-01-01-preview. USD is what Azure prices in; other currencies are for reference.
`Spot` and `Low Priority` stand in meterName or skuName. The page tells neither the card nor how many: `normalise` finds
the card by the size's name, and the count is left empty. FPGA sizes (`Standard_NP`) are among the rows.

Rows counted: all that come; Windows, Low Priority, dedicated hosts and the like are asked away, or dropped.
"""

from __future__ import annotations

import re
from typing import Any

from generator.sources.answers import Dropped, Parsed, above_zero, fail, once, paged_rows, read_json, text, under, walk
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "azure"
PAGE = "https://azure.microsoft.com/pricing/details/virtual-machines/linux/"
PARAMS = {
    "api-version": "2023-01-01-preview",
    "meterRegion": "'primary'",
    "currencyCode": "USD",
    "$filter": "serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and contains(armSkuName, 'Standard_N')"
    " and contains(productName, 'Windows') eq false and contains(meterName, 'Low Priority') eq false",
}
_NEEDED = ("armSkuName", "armRegionName", "retailPrice", "currencyCode", "unitOfMeasure", "meterName", "productName")
_KEY = ("meterId", "skuId", "armRegionName", "type", "tierMinimumUnits", "effectiveStartDate")


def download(fetcher: Fetcher) -> bytes:
    """Return all pages joined; the address of each comes in the one before, and may not lead elsewhere."""

    def fetch(address: str) -> bytes:
        return fetcher.get(address) if address else fetcher.get(params=PARAMS)

    return walk(ID, "", fetch, lambda pages: text(under(pages[-1], "NextPageLink")), fetcher.limits.pages)


def parse(payload: bytes) -> Parsed:
    """Return the Linux prices, and why each other row is none."""
    pages, items = paged_rows(ID, read_json(ID, payload), "Items", _NEEDED)
    for page in pages:
        if text(page.get("Count")) != str(len(page["Items"])):
            fail(ID, f"página com {len(page['Items'])} itens, e não {text(page.get('Count'))}")
    once(ID, items, lambda item: tuple(text(item.get(name)) for name in _KEY))
    return Parsed.of(_row(item) for item in items)


def _row(item: dict[str, Any]) -> RawOffer | Dropped:
    record = f"{text(item.get('meterId'))}/{text(item.get('armRegionName'))}/{text(item.get('armSkuName'))}"
    reason = _not_offered(item)
    return Dropped(record, reason) if reason else _offer(item, record)


def _not_offered(item: dict[str, Any]) -> str:
    names = f"{text(item.get('meterName'))} {text(item.get('skuName'))}"
    product = text(item.get("productName"))
    tests = {
        "other_price_type": item.get("type", "Consumption") != "Consumption",
        "secondary_meter": item.get("isPrimaryMeterRegion") is False,
        "windows": product.endswith("Windows"),
        "low_priority": "Low Priority" in names,
        "dedicated_host": "Dedicated" in product,
        "volume_tier": above_zero(item.get("tierMinimumUnits")),
        "not_hourly": item.get("unitOfMeasure") != "1 Hour",
    }
    return next((reason for reason, holds in tests.items() if holds), "")


def _offer(item: dict[str, Any], record: str) -> RawOffer:
    spot = re.search(r"\bSpot\b", f"{text(item.get('meterName'))} {text(item.get('skuName'))}")
    return RawOffer(
        source=ID,
        record=record,
        source_url=PAGE,
        observed_on="",
        provider="azure",
        price=text(item.get("retailPrice")),
        currency=text(item.get("currencyCode")),
        instance=text(item.get("armSkuName")),
        region=text(item.get("armRegionName")),
        gpu_count="",
        pricing_model="spot" if spot else "on_demand",
        availability="listed",
    )
