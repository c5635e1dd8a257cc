"""One offer as a reader sees it: text for the eye and a machine value for sorting, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote, urlencode

import pandas as pd

from generator import formatting as fmt
from generator.cost.reais import Reais
from generator.dataset import Dataset
from generator.model import Gpu
from generator.views import labels, reais

FAST_NETWORKS = frozenset({"infiniband", "efa", "roce"})


@dataclass(frozen=True, slots=True)
class Cell:
    """What is shown, and the value that orders it; an empty `sort` is unknown and goes last in both directions."""

    text: str
    sort: str = ""


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A row of the comparison and its expandable detail."""

    offer_id: str
    anchor: str
    filters: dict[str, str]
    provider: str
    instance: str
    place: Cell
    gpu: Cell
    links: str
    memory: Cell
    memory_total: str
    bandwidth: Cell
    memory_type: str
    pricing: str
    price_gpu: Cell
    price_gpu_brl: str
    price_instance: Cell
    per_usd: Cell
    day: date
    age: str
    band: str  # em alerta, antigo, or nothing while recent
    source_url: str
    details: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]

    @property
    def report(self) -> str:
        """Return the form of a wrong price already filled in with this row, as the query of an address."""
        offer = ", ".join(text for text in (self.provider, self.instance or self.gpu.text, self.place.text) if text)
        shown = f"{self.price_gpu.text} por GPU-hora ({self.pricing}), de {self.day.isoformat()}"
        return urlencode({"title": f"Preço errado: {offer}", "oferta": offer, "mostrado": shown}, quote_via=quote)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame by column name."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def offer_rows(frame: pd.DataFrame, data: Dataset, rank_by: str) -> list[OfferRow]:
    """Return the rows of a frame of `comparison`, in its order."""
    return [_row(offer, data, rank_by) for offer in records(frame)]


def with_anchors(rows: list[OfferRow]) -> list[OfferRow]:
    """Return the rows with the first one of each GPU reachable as `#gpu-<id>`, for the sizing tables to point at."""
    seen: set[str] = set()
    anchored = []
    for row in rows:
        anchored.append(row if row.anchor not in seen else replace(row, anchor=""))
        seen.add(row.anchor)
    return anchored


def _filters(offer: dict[str, Any], gpu: Gpu, data: Dataset) -> dict[str, str]:
    """Return what the filters of the page look at, by the name of the control."""
    billing = data.providers[offer["provider"]].facts.get("billing_granularity")
    return {
        "gpu": labels.short_gpu(gpu),
        "provedor": data.providers[offer["provider"]].name,
        "vram": sort_key(gpu.memory_gb),
        "banda": sort_key(gpu.bandwidth_gb_s),
        "gpus": sort_key(offer["gpu_count"]),
        "modalidade": offer["pricing_model"],
        "cobranca": billing.value if billing else "",
        "preco": sort_key(offer["price_usd_gpu_hour"]),
        "nvlink": "sim" if offer["gpu_interconnect"] == "nvlink" else "",
        "rede": "sim" if offer["node_network"] in FAST_NETWORKS else "",
        "regiao": offer["country"],
        "lgpd": _lgpd(offer, data),
    }


def _lgpd(offer: dict[str, Any], data: Dataset) -> str:
    """Return what the country of an offer means for personal data; nothing where the country is unknown."""
    country = data.cost.countries.get(offer["country"])
    return country.lgpd if country else ""


def _row(offer: dict[str, Any], data: Dataset, rank_by: str) -> OfferRow:
    gpu = data.gpus[offer["gpu"]]
    return OfferRow(
        offer_id=offer["offer_id"],
        anchor=f"gpu-{gpu.id}",
        filters=_filters(offer, gpu, data),
        provider=data.providers[offer["provider"]].name,
        instance=offer["instance"],
        place=_place(offer, data),
        gpu=Cell(gpu_label(gpu, offer["gpu_count"]), f"{labels.short_gpu(gpu)} {sort_key(offer['gpu_count'])}"),
        links=_links(offer),
        memory=Cell(fmt.quantity(gpu.memory_gb, "GB"), sort_key(gpu.memory_gb)),
        memory_total=_memory_total(gpu, offer["gpu_count"]),
        bandwidth=_bandwidth(gpu),
        memory_type=gpu.memory_type,
        pricing=labels.pricing(offer["pricing_model"], offer["tier"], data),
        price_gpu=_price(offer["price_usd_gpu_hour"]),
        price_gpu_brl=reais.short(_in_reais(offer, data)),
        price_instance=_price(offer["price_usd_hour"]),
        per_usd=per_usd(offer, rank_by),
        day=offer["collected_at"].date(),
        band=labels.age_band(offer["age_days"], data),
        age=fmt.age(int(offer["age_days"])),
        source_url=offer["source_url"],
        details=tuple(_details(offer, gpu, data)),
        warnings=tuple(data.rules.flags[flag] for flag in offer["flags"].split(";") if flag),
    )


def sort_key(value: Any) -> str:
    """Return a number as the plain text a script can parse, or nothing when unknown."""
    return "" if fmt.is_missing(value) else f"{value:.10g}"


def gpu_label(gpu: Gpu, gpu_count: float) -> str:
    """Return how many of which card: `8 × H100 SXM`."""
    return f"{fmt.number(gpu_count, 3)}{fmt.NBSP}×{fmt.NBSP}{labels.short_gpu(gpu)}"


