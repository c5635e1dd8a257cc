"""The columns of the offers table and of the quarantine, and what may stand in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any

import pandas as pd
import pandera.pandas as pa

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
_IDENTIFIER = r"[a-z0-9]+([-.][a-z0-9]+)*"


def offers_schema(providers: Collection[str], gpus: Collection[str], rules: Rules) -> pa.DataFrameSchema:
    """Return the schema of a whole offers table: types, closed lists, and prices that agree with each other."""
    closed: dict[str, Collection[str]] = {
        "provider": providers,
        "gpu": gpus,
        "pricing_model": rules.pricing_models,
        "tier": ["", *rules.tiers],
        **CLOSED,
    }
    columns: dict[str, pa.Column] = {
        **{name: pa.Column(str, pa.Check.isin(list(values))) for name, values in closed.items()},
        **{name: pa.Column(float, pa.Check.gt(0), nullable=True) for name in NUMBERS},
        "offer_id": pa.Column(str, pa.Check.str_matches(rf"^{_IDENTIFIER}(--{_IDENTIFIER})*$"), unique=True),
        "country": pa.Column(str, pa.Check.str_matches(r"^([A-Z]{2})?$")),
        "currency": pa.Column(str, pa.Check.str_matches(r"^[A-Z]{3}$")),
        "source_url": pa.Column(str, pa.Check.str_startswith("https://")),
        "gpu_count": pa.Column(float, pa.Check.gt(0)),
        "price_hour": pa.Column(float, pa.Check.gt(0)),
        "collected_at": pa.Column("datetime64[us, UTC]"),
    }
    columns["flags"] = pa.Column(str, pa.Check(lambda flags: flags.map(_closed(frozenset(rules.flags))), name="flags"))
    text = {name: columns.get(name, pa.Column(str)) for name in TEXT}
    ordered = {name: text.get(name) or columns[name] for name in COLUMNS}
    return pa.DataFrameSchema(
        ordered, checks=[pa.Check(_no_damaged_text), pa.Check(_per_gpu_agrees)], strict=True, ordered=True
    )


def offers_problems(offers: pd.DataFrame, schema: pa.DataFrameSchema, path: str) -> list[Problem]:
    """Return what the schema refuses, with the line of the file and the key of the offer."""
    try:
        schema.validate(offers, lazy=True)
    except pa.errors.SchemaErrors as errors:
        return [_problem(case, offers, path) for case in errors.failure_cases.to_dict("records")[:_SHOWN]]
    return []


def _problem(case: Mapping[Hashable, Any], offers: pd.DataFrame, path: str) -> Problem:
    row = case["index"]
    line, offer = (0, "") if pd.isna(row) else (int(row) + 2, f" (oferta {offers['offer_id'][int(row)]})")
    found = f"«{case['failure_case']}» em {case['column']}{offer}"
    todo = "rode `python -m generator refresh`; se continuar, corrija a fonte ou a regra"
    return Problem(path, line, 0, found, f"esperado: {case['check']}", todo)


def _closed(names: frozenset[str]) -> Callable[[str], bool]:
    """Return whether a list joined by `;` is sorted, without repetition, and only of these names."""
    return lambda text: not text or (text.split(";") == sorted(set(text.split(";"))) and names >= set(text.split(";")))


def _no_damaged_text(offers: pd.DataFrame) -> bool:
    """Tell whether no text was read in the wrong encoding (`São` as `SÃ£o`, or with a replacement character)."""
    damaged = r"\ufffd|Ã[£§©¡ªº³­µ]|Â[ºª°]"
    return not any(offers[name].str.contains(damaged, regex=True).any() for name in TEXT)


def _per_gpu_agrees(offers: pd.DataFrame) -> pd.Series[bool]:
    """Tell whether the price per GPU times the GPUs is the price of the machine, to the cent; slices have none."""
    whole = offers["price_usd_gpu_hour"] * offers["gpu_count"]
    agrees = (whole - offers["price_usd_hour"]).abs() <= 0.01
    return agrees | offers["price_usd_gpu_hour"].isna()
