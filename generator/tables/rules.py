"""`data/rules.yml`: limits, plausible prices, closed lists, and what the reader is told about flags and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator import cells
from generator.model import Gpu
from generator.problems import Problem, did_you_mean
from generator.records import Record, yaml_record


@dataclass(frozen=True, slots=True)
class Band:
    """Plausible prices of one GPU for one hour, in US dollars."""

    on_demand: Decimal
    discounted: Decimal  # spot and reserved
    most: Decimal


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the offers table; `flags` and `reasons` hold the Portuguese sentence of each code."""

    warn_days: int
    highlight_days: int
    hide_days: int  # of a live source
    limits: dict[str, float]
    rates: dict[tuple[str, str], tuple[Decimal, Decimal]]  # plausible, by base and quote
    owner_priced_tiers: frozenset[str]  # each owner sets a price, so that a median tells nothing
    specs: dict[str, tuple[Decimal, Decimal]]  # column → least and most of a machine, in the column's unit
    sentinels: frozenset[Decimal]
    modifiable: frozenset[str]
    countries: frozenset[str]  # ISO 3166-1 alpha-2
    pricing_models: tuple[str, ...]
    tiers: dict[str, str]
    bands: dict[str, Band]
    flags: dict[str, str]
    declared_flags: frozenset[str]
    reasons: dict[str, str]
    quarantined: frozenset[str]  # the reasons that wait for a person

    def units_per_usd(self, currency: str) -> tuple[Decimal, Decimal] | None:
        """Return the fewest and the most of a currency that a dollar may be worth, directly or through the euro."""
        if direct := self.rates.get(("USD", currency)):
            return direct
        if inverse := self.rates.get((currency, "USD")):
            return 1 / inverse[1], 1 / inverse[0]
        euro, dollar = self.rates.get(("EUR", currency)), self.rates.get(("EUR", "USD"))
        return (euro[0] / dollar[1], euro[1] / dollar[0]) if euro and dollar else None


_LIMITS = (
    "disagreement", "median_share", "median_from", "pair_share", "family_step", "coverage_drop", "price_jump",
    "rows_lost", "lost_from", "confirmations", "confirm_hours", "equal_from",
)  # fmt: skip
_SPECS = ("vcpus", "ram_gib", "disk_gb", "node_network_gbps")


def parse_rules(text: str, path: str, gpus: Mapping[str, Gpu]) -> tuple[Rules, list[Problem]]:
    """Return the rules, and every problem of the file; each GPU must have its band of plausible prices."""
    root = yaml_record(text, path)
    ages, limits = root.child("age_days"), root.child("limits")
    flags, reasons = root.child("flags"), root.child("reasons")
    declared, quarantined = _sentences(flags.child("declared")), _sentences(reasons.child("quarantined"))
    specs = root.child("plausible_specs")
    tiers = _sentences(root.child("tiers"))
    rules = Rules(
        warn_days=ages.need("warn", cells.integer),
        highlight_days=ages.need("highlight", cells.integer),
        hide_days=ages.need("hide_live", cells.integer),
        limits={name: limits.need(name, cells.positive) for name in _LIMITS},
        rates=_rates(root.child("plausible_rates")),
        owner_priced_tiers=frozenset(root.need("owner_priced_tiers", cells.list_of(cells.one_of(tiers))) or ()),
        specs={name: found for name in _SPECS if (found := specs.need(name, _range))},
        sentinels=frozenset(root.need("sentinels", cells.list_of(cells.decimal)) or ()),
        modifiable=frozenset(root.need("modifiable", cells.list_of(cells.one_of(gpus))) or ()),
        countries=frozenset(root.need("countries", cells.list_of(cells.country)) or ()),
        pricing_models=root.need("pricing_models", cells.list_of(cells.identifier)),
        tiers=tiers,
        bands=_bands(root.child("plausible_usd_gpu_hour"), gpus),
        flags=declared | _sentences(flags.child("computed")),
        declared_flags=frozenset(declared),
        reasons=quarantined | _sentences(reasons.child("dropped")),
        quarantined=frozenset(quarantined),
    )
    return rules, root.problems


def _sentences(entries: Record) -> dict[str, str]:
    return {code: entries.need(code, cells.text) for code in entries.keys}


def _rates(entries: Record) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
    found = {}
    for name in entries.keys:
        base, _, quote = name.partition("/")
        low_high = entries.need(name, cells.list_of(cells.decimal))
        if low_high and len(low_high) == 2 and 0 < low_high[0] < low_high[1]:
            found[base, quote] = (low_high[0], low_high[1])
        elif low_high:
            entries.note(name, f"faixa de «{name}»", "[mínimo, máximo], maiores que zero", "acerte os dois valores")
    return found


def _bands(entries: Record, gpus: Mapping[str, Gpu]) -> dict[str, Band]:
    wanted = {gpu.id for gpu in gpus.values() if gpu.accelerator_class == "gpu"}
    for name in sorted(set(entries.keys) - wanted):
        todo = did_you_mean(name, wanted - set(entries.keys))
        entries.note(name, f"faixa de «{name}»", "uma GPU de data/gpus.csv", todo, of_key=True)
    for name in sorted(wanted - set(entries.keys)):
        todo = f"acrescente «{name}: [mínimo sob demanda, mínimo spot, máximo]»"
        entries.note((), f"falta a faixa de preço de {name}", "uma faixa para cada GPU", todo)
    return {gpu: band for gpu in entries.keys if (band := entries.need(gpu, _band))}


def _range(raw: Any) -> tuple[Decimal, Decimal]:
    values = cells.list_of(cells.decimal)(raw)
    if len(values) != 2 or not Decimal(0) < values[0] < values[1]:
        raise cells.RefusedError("uma faixa fora de ordem", "[mínimo, máximo]", "acerte os dois valores")
    return values[0], values[1]


def _band(raw: Any) -> Band:
    values = cells.list_of(cells.decimal)(raw)
    if len(values) != 3 or not Decimal(0) < values[1] <= values[0] < values[2]:
        raise cells.RefusedError(
            "uma faixa fora de ordem",
            "[mínimo sob demanda, mínimo spot ou reservado, máximo]",
            "acerte os três valores",
        )
    return Band(*values)