def _place(offer: dict[str, Any], data: Dataset) -> Cell:
    where = labels.place(offer, data)
    return Cell(where, "" if where == fmt.NOT_INFORMED else where)


def _memory_total(gpu: Gpu, gpu_count: float) -> str:
    return "" if gpu_count <= 1 else f"{fmt.quantity(gpu.memory_gb * gpu_count, 'GB')} no total"


def _bandwidth(gpu: Gpu) -> Cell:
    speed = gpu.bandwidth_gb_s
    return Cell(fmt.NOT_INFORMED) if speed is None else Cell(fmt.bandwidth(speed), sort_key(speed))


def _links(offer: dict[str, Any]) -> str:
    """Return how GPUs talk inside the machine and between machines, as far as the source tells."""
    inside = labels.INTERCONNECTS.get(offer["gpu_interconnect"], offer["gpu_interconnect"])
    if not inside and offer["gpu_count"] > 1:
        inside = "interconexão não informada"
    between = _network(offer) if offer["node_network"] in FAST_NETWORKS else ""
    return " · ".join(part for part in (inside, between) if part)


def _network(offer: dict[str, Any]) -> str:
    kind = labels.NETWORKS.get(offer["node_network"], offer["node_network"])
    speed = offer["node_network_gbps"]
    return kind if fmt.is_missing(speed) else f"{kind} {fmt.quantity(speed, 'Gb/s')}".strip()


def _price(price_usd: float) -> Cell:
    if fmt.is_missing(price_usd):
        return Cell(fmt.NOT_INFORMED)
    return Cell(fmt.money(price_usd), sort_key(price_usd))


def _in_reais(offer: dict[str, Any], data: Dataset) -> Reais | None:
    """Return the reais of the day on which the page is read: the price's own day plus its age."""
    return reais.offer_reais(offer, data, offer["collected_at"].date() + timedelta(days=int(offer["age_days"])))


def per_usd(offer: dict[str, Any], field: str) -> Cell:
    """Return how much of a GPU fact one dollar rents for an hour, such as `411 GB/s`."""
    amount = offer[f"{field}_per_usd"]
    if fmt.is_missing(amount):
        return Cell(fmt.NOT_INFORMED)
    return Cell(fmt.quantity(amount, labels.UNITS[field], 1 if amount < 10 else 0), sort_key(amount))


def _details(offer: dict[str, Any], gpu: Gpu, data: Dataset) -> list[tuple[str, str]]:
    """Return what the detail of a row says, and last, in one item, what nobody published."""
    facts = data.providers[offer["provider"]].facts
    everything = [
        *_machine(offer, gpu, data),
        *_per_money(offer, data),
        *_bill(offer, data),
        *((label, facts[field].text if field in facts else "") for field, label in labels.FACTS.items()),
        ("Disponibilidade", labels.AVAILABILITY.get(offer["availability"], "")),
    ]
    missing = [label for label, text in everything if not text]
    known = [(label, text) for label, text in everything if text]
    if offer["upstream"]:
        known.append(("Quem opera a instância", offer["upstream"]))
    return [*known, (fmt.NOT_INFORMED.capitalize(), fmt.words(missing))] if missing else known


def _machine(offer: dict[str, Any], gpu: Gpu, data: Dataset) -> list[tuple[str, str]]:
    return [
        ("Precisões aceleradas", ", ".join(data.precisions.get(gpu.architecture, ()))),
        ("TFLOPS em BF16, denso", _amount(gpu.bf16_dense_tflops, "TFLOPS")),
        ("vCPUs", _amount(offer["vcpus"], "")),
        ("RAM do servidor", _amount(offer["ram_gib"], "GiB")),
        ("Disco incluído", _disk(offer)),
        ("Rede entre nós", _network(offer)),
    ]


def _per_money(offer: dict[str, Any], data: Dataset) -> list[tuple[str, str]]:
    """Return memory and bandwidth for one dollar and for one real of an hour's rent."""
    spent = _in_reais(offer, data)
    rows = []
    for field, label in (("memory_gb", "VRAM"), ("bandwidth_gb_s", "Banda")):
        in_dollars = per_usd(offer, field)
        rows.append((f"{label} por dólar", in_dollars.text if in_dollars.sort else ""))
        if spent is not None:
            rows.append((f"{label} por real", _per_real(offer, field, spent)))
    return rows


def _bill(offer: dict[str, Any], data: Dataset) -> list[tuple[str, str]]:
    """Return what the reais include, what the LGPD asks of the country, and a price not published in dollars."""
    rows = [
        ("Em reais, por GPU-hora", reais.long(_in_reais(offer, data))),
        ("Para dados pessoais (LGPD)", data.vocabularies["lgpd"].get(_lgpd(offer, data), "")),
    ]
    if offer["currency"] != "USD":
        rows.append(("Preço publicado, por instância-hora", fmt.money(offer["price_hour"], offer["currency"])))
    return rows


def _amount(value: float | None, unit: str) -> str:
    return "" if fmt.is_missing(value) or value is None else fmt.quantity(value, unit, 1).rstrip(fmt.NBSP)


def _disk(offer: dict[str, Any]) -> str:
    kind = labels.DISKS.get(offer["disk_kind"], offer["disk_kind"])
    return " ".join(part for part in (_amount(offer["disk_gb"], "GB"), kind) if part)


def _per_real(offer: dict[str, Any], field: str, spent: Reais) -> str:
    amount = offer[field]
    return "" if fmt.is_missing(amount) else fmt.quantity(amount / float(spent.amount), labels.UNITS[field], 1)
