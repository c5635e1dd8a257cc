"""The SkyPilot catalogue: a second opinion on prices, never published (no licence, no dates).

One CSV per cloud, `catalogs/v8/<cloud>/vms.csv` (v6 and v7 for some) of skypilot-org/skypilot-catalog, read by column
name because presence and order differ per cloud. Price and SpotPrice are US dollars per hour of the whole machine.
GpuInfo is Python, JSON or neither, and its SizeInMiB is of a card or of all, in MiB or GB: only a hint. Seen there:

- gcp sells host and card apart: rows of cards have no InstanceType and are joined with the host of their zone;
- vast renames cards without care in AcceleratorName (4070S Ti → RTX4070): the exact name is inside InstanceType;
- vast and others write SpotPrice 0.00 where there is no spot;
- primeintellect and shadeform resell: the upstream is the first part of InstanceType.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from generator.problems import Problem, ProblemsError
from generator.sources.raw import RawOffer
from generator.text_files import decode

Row = dict[str, str]

ID = "skypilot"
PAGE = "https://github.com/skypilot-org/skypilot-catalog"
_NEEDED = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "SpotPrice", "Region")
_PROVIDERS = {"do": "digitalocean"}
_UPSTREAMS = {"lambdalabs": "lambda", "datacrunch": "verda", "crusoecloud": "crusoe"}
_RESELLERS = {"shadeform": "_", "primeintellect": "__"}
_EXACT_CARD = {"vast": re.compile(r"\d+x-(.+)-\d+-\d+")}
_MEMORY = re.compile(r"sizeinmib\W+(\d+)", re.IGNORECASE)
_HOSTS = (  # a Google machine, its card, and how many where the name does not count them
    (re.compile(r"a2-(?:high|mega)gpu-(\d+)g"), "A100", ""),
    (re.compile(r"a2-ultragpu-(\d+)g"), "A100-80GB", ""),
    (re.compile(r"a3-(?:high|edge)gpu-(\d+)g(?:-nolssd)?"), "H100", ""),
    (re.compile(r"a3-megagpu-(\d+)g(?:-nolssd)?"), "H100-MEGA", ""),
    (re.compile(r"a3-ultragpu-(\d+)g(?:-nolssd)?"), "H200", ""),
    (re.compile(r"a4-highgpu-(\d+)g(?:-nolssd)?"), "B200", ""),
    (re.compile(r"g2-standard-(?:4|8|12|16|32)"), "L4", "1"),
    (re.compile(r"g2-standard-24"), "L4", "2"),
    (re.compile(r"g2-standard-48"), "L4", "4"),
    (re.compile(r"g2-standard-96"), "L4", "8"),
    (re.compile(r"n1-(?:standard|highmem|highcpu)-\d+"), "T4", "1"),  # N1 takes cards apart; one T4 is the usual pair
)


def parse(payload: bytes, cloud: str, seen_on: str) -> list[RawOffer]:
    """Return one raw offer per price of a cloud's `vms.csv`; `seen_on` is the day it was read: rows carry no date.

    Raises:
        ProblemsError: the file is not that catalogue, or was cut short.
    """
    path = f"{ID}/{cloud}/vms.csv"
    rows = _rows(payload, path)
    if cloud == "gcp":
        rows = list(_joined(rows))
    return [offer for line, row in rows for offer in _offers(row, cloud, f"{path}:{line}", seen_on)]


def _rows(payload: bytes, path: str) -> list[tuple[int, Row]]:
    text, problems = decode(payload, path)
    if problems:
        raise ProblemsError(problems)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error:
        raise ProblemsError([_wrong(path, 0, "aspas sem fim: arquivo cortado", "baixe de novo")]) from None
    header = table[0] if table else []
    missing = [name for name in _NEEDED if name not in header]
    if missing:
        found = f"faltam as colunas {', '.join(missing)} em «{text[:60]}»"
        raise ProblemsError([_wrong(path, 1, found, "veja se o formato mudou")])
    uneven = [line for line, row in enumerate(table, 1) if row and len(row) != len(header)]
    cut = uneven or ([len(table)] if not text.endswith("\n") else [])  # every file of the catalogue ends its last line
    if cut:
        raise ProblemsError([_wrong(path, line, "linha cortada ou com coluna a mais", "baixe de novo") for line in cut])
    return [(line, dict(zip(header, row, strict=True))) for line, row in enumerate(table[1:], 2) if row]


def _wrong(path: str, line: int, found: str, todo: str) -> Problem:
    return Problem(path, line, 0, found, f"um CSV com {', '.join(_NEEDED)}", todo)


def _joined(rows: list[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Yield each host with the cards of its zone added to its price; what has no partner goes on as it is."""
    cards = {_key_of_card(row): row for _, row in rows if _is_card(row)}
    used = set()
    for line, row in rows:
        key = (*_card_of_host(row["InstanceType"]), _zone(row))
        if key in cards:
            used.add(key)
            yield line, _sum(row, cards[key])
        elif not _is_card(row):
            yield line, row
    for line, row in rows:
        if _is_card(row) and _key_of_card(row) not in used:
            yield line, row


