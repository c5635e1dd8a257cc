"""What programs read: the tables of the dataset as plain values, the schema of each, and the list of all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from generator.dataset import Dataset
from generator.normalise.csv_files import offers_csv
from generator.tables.columns import PublishedColumn
from generator.views.atlas import Atlas
from generator.views.comparison import GROUPS, compare
from generator.views.cost_rows import cost_rows
from generator.views.offer_rows import records
from generator.views.site import Site

BASE = "api/v1/"
LICENCE = "CC-BY-4.0"
TYPES = {"datetime": "string", "date": "string"}
FORMATS = {"datetime": "date-time", "date": "date"}
Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One file of the API: what its rows are, under which name, and the columns they have."""

    path: str
    title: str
    table: str  # of data/columns.yml
    name: str  # of the list inside the file
    rows: Rows
    more: dict[str, Any]  # what else the file says

    @property
    def schema(self) -> str:
        """Return where its schema is, below the API."""
        return f"schemas/{self.path.split('/')[0].removesuffix('.json')}.json"


def endpoints(atlas: Atlas) -> Iterator[Endpoint]:
    """Yield every file of the API."""
    data, site = atlas.catalogue.data, atlas.catalogue.site
    columns = data.columns
    yield Endpoint("offers.json", "Ofertas publicadas", "offers", "offers", offer_rows(data), {})
    in_reais = cost_rows(data, site.today)
    yield Endpoint("costs.json", "Ofertas em reais", "costs", "costs", in_reais, {})
    gpus = [_row(gpu.published(), columns["gpus"]) for gpu in data.gpus.values()]
    yield Endpoint("gpus.json", "GPUs e outros aceleradores", "gpus", "gpus", gpus, {})
    yield Endpoint("providers.json", "Provedores e o que declaram", "providers", "providers", _providers(data), {})
    models = [_row(model, columns["models"]) for model in data.models.values() if model.role == "catalogo"]
    yield Endpoint("models.json", "Modelos", "models", "models", models, {})
    yield from _workloads(site)
    yield from _sizing(atlas)


def data_id(data: Dataset) -> str:
    """Return a short name of exactly this dataset: files with the same one came from the same data."""
    facts = (data.gpus, data.providers, data.models, data.rates, data.cost.iof, data.cost.countries)
    return sha256(offers_csv(data.offers) + repr(facts).encode()).hexdigest()[:12]


def updated(data: Dataset) -> str:
    """Return the day of the newest price."""
    return str(data.offers["collected_at"].max().date().isoformat())


def head(data: Dataset, site_url: str) -> dict[str, Any]:
    """Return what every file says first: which data, from when, under which licence, from where."""
    return {"data_id": data_id(data), "updated": updated(data), "licence": LICENCE, "source": site_url or None}


def offer_rows(data: Dataset) -> Rows:
    """Return the published offers, in the order of the file."""
    ordered = data.offers.sort_values("offer_id")[list(data.columns["offers"])]
    return [{name: plain(value) for name, value in offer.items()} for offer in records(ordered)]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: unknown is null, a whole number has no point, moments are in ISO 8601."""
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    return value


def _row(thing: Any, columns: Mapping[str, PublishedColumn]) -> dict[str, Any]:
    return {name: plain(getattr(thing, name)) for name in columns}


def _providers(data: Dataset) -> Rows:
    found = []
    for provider in data.providers.values():
        facts = {
            name: {key: plain(value) for key, value in asdict(fact).items() if key != "notes"}
            for name, fact in provider.facts.items()
            if fact.text
        }
        found.append(
            {**_row(provider, {k: v for k, v in data.columns["providers"].items() if k != "facts"}), "facts": facts}
        )
    return found


def _workloads(site: Site) -> Iterator[Endpoint]:
    """Yield the offers that each guide shows, best first, with their place in their group."""
    names = list(site.data.columns["offers"])
    for workload in site.data.workloads.values():
        comparison = compare(site.data, workload, site.today)
        rows = [
            {"group": group, "rank": rank, **{name: plain(offer[name]) for name in names}}
            for group in GROUPS
            for rank, offer in enumerate(records(comparison.groups[group]), 1)
        ]
        more = {"workload": workload.id, "title": workload.title, "rank_by": workload.rank_by}
        yield Endpoint(f"workloads/{workload.id}.json", f"Comparação: {workload.title}", "offers", "offers", rows, more)


def _sizing(atlas: Atlas) -> Iterator[Endpoint]:
    """Yield the memory of each model by method, context, batch and number of GPUs."""
    columns = list(atlas.catalogue.data.columns["sizing"])
    numbers = [name for name in columns if name.endswith("_bytes")]
    frame = atlas.fits.frame.assign(**{name: atlas.fits.frame[name].round().astype("int64") for name in numbers})
    for name, rows in frame.groupby("model", sort=False):
        model = atlas.catalogue.models[str(name)]
        suits = rows["method"].isin(atlas.fits.methods_of[model.id])
        allowed = rows[suits & (rows["context"] <= atlas.fits.contexts_of(model)[-1])]
        found = [dict(zip(columns, row, strict=True)) for row in allowed[columns].values.tolist()]
        more = {"model": model.id, "name": model.name}
        yield Endpoint(f"sizing/{model.id}.json", f"Memória do {model.name}", "sizing", "rows", found, more)


def schema(endpoint: Endpoint, columns: Mapping[str, PublishedColumn]) -> dict[str, Any]:
    """Return the JSON Schema of an endpoint; unknown values are null, except what identifies a row."""
    row = {name: _property(column, is_key=name in {"id", "offer_id"}) for name, column in columns.items()}
    extra: dict[str, Any] = {name: {} for name in next(iter(endpoint.rows), {}) if name not in columns}
    more: dict[str, Any] = {name: {"type": "string"} for name in ("data_id", "updated", "licence", *endpoint.more)}
    rows = {"type": "array", "items": {"type": "object", "required": list(columns), "properties": {**extra, **row}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": endpoint.schema.removeprefix("schemas/").removesuffix(".json"),
        "type": "object",
        "required": ["data_id", "updated", "licence", endpoint.name],
        "properties": {**more, "source": {"type": ["string", "null"]}, endpoint.name: rows},
    }


def _property(column: PublishedColumn, *, is_key: bool) -> dict[str, Any]:
    kind = TYPES.get(column.type, column.type)
    found: dict[str, Any] = {
        "title": column.title,
        "description": column.description + (f" Unidade: {column.unit}." if column.unit else ""),
        "type": kind if is_key else [kind, "null"],
    }
    return {**found, "format": FORMATS[column.type]} if column.type in FORMATS else found
