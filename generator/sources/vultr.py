"""Vultr: cloud GPU plans and bare metal, USD per hour of the whole machine.

Format, as the PyPI package gpuhunt 0.1.34 (`providers/vultr.py` and its recorded plans), the SpareCores crawler and two
public price trackers with answers recorded in 2026 read it: `plans?type=all` and `plans-metal`, each
`{"plans" | "plans_metal": [...], "meta": {"total": n, "links": {"next": cursor, "prev": ""}}}`. Fields: id
(`vcg-a100-12c-120g-80vram`, `vbm-112c-2048gb-8-h100-gpu`), type (vcg and vdm are the GPU plans), vcpu_count or
cpu_threads, ram (MB), disk (GB), gpu_type (`NVIDIA_A100`; absent from vdm and from older bare metal), gpu_count (bare
metal, not always), gpu_vram_gb (of the whole machine), hourly_cost, hourly_cost_preemptible, deploy_ondemand,
deploy_preemptible, locations (may be empty or hold an empty text), location_cost (other prices by location).
Slices of a card are plans too; the free plan costs 0.

Where no count is told it is written 1 with the memory of the whole machine, which `normalise` checks against the card:
a slice is recognised, and several cards are refused, not guessed.
Rows counted: GPU plans only, one per location and price; a plan sold nowhere now is one row, unavailable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.sources.answers import GIB_IN_MIB, Parsed, fail, paged_rows, read_json, scaled, text, under, walk, whole
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer

ID = "vultr"
PAGE = "https://www.vultr.com/pricing/"
_LISTS = {"plans": "plans?type=all&per_page=500", "plans_metal": "plans-metal?per_page=500"}
_METAL = re.compile(r"-(?:(?P<count>\d+)-)?(?P<gpu>[a-z0-9]+)-gpu$")
_CLOUD = re.compile(r"^vcg-(?P<gpu>[a-z0-9]+)-.*?(?:-(?P<memory>\d+)vram)?$")
_NEEDED = ("id", "ram", "hourly_cost", "locations")
_MODELS = (("on_demand", "hourly_cost", "deploy_ondemand"), ("spot", "hourly_cost_preemptible", "deploy_preemptible"))


def download(fetcher: Fetcher) -> bytes:
    """Return both lists, each with all its pages."""
    lists = [f'"{name}":'.encode() + _all(fetcher, path) for name, path in _LISTS.items()]
    return b"{" + b",".join(lists) + b"}"


def _all(fetcher: Fetcher, path: str) -> bytes:
    def fetch(cursor: str) -> bytes:
        return fetcher.get(fetcher.source.url + path, {"cursor": cursor} if cursor else None)

    return walk(ID, "", fetch, lambda pages: text(under(pages[-1], "meta", "links", "next")), fetcher.limits.pages)


def parse(payload: bytes) -> Parsed:
    """Return the GPU plans of both lists."""
    document = read_json(ID, payload)
    if not isinstance(document, dict) or set(document) != set(_LISTS):
        fail(ID, "faltam listas de planos", payload)
    plans = [plan for name in _LISTS for plan in _plans(document, name)]
    return Parsed.of(offer for plan in plans if _is_gpu(plan) for offer in _offers(plan))


def _plans(lists: Any, name: str) -> list[dict[str, Any]]:
    pages, plans = paged_rows(ID, lists[name], name, _NEEDED)
    whole(ID, plans, [under(page, "meta", "total") for page in pages], lambda plan: text(plan.get("id")))
    return plans


def _is_gpu(plan: dict[str, Any]) -> bool:
    return bool(plan.get("gpu_type")) or "gpu" in text(plan.get("id")) or plan.get("type") in {"vcg", "vdm"}


def _offers(plan: dict[str, Any]) -> Iterator[RawOffer]:
    places = [place for place in plan.get("locations") or [] if place] or [""]
    for model, field, allowed in _MODELS:
        if plan.get(allowed, field in plan):
            for place in places:
                cost = under(plan, "location_cost", place) or plan
                yield _offer(plan, place, model, text(cost.get(field)))


def _offer(plan: dict[str, Any], place: str, model: str, price: str) -> RawOffer:
    name = text(plan.get("id"))
    told = _METAL.search(name) or _CLOUD.match(name)
    parts = told.groupdict() if told else {}
    return RawOffer(
        source=ID,
        record=f"{name}/{place}/{model}",
        source_url=PAGE,
        observed_on="",
        provider="vultr",
        price=price,
        currency="USD",
        instance=name,
        region=place,
        gpu=text(plan.get("gpu_type")).replace("_", " ") or parts.get("gpu") or "",
        gpu_count=text(plan.get("gpu_count")) or parts.get("count") or "1",
        gpu_memory=text(plan.get("gpu_vram_gb")) or parts.get("memory") or "",
        vcpus=text(plan.get("vcpu_count")) or text(plan.get("cpu_threads")),
        ram_gib=scaled(plan.get("ram"), GIB_IN_MIB),
        disk_gb=text(plan.get("disk")),
        pricing_model=model,
        availability="listed" if place else "unavailable",
    )
