"""What programs, spreadsheets and other sites may rely on."""

from __future__ import annotations

import csv
import io
import json
import math
import warnings
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

from generator.pages.machine import pretty
from generator.views import spreadsheet
from generator.views.api import plain


def strict_json(file: Path):
    def refuse(name: str):
        raise AssertionError(f"{name} in {file}")

    return json.loads(file.read_text(encoding="utf-8"), parse_constant=refuse)


def test_every_json_of_the_site_is_strict(built_site: Path):
    files = sorted(built_site.rglob("*.json"))
    assert len(files) > 80
    for file in files:
        strict_json(file)


def test_the_index_lists_every_file_of_the_api_and_its_schema(built_site: Path):
    base = built_site / "api" / "v1"
    index = strict_json(base / "index.json")
    listed = {entry["path"] for entry in index["endpoints"]} | {entry["schema"] for entry in index["endpoints"]}
    assert listed | {"index.json"} == {file.relative_to(base).as_posix() for file in base.rglob("*.json")}
    promised = {"offers.json", "gpus.json", "providers.json", "models.json", "workloads", "sizing"}
    assert {entry["path"].split("/")[0] for entry in index["endpoints"]} >= promised


def test_files_of_the_api_obey_their_schemas_and_come_from_the_same_data(built_site: Path):
    base = built_site / "api" / "v1"
    index = strict_json(base / "index.json")
    seen = set()
    for entry in index["endpoints"]:
        if entry["schema"] in seen and entry["path"].startswith("sizing"):
            continue  # one model stands for all: same code, same columns
        seen.add(entry["schema"])
        schema = strict_json(base / entry["schema"])
        jsonschema.Draft202012Validator.check_schema(schema)
        content = strict_json(base / entry["path"])
        jsonschema.Draft202012Validator(schema).validate(content)
        assert content["data_id"] == index["data_id"]


def test_offers_of_the_api_equal_the_dataset(built_site: Path, data):
    offers = strict_json(built_site / "api" / "v1" / "offers.json")["offers"]
    assert [offer["offer_id"] for offer in offers] == sorted(data.offers["offer_id"])
    assert {offer["offer_id"]: offer["price_usd_gpu_hour"] for offer in offers} == pytest.approx(_prices(data))


def _prices(data) -> dict[str, float | None]:
    known = zip(data.offers["offer_id"], data.offers["price_usd_gpu_hour"], strict=True)
    return {offer: None if math.isnan(price) else price for offer, price in known}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(float("nan"), None), ("", None), (None, None), (2.0, 2), (2.5, 2.5), (0.0, 0), ("NA", "NA")],
)
def test_unknown_is_null_and_everything_else_is_kept(value: object, expected: object):
    assert plain(value) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_refused(value: float):
    with pytest.raises(ValueError, match="JSON compliant"):
        pretty({"price": value})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('=HYPERLINK("https://x","clique")', '\'=HYPERLINK("https://x","clique")'),
        ("+cmd", "'+cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("\t=1+1", "'\t=1+1"),
        ("-0,02", "-0,02"),
        ("-5.00", "-5.00"),
        ("A100", "A100"),
        ("", ""),
        ("us-east-1", "us-east-1"),
    ],
)
def test_formulas_are_neutralised_and_numbers_are_not(text: str, expected: str):
    assert spreadsheet.harmless(text) == expected


def test_the_spreadsheet_gives_back_the_numbers_of_the_dataset(built_site: Path, data):
    text = (built_site / "dados" / "ofertas-br.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    read = {row["Identificador"]: row["Preço por GPU"].replace(",", ".") for row in rows}
    assert {offer: float(price) if price else None for offer, price in read.items()} == pytest.approx(_prices(data))


def test_the_csv_for_programs_reads_as_the_dataset(built_site: Path, data):
    read = pd.read_csv(
        built_site / "dados" / "ofertas.csv", keep_default_na=False, na_values=[""], dtype={"instance": str}
    )
    assert list(read.columns) == list(data.offers.columns)
    assert len(read) == len(data.offers)


def test_the_data_package_validates(built_site: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the validator's own dependencies
        from frictionless import validate

        report = validate(str(built_site / "dados" / "datapackage.json"))
    assert report.valid, report.flatten(["rowNumber", "fieldName", "type", "note"])[:5]