def _is_card(row: Row) -> bool:
    return bool(row["AcceleratorName"]) and not row["InstanceType"]


def _key_of_card(row: Row) -> tuple[str, str, str]:
    return row["AcceleratorName"], row["AcceleratorCount"].removesuffix(".0"), _zone(row)


def _zone(row: Row) -> str:
    return row.get("AvailabilityZone") or row["Region"]


def _card_of_host(instance: str) -> tuple[str, str]:
    for pattern, card, count in _HOSTS:
        if found := pattern.fullmatch(instance):
            return card, count or found[1]
    return "", ""


def _sum(host: Row, card: Row) -> Row:
    names = {name: card[name] for name in ("AcceleratorName", "AcceleratorCount")}
    both = {name: _plus(host[name], card[name]) for name in ("Price", "SpotPrice")}
    return host | names | both


def _plus(one: str, other: str) -> str:
    """Return the sum of two prices; what is no number is shown beside the other, for `normalise` to refuse."""
    try:
        return str(Decimal(one) + Decimal(other)) if one and other else ""
    except InvalidOperation:
        return f"{one} + {other}"


def _offers(row: Row, cloud: str, record: str, seen_on: str) -> Iterator[RawOffer]:
    """Yield the on-demand and the spot price of a row; a row without either is one offer without a price."""
    prices = [(model, row[name]) for model, name in (("on_demand", "Price"), ("spot", "SpotPrice")) if row[name]]
    for model, price in prices or [("on_demand", "")]:
        yield RawOffer(
            source=ID,
            record=record,
            source_url=PAGE,
            observed_on=seen_on,
            provider=_PROVIDERS.get(cloud, cloud),
            upstream=_upstream(cloud, row["InstanceType"]),
            instance=row["InstanceType"],
            region=row["Region"],
            gpu=_card(cloud, row),
            gpu_count=row["AcceleratorCount"] or "0",
            gpu_memory=found[1] if (found := _MEMORY.search(row.get("GpuInfo", ""))) else "",
            gpu_memory_unit="mib",
            price=price,
            currency="USD",
            pricing_model=model,
            price_for=_sold(row),
        )


def _sold(row: Row) -> str:
    if not row["AcceleratorName"]:
        return "no_gpu"
    return "machine" if row["InstanceType"] else "addon"


def _card(cloud: str, row: Row) -> str:
    exact = _EXACT_CARD.get(cloud)
    found = exact.fullmatch(row["InstanceType"]) if exact else None
    return found[1] if found else row["AcceleratorName"]


def _upstream(cloud: str, instance: str) -> str:
    separator = _RESELLERS.get(cloud)
    name = instance.partition(separator)[0] if separator else ""
    return _UPSTREAMS.get(name, name)
