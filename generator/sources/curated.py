"""Offers kept by hand in `data/curated/*.yml`: one file per provider, or per provider and date.

The shortest offer is a GPU and a price; `EDITORES.md` shows the rest. `prices` holds several pricing models, `regions`
a price (or several pricing models) for each region. What is wrong with the form of a file is told with its line; what
is wrong with a value, such as a GPU that no table knows, is for `normalise` to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from generator.cells import RefusedError, day, https_url, identifier, kind_of, list_of, one_of, text
from generator.problems import ProblemsError
from generator.records import Record, yaml_record
from generator.sources.raw import RawOffer
from generator.text_files import decode

ID = "curated"
_PLAIN_FIELDS = (
    "upstream", "instance", "region", "gpu_interconnect", "ram_gib", "tier", "availability",
)  # fmt: skip
_PEAK = "até "  # `ethernet: até 25` is a peak, not a promise


def parse(payload: bytes, path: str) -> list[RawOffer]:
    """Return the offers of one file; raises `ProblemsError` with everything wrong with its form."""
    content, problems = decode(payload, path)
    if problems:
        raise ProblemsError(problems)
    file = yaml_record(content, path)
    common = RawOffer(
        source=ID,
        record=path,
        provider=file.need("provider", identifier),
        source_url=file.need("source_url", https_url),
        observed_on=str(file.need("observed_on", day)),
        currency=file.maybe("currency", text, ""),
        decimal_mark=file.maybe("decimal_mark", one_of({".", ","}), "."),
        price="",
        availability="listed",
    )
    file.need("seen_in", text)
    offers = [offer for record in file.children("offers") for offer in _offers(record, common)]
    if not offers and not file.problems:
        file.note("offers", "nenhuma oferta", "ao menos uma", "escreva a oferta ou apague o arquivo", of_key=True)
    if file.problems:
        raise ProblemsError(file.problems)
    return offers


def _offers(record: Record, common: RawOffer) -> Iterator[RawOffer]:
    """Yield one raw offer for each price of a record, with the line where that price is written."""
    described = replace(common, **_described(record, common))
    for place, found in _prices(record):
        line, _ = record.place(*place)
        yield replace(described, record=f"{common.record}:{line}", **found)


def _described(record: Record, common: RawOffer) -> dict[str, str]:
    fields = {name: record.maybe(name, text, "") for name in _PLAIN_FIELDS}
    fields["availability"] = fields["availability"] or common.availability
    network, speed, peak = _network(record)
    disk_kind, disk = next(iter(record.maybe("disk", _pairs, {}).items()), ("", ""))
    flags = [*record.maybe("flags", list_of(identifier), ()), *(["network_peak"] if peak else [])]
    ocpus = record.maybe("ocpus", text, "")
    record.maybe("notes", text)
    return fields | {
        "gpu": record.maybe("gpu", text, ""),
        "gpu_count": record.maybe("gpu_count", text, "1"),
        "gpu_memory": record.maybe("memory_gb", text, ""),
        "vcpus": ocpus or record.maybe("vcpus", text, ""),
        "cpu_unit": "ocpu" if ocpus else "vcpu",
        "node_network": network,
        "node_network_gbps": speed,
        "disk_kind": disk_kind,
        "disk_gb": disk,
        "price_for": record.maybe("price_for", one_of({"machine", "gpu", "gpu_only"}), "machine"),
        "price_every": record.maybe("price_every", one_of({"hour", "month"}), "hour"),
        "currency": record.maybe("currency", text, common.currency),
        "source_url": record.maybe("source_url", https_url, common.source_url),
        "observed_on": str(record.maybe("observed_on", day) or common.observed_on),
        "flags": ";".join(flags),
    }


def _network(record: Record) -> tuple[str, str, bool]:
    kind, speed = next(iter(record.maybe("network", _pairs, {}).items()), ("", ""))
    return kind, speed.removeprefix(_PEAK), speed.startswith(_PEAK)


def _prices(record: Record) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """Yield where each price is written, and the fields it decides."""
    model = record.maybe("pricing_model", text, "on_demand")
    given = [name for name in ("price", "prices", "regions") if name in record.keys]
    if len(given) != 1:
        found = "oferta sem preço" if not given else f"{' e '.join(given)} juntos"
        record.note((), found, "um só entre price, prices e regions", "deixe um dos três")
    none = {model: ""}  # an offer that waits for its price is still a row, to be counted
    if "price" in record.keys:
        yield ("price",), {"price": record.maybe("price", text, ""), "pricing_model": model}
    for name, price in record.maybe("prices", _pairs, none).items() if "prices" in record.keys else ():
        yield ("prices", name), {"price": price, "pricing_model": name}
    if "regions" in record.keys:
        yield from _regional_prices(record.child("regions"), none)


def _regional_prices(regions: Record, none: dict[str, str]) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    for region in regions.keys:
        for name, price in regions.maybe(region, _one_or_pairs(*none), none).items():
            yield ("regions", region), {"region": region, "price": price, "pricing_model": name}
    if not regions.keys:
        [name] = none
        yield ("regions",), {"price": "", "pricing_model": name}


def _pairs(raw: Any) -> dict[str, str]:
    if not isinstance(raw, dict) or not raw:
        raise RefusedError(kind_of(raw), "um mapa, como {on_demand: 1.20}", "escreva {nome: valor}")
    return {name: "" if value is None else text(value) for name, value in raw.items()}


def _one_or_pairs(model: str) -> Any:
    def cell(raw: Any) -> dict[str, str]:
        return _pairs(raw) if isinstance(raw, dict) else {model: text(raw)}

    return cell
