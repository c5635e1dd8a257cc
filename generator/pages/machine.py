"""The files for machines as bytes: API, schemas, CSVs and their descriptor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.views import api, spreadsheet
from generator.views.answers import answers
from generator.views.api import BASE, Endpoint
from generator.views.atlas import Atlas

_DUMP = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def files(atlas: Atlas, site_url: str) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the API and every download."""
    data = atlas.catalogue.data
    head = api.head(data, site_url)
    every = list(api.endpoints(atlas))
    for endpoint in every:
        yield BASE + endpoint.path, _endpoint(endpoint, head)
    for endpoint in {endpoint.schema: endpoint for endpoint in every}.values():
        schema = api.schema(endpoint, data.columns[endpoint.table])
        yield BASE + endpoint.schema, pretty(schema)
    yield f"{BASE}index.json", pretty(_index(every, head))
    yield "dados/ofertas.csv", spreadsheet.for_programs(data)
    yield "dados/ofertas-br.csv", spreadsheet.for_spreadsheets(data, atlas.catalogue.site.today)
    yield "dados/datapackage.json", pretty(spreadsheet.package(data, site_url))


def answer_files(atlas: Atlas) -> Iterator[tuple[str, bytes]]:
    """Yield what the calculator looks up, a file for each model."""
    for each in answers(atlas):
        yield f"calculadora/{each.model.id}.json", _DUMP(each.as_json()).encode()


def pretty(value: Any) -> bytes:
    """Return JSON for people to read too; NaN is refused."""
    return (json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def _endpoint(endpoint: Endpoint, head: dict[str, Any]) -> bytes:
    """Return one record a line, so that a difference between two editions reads as news."""
    opening = _DUMP({**head, **endpoint.more})[:-1]
    rows = ",\n".join(map(_DUMP, endpoint.rows))
    return f'{opening},"{endpoint.name}":[\n{rows}\n]}}\n'.encode()


def _index(every: list[Endpoint], head: dict[str, Any]) -> dict[str, Any]:
    listed = [{"path": each.path, "title": each.title, "schema": each.schema, "rows": len(each.rows)} for each in every]
    return {**head, "version": 1, "changelog": "../../dados/#historico-da-api", "endpoints": listed}
