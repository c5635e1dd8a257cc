"""The offers as CSV for programs and for spreadsheets in Portuguese, and the descriptor of both."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from typing import Any

from generator.dataset import Dataset
from generator.normalise.csv_files import offers_csv
from generator.normalise.numbers import as_text
from generator.normalise.schema import NUMBERS, TEXT
from generator.tables.columns import PublishedColumn
from generator.views import api
from generator.views.cost_rows import cost_rows
from generator.views.offer_rows import records

_STARTS = re.compile(r"[=+\-@\t\r]")  # what a spreadsheet takes for a formula
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
FRICTIONLESS = {"string": "string", "number": "number", "integer": "integer", "datetime": "datetime", "date": "date"}


def harmless(text: str) -> str:
    """Return a text that no spreadsheet runs: formulas get an apostrophe in front, numbers stay numbers."""
    return f"'{text}" if _STARTS.match(text) and not _NUMBER.fullmatch(text) else text


def for_programs(data: Dataset) -> bytes:
    """Return every published offer as plain CSV: comma, decimal point, UTF-8."""
    return offers_csv(data.offers.assign(**{name: data.offers[name].map(harmless) for name in TEXT}))


def for_spreadsheets(data: Dataset, today: date) -> bytes:
    """Return every offer, in reais too, as a spreadsheet in Portuguese opens it: `;`, decimal comma, titles, a BOM."""
    columns, costs = data.columns["offers"], _cost_columns(data)
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter=";", lineterminator="\r\n")
    writer.writerow([column.title for column in (*columns.values(), *costs.values())])
    for offer, cost in zip(records(data.offers.sort_values("offer_id")), cost_rows(data, today), strict=True):
        shown = [_cell(name, offer[name]) for name in columns]
        writer.writerow([*shown, *(_cost_cell(cost[name]) for name in costs)])
    return b"\xef\xbb\xbf" + lines.getvalue().encode()


def _cost_columns(data: Dataset) -> dict[str, PublishedColumn]:
    """Return the columns that reais add to an offer."""
    return {name: column for name, column in data.columns["costs"].items() if name != "offer_id"}


def _cost_cell(value: str | float | None) -> str:
    if isinstance(value, float):
        return as_text(value).replace(".", ",")
    return value or ""


def _cell(name: str, value: Any) -> str:
    if name in NUMBERS:
        return as_text(value).replace(".", ",")
    if name == "collected_at":
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return harmless(value)


def package(data: Dataset, site_url: str) -> dict[str, Any]:
    """Return the Frictionless descriptor of the two files."""
    columns = data.columns["offers"].values()
    with_reais = (*columns, *_cost_columns(data).values())
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "guia-gpu-na-nuvem",
        "title": "Guia GPU na Nuvem: ofertas",
        "description": "Ofertas de GPU na nuvem, cada uma com fonte e data. Vazio é não informado, nunca zero.",
        "version": api.data_id(data),
        "created": f"{api.updated(data)}T00:00:00Z",
        "licenses": [
            {"name": "CC-BY-4.0", "path": "https://creativecommons.org/licenses/by/4.0/", "title": "CC BY 4.0"}
        ],
        **({"homepage": site_url} if site_url else {}),
        "resources": [
            _resource("ofertas", "Ofertas, para programas", [_field(c, c.name) for c in columns], {}),
            _resource(
                "ofertas-br",
                "Ofertas, para planilhas em português",
                [_field(c, c.title, decimal_comma=True) for c in with_reais],
                {"dialect": {"delimiter": ";", "lineTerminator": "\r\n"}},
            ),
        ],
    }


def _resource(name: str, title: str, fields: list[dict[str, Any]], more: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "path": f"{name}.csv",
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **more,
        "schema": {"fields": fields, "missingValues": [""], "primaryKey": [fields[0]["name"]]},
    }


def _field(column: PublishedColumn, name: str, *, decimal_comma: bool = False) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": name,
        "type": FRICTIONLESS[column.type],
        "title": column.title,
        "description": column.description,
    }
    if column.unit:
        field["unit"] = column.unit
    if column.type == "datetime":
        field["format"] = "%Y-%m-%d %H:%M:%S" if decimal_comma else "%Y-%m-%dT%H:%M:%SZ"
    if column.type == "number" and decimal_comma:
        field["decimalChar"] = ","
    return field
