"""RunPod: its GPU types, USD per hour of one GPU; a pod of several GPUs costs so many times the price of one.

Format, as the runpod-python client (`api/queries/gpus.py`), the RunPod docs repository (`helpers/gpu_types.py`) and the
PyPI package gpuhunt 0.1.34 ask it: POST of a GraphQL query; answer `{"data": {"gpuTypes": [...]}}` with id
(`NVIDIA H100 80GB HBM3`), displayName (`H100 SXM`), memoryInGb (one GPU), secureCloud and communityCloud (whether it is
sold there), securePrice, communityPrice, secureSpotPrice, communitySpotPrice (null where there is none),
maxGpuCountSecureCloud, maxGpuCountCommunityCloud. A failed query comes with status 200 and `errors`. MIG slices are
listed as types of GPU, and an `unknown` type is always there.

Rows counted: for each cloud in which a type is sold, the price and the spot price, for one GPU (or slice) and for the
largest pod of whole ones. No machine is told: vCPUs, RAM and region depend on stock. Spot prices here were once found
stale (skypilot issue 4914).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.sources.answers import Parsed, fail, once, read_json, rows_at, text, under
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "runpod"
PAGE = "https://www.runpod.io/pricing"
QUESTION = {
    "query": "query GpuTypes { gpuTypes { id displayName memoryInGb secureCloud communityCloud securePrice "
    "communityPrice secureSpotPrice communitySpotPrice maxGpuCountSecureCloud maxGpuCountCommunityCloud } }"
}
_NEEDED = ("id", "displayName", "memoryInGb", "secureCloud", "securePrice", "secureSpotPrice", "communityPrice")
_CLOUDS = (("secure", "Secure"), ("community", "Community"))
_PRICES = (("on_demand", "Price"), ("spot", "SpotPrice"))


def download(fetcher: Fetcher) -> bytes:
    """Return the answer to the query."""
    return fetcher.post(QUESTION)


def parse(payload: bytes) -> Parsed:
    """Return the prices of every type that is sold."""
    answer = read_json(ID, payload)
    if under(answer, "errors"):
        fail(ID, "a consulta GraphQL falhou", payload)
    rows = rows_at(ID, under(answer, "data"), "gpuTypes", _NEEDED)
    once(ID, rows, lambda row: text(row.get("id")))
    return Parsed.of(offer for row in rows for offer in _offers(row))


def _offers(row: dict[str, Any]) -> Iterator[RawOffer]:
    for tier, name in _CLOUDS:
        if row.get(f"{tier}Cloud") is True:
            largest = text(row.get(f"maxGpuCount{name}Cloud"))
            for count in sorted({"1", "1" if _is_slice(row) else largest or "1"} - {"0"}):
                for model, ending in _PRICES:
                    price = text(row.get(f"{tier}{ending}"))
                    if price or model == "on_demand":
                        yield _offer(row, tier, model, count, price)


def _is_slice(row: dict[str, Any]) -> bool:
    return "MIG" in text(row.get("displayName"))


def _offer(row: dict[str, Any], tier: str, model: str, count: str, price: str) -> RawOffer:
    return RawOffer(
        source=ID,
        record=f"gpuTypes/{text(row.get('id'))}/{tier}/{model}/{count}",
        source_url=PAGE,
        observed_on="",
        provider="runpod",
        price=price,
        currency="USD",
        instance=text(row.get("id")),
        gpu=text(row.get("displayName")),
        gpu_count=count,
        gpu_memory=text(row.get("memoryInGb")),
        pricing_model=model,
        tier=tier,
        price_for="gpu" if count != "1" else "machine",  # a slice is the whole machine, and not a whole GPU
        availability="listed",
    )
