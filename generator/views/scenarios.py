"""Scenarios as a reader sees them: machines that hold the work, each with its bill; whole bills come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd

from generator import formatting as fmt
from generator.cost.bill import Bill, bill, repeated_share
from generator.cost.reais import Reais
from generator.cost_model import Scenario
from generator.dataset import Dataset
from generator.sizing.fit import FITS, VERDICTS, choices
from generator.sizing.grid import grid
from generator.sizing.suits import gpus_for
from generator.views import labels, reais
from generator.views.comparison import qualifying
from generator.views.offer_rows import Cell, gpu_label, records, sort_key
from generator.views.scenario_speed import occupancy, yields
from generator.views.site import Site
from generator.views.sizing_tables import band

_Priced = tuple[Bill, dict[str, Any]]
SHOWN = 3  # providers with a whole bill, and as many without one
WHOLE = "a menor conta completa"
INVOICE = "a menor com fatura em reais"
BRAZIL = "a menor em região do Brasil"
UNKNOWN = {
    "storage": "armazenamento",
    "egress": "saída de dados",
    "granularity": "granularidade da cobrança",
    "stopped": "o que se cobra com a instância parada",
    "ip": "IP com a instância parada",
    "beside": "CPU e RAM, cobradas à parte",
}


@dataclass(frozen=True, slots=True)
class BillRow:
    """A machine and its bill; `note` says why it is shown, `missing` what the total leaves out."""

    offer: dict[str, Any]
    found: Bill
    provider: str
    machine: str
    place: str
    note: str
    parts: tuple[Cell, ...]  # compute, storage, egress
    total: Cell
    billing: str  # what the total follows: with the tax, on an invoice
    total_usd: str
    per_used_hour: Cell
    yields: Cell  # tokens trained in that time, or reais for a million generated ones
    missing: str
    day: date
    band: str  # em alerta, antigo, or nothing while recent
    source_url: str


@dataclass(frozen=True, slots=True)
class ScenarioTable:
    """A scenario, the memory it needs and its machines; no rows where nobody rents a machine that holds it."""

    scenario: Scenario
    need: str
    assumed: str  # what spot repeats; empty on demand
    rows: tuple[BillRow, ...]


def scenario_tables(site: Site, workload: str) -> list[ScenarioTable]:
    """Return the scenarios of a workload, in the order of the file."""
    offers = qualifying(site.data, site.data.workloads[workload], site.today)
    mine = [each for each in site.data.cost.scenarios.values() if each.workload == workload]
    return [_table(site, scenario, offers) for scenario in mine]


def _table(site: Site, scenario: Scenario, offers: pd.DataFrame) -> ScenarioTable:
    data = site.data
    need_bytes = _need_bytes(site, scenario)
    method = data.knowledge.methods[scenario.method]
    able, margin = gpus_for(method, data.gpus.values(), data.precisions), band(method, data.knowledge)
    fitting = {
        each.gpu for each in choices({scenario.gpus: need_bytes}, able, margin) if each.verdict == VERDICTS[FITS]
    }
    machines = _machines(site, scenario, offers[offers["gpu"].isin(fitting)])
    bills = sorted(((bill(scenario, offer, data, site.today), offer) for offer in records(machines)), key=_order)
    lgpd = {code: country.lgpd for code, country in data.cost.countries.items()}
    need = f"{fmt.gibibytes(need_bytes)} por GPU"
    rows = tuple(_row(site, *each, note) for each, note in _chosen(bills, lgpd))
    return ScenarioTable(scenario, need, _assumed(scenario, data), rows)


def _assumed(scenario: Scenario, data: Dataset) -> str:
    share = repeated_share(scenario, data)
    if not share:
        return ""
    known = data.knowledge.money
    hours = fmt.count(round(1 / known["interruptions_per_hour"].value), "hora", "horas")
    saved = fmt.quantity(known["checkpoint_hours"].value * 60, "minutos")
    way_back = fmt.quantity(known["restart_hours"].value * 60, "minutos")
    return (
        f"Supomos que {fmt.percent(float(share), 1)} das horas são refeitas: uma interrupção a cada {hours}, um "
        f"checkpoint a cada {saved} e {way_back} para voltar. Nenhum provedor publica a taxa."
    )


def _need_bytes(site: Site, scenario: Scenario) -> float:
    data = site.data
    model, method = data.models[scenario.model], data.knowledge.methods[scenario.method]
    frame = grid([model], [method], [scenario.context], [scenario.batch], data.knowledge, [scenario.gpus])
    return float(frame["total_bytes"].iloc[0])


def _machines(site: Site, scenario: Scenario, offers: pd.DataFrame) -> pd.DataFrame:
    """Return the cheapest machine of each provider and region: what is charged beside it depends on those alone."""
    kinds = offers["provider"].map(lambda id_: site.data.providers[id_].kind)
    is_whole = ~offers["is_variant_unknown"] if "serverless" in scenario.provider_kinds else ~offers["is_apart"]
    keep = (
        (offers["pricing_model"] == scenario.pricing_model)
        & (offers["gpu_count"] == scenario.gpus)
        & (offers["price_hour"] > 0)
        & kinds.isin(scenario.provider_kinds)
        & is_whole
    )
    return offers[keep].sort_values(["price_usd_hour", "offer_id"]).drop_duplicates(["provider", "region"])


def _order(each: _Priced) -> tuple[bool, bool, Decimal, str]:
    """Return what sorts bills: a total that leaves something out never comes before one that does not."""
    found, offer = each
    total = found.total.amount if found.total else None
    return bool(found.unknown), total is None, total or Decimal(0), offer["offer_id"]


def _chosen(bills: list[_Priced], lgpd: Mapping[str, str]) -> list[tuple[_Priced, str]]:
    """Return the cheapest providers with and without a whole bill, and the cheapest of each kind that has a note."""
    notes: dict[str, list[str]] = {}
    for note, fits in _notes(lgpd).items():
        first = next((each for each in bills if fits(each)), None)
        if first is not None:
            notes.setdefault(first[1]["offer_id"], []).append(note)
    shown = {id_ for is_whole in (True, False) for id_ in _cheapest_sellers(bills, is_whole)} | set(notes)
    kept = [each for each in bills if each[1]["offer_id"] in shown]
    return [(each, "; ".join(notes.get(each[1]["offer_id"], ()))) for each in kept]


def _notes(lgpd: Mapping[str, str]) -> dict[str, Callable[[_Priced], bool]]:
    return {
        WHOLE: lambda each: not each[0].unknown,
        INVOICE: lambda each: each[0].total is not None and _is_invoice(each[0].total),
        BRAZIL: lambda each: lgpd.get(each[1]["country"]) == "brazil",
        "a menor em país adequado (UE/EEE)": lambda each: lgpd.get(each[1]["country"]) == "adequate",
    }


def _cheapest_sellers(bills: list[_Priced], is_whole: bool) -> list[str]:
    """Return the best offer of the cheapest providers among the bills that are whole, or among the others."""
    best: dict[str, str] = {}
    for found, offer in bills:
        if bool(found.unknown) != is_whole:
            best.setdefault(offer["provider"], offer["offer_id"])
    return list(best.values())[:SHOWN]


def _is_invoice(total: Reais) -> bool:
    return reais.billing(total) in {"national_brl", "native_brl"}


def _row(site: Site, found: Bill, offer: dict[str, Any], note: str) -> BillRow:
    data, gpu = site.data, site.data.gpus[offer["gpu"]]
    machine = " · ".join(part for part in (gpu_label(gpu, offer["gpu_count"]), offer["instance"]) if part)
    return BillRow(
        offer=offer,
        found=found,
        provider=data.providers[offer["provider"]].name,
        machine=machine,
        place=_place(offer, site),
        note=note,
        parts=tuple(_part(found, index) for index in range(len(found.parts))),
        total=_total(found),
        billing=reais.SHORT[reais.billing(found.total)] if found.total else "",
        total_usd="" if found.total_usd is None else fmt.money(found.total_usd),
        per_used_hour=_per_used_hour(found),
        yields=yields(site.data, found, offer),
        missing=fmt.words(UNKNOWN[code] for code in found.unknown) if found.unknown else "",
        day=offer["collected_at"].date(),
        band=labels.age_band(offer["age_days"], data),
        source_url=offer["source_url"],
    )


def _place(offer: dict[str, Any], site: Site) -> str:
    place = labels.place(offer, site.data)
    return "região não informada" if place == fmt.NOT_INFORMED else place


def _part(found: Bill, index: int) -> Cell:
    part, amount = found.parts[index], found.reais[index]
    if part.amount is None or amount is None:
        return Cell(fmt.NOT_INFORMED)
    return Cell(fmt.money(amount.amount, "BRL"), sort_key(float(amount.amount)))


def _total(found: Bill) -> Cell:
    """Return the total in reais, “ao menos” where something is missing from it."""
    if found.total is None:
        return Cell(fmt.NOT_INFORMED)
    least = "ao menos " if found.unknown else ""
    return Cell(f"{least}{fmt.money(found.total.amount, 'BRL')}", sort_key(float(found.total.amount)))


def _per_used_hour(found: Bill) -> Cell:
    """Return the total by hour with requests, for endpoints."""
    scenario = found.scenario
    if scenario.occupancy is None or found.total is None:
        return Cell("")
    used = found.total.amount / (scenario.hours * occupancy(scenario))
    return Cell(fmt.money(used, "BRL"), sort_key(float(used)))


def pocket(site: Site, workload: str) -> list[tuple[ScenarioTable, list[str]]]:
    """Return the scenarios of a guide with one sentence for each way of paying that the reader may choose."""
    tables = scenario_tables(site, workload)
    return [(table, _ways(table)) for table in tables if table.rows]


def _ways(table: ScenarioTable) -> list[str]:
    """Return the whole bill, the invoice and the Brazilian region; else the least of what is known."""
    noted = [row for row in table.rows if any(each in row.note for each in (WHOLE, INVOICE, BRAZIL))]
    return [_way(row) for row in noted] or [_way(table.rows[0])]


def _way(row: BillRow) -> str:
    note = f"{row.note[:1].upper()}{row.note[1:]}" if row.note else "A menor do que se sabe"
    day = f"{fmt.day_short(row.day)}{f', {row.band}' if row.band else ''}"
    missing = f"; fora da conta: {row.missing}" if row.missing else ""
    return f"{note}: **{row.total.text}** {row.billing} ({row.provider}, {row.machine}, {day}{missing})"
