"""The columns of the offers table and of the quarantine, and what may stand in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import pandera.pandas as pa

from generator.normalise.whole_row import WHOLE_ROW
from generator.problems import Problem
from generator.tables.rules import Rules

TEXT = (
    "offer_id", "provider", "upstream", "instance", "region", "country", "gpu", "gpu_interconnect", "node_network",
    "disk_kind", "pricing_model", "tier", "currency", "availability", "source", "source_url", "flags",
)  # fmt: skip
NUMBERS = (
    "gpu_count", "node_network_gbps", "vcpus", "ram_gib", "disk_gb", "price_hour", "price_usd_hour",
    "price_usd_gpu_hour",
)  # fmt: skip
COLUMNS = (
    "offer_id", "provider", "upstream", "instance", "region", "country", "gpu", "gpu_count", "gpu_interconnect",
    "node_network", "node_network_gbps", "vcpus", "ram_gib", "disk_gb", "disk_kind", "pricing_model", "tier",
    "price_hour", "currency", "price_usd_hour", "price_usd_gpu_hour", "availability", "source", "source_url",
    "collected_at", "flags",
)  # fmt: skip
QUARANTINE_COLUMNS = (
    "reason", "detail", "source", "record", "provider", "instance", "region", "gpu", "gpu_count", "pricing_model",
    "tier", "price", "currency", "collected_at",
)  # fmt: skip
PROVENANCE_COLUMNS = ("offer_id", "source", "adapter_version", "record", "record_hash")
KEY = ("provider", "upstream", "instance", "gpu", "gpu_count", "region", "pricing_model", "tier")

CLOSED: Mapping[str, tuple[str, ...]] = {
    "gpu_interconnect": ("", "nvlink", "pcie", "infinity_fabric"),
    "node_network": ("", "infiniband", "efa", "roce", "ethernet"),
    "disk_kind": ("", "nvme", "ssd", "hdd", "local", "network"),
    "availability": ("", "available", "unavailable", "listed"),
}
_SHOWN = 50  # problems; more would not be read
_IN_WORDS = {"not_nullable": "um valor", "field_uniqueness": "uma chave que nenhuma outra linha tem"}
_IDENTIFIER = r"[a-z0-9]+([-.][a-z0-9]+)*"


def offers_schema(providers: Collection[str], gpus: Collection[str], rules: Rules) -> pa.DataFrameSchema:
    """Return the schema of a whole offers table: types, closed lists, plausible prices that agree with each other."""
    closed: dict[str, Collection[str]] = {
        "provider": providers,
        "gpu": gpus,
        "pricing_model": rules.pricing_models,
        "tier": ["", *rules.tiers],
        **CLOSED,
    }
    above_zero = pa.Check.gt(0, error="um número maior que zero")
    columns: dict[str, pa.Column] = {
        **{name: pa.Column(str, _one_of(list(values))) for name, values in closed.items()},
        **{name: pa.Column(float, above_zero, nullable=True) for name in NUMBERS},
        "offer_id": pa.Column(str, _like(rf"^{_IDENTIFIER}(--{_IDENTIFIER})*$", "uma chave de oferta"), unique=True),
        "country": pa.Column(str, _like(r"^([A-Z]{2})?$", "um país em duas letras maiúsculas")),
        "currency": pa.Column(str, _like(r"^[A-Z]{3}$", "uma moeda em três letras maiúsculas")),
        "source_url": pa.Column(str, _like(r"^https://", "um endereço https://")),
        "gpu_count": pa.Column(float, above_zero),
        "price_hour": pa.Column(float, above_zero),
        "collected_at": pa.Column("datetime64[us, UTC]"),
    }
    flags = pa.Check(lambda flags: flags.map(_closed(frozenset(rules.flags))), error="avisos da lista, em ordem")
    columns["flags"] = pa.Column(str, flags)
    text = {name: columns.get(name, pa.Column(str)) for name in TEXT}
    ordered = {name: text.get(name) or columns[name] for name in COLUMNS}
    checks = [pa.Check(partial(rule.holds, rules=rules), error=rule.expected) for rule in WHOLE_ROW]
    return pa.DataFrameSchema(ordered, checks=checks, strict=True, ordered=True)


def offers_problems(offers: pd.DataFrame, schema: pa.DataFrameSchema, path: str) -> list[Problem]:
    """Return what the schema refuses, with the line of the file and the key of the offer; one problem of a row each."""
    try:
        schema.validate(offers, lazy=True)
    except pa.errors.SchemaErrors as errors:
        cases = errors.failure_cases.to_dict("records")
        return list(dict.fromkeys(_problem(case, offers, path) for case in cases))[:_SHOWN]
    return []


def _problem(case: Mapping[Hashable, Any], offers: pd.DataFrame, path: str) -> Problem:
    row = case["index"]
    line, offer = (0, "") if pd.isna(row) else (int(row) + 2, f" (oferta {offers['offer_id'][int(row)]})")
    whole = next((rule for rule in WHOLE_ROW if rule.expected == case["check"]), None)
    told = whole.columns(offers, int(row)) if whole and line else f"«{case['failure_case']}» em {case['column']}"
    todo = "rode `python -m generator refresh`; se continuar, corrija a fonte ou a regra"
    return Problem(path, line, 0, f"{told}{offer}", f"esperado: {_IN_WORDS.get(case['check'], case['check'])}", todo)


def _one_of(values: list[str]) -> pa.Check:
    shown = ", ".join(value or "vazio" for value in values)
    return pa.Check.isin(values, error=f"um destes: {shown}")


def _like(pattern: str, expected: str) -> pa.Check:
    return pa.Check.str_matches(pattern, error=expected)


def _closed(names: frozenset[str]) -> Callable[[str], bool]:
    """Return whether a list joined by `;` is sorted, without repetition, and only of these names."""
    return lambda text: not text or (text.split(";") == sorted(set(text.split(";"))) and names >= set(text.split(";")))
