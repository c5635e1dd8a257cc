"""Faults of what a source writes: each changes one file of its answer before it is served."""

import json
from dataclasses import dataclass

from faults import ACCEPTED, FAILURE, ROW, Fault


@dataclass(frozen=True)
class Place:
    """Where a source keeps its rows: file, list, a row that is offered, and its price."""

    file: str
    rows: tuple
    row: int
    price: tuple
    key: str  # names the row
    total: tuple = ()
    more: tuple = ()  # other files of the same list


PLACES = {
    "vast": Place("vast/offers.json", ("offers",), 1, ("dph_base",), "gpu_name"),
    "runpod": Place("runpod/types.json", ("data", "gpuTypes"), 2, ("securePrice",), "displayName"),
    "vultr": Place(
        "vultr/plans-1.json", ("plans",), 1, ("hourly_cost",), "gpu_type", ("meta", "total"), ("vultr/plans-2.json",)
    ),
    "azure": Place(
        "azure/prices-1.json", ("Items",), 0, ("retailPrice",), "armSkuName", ("Count",), ("azure/prices-2.json",)
    ),
    "oci": Place(
        "oci/products.json", ("items",), 1, ("currencyCodeLocalizations", 1, "prices", 0, "value"), "partNumber"
    ),
    "linode": Place(
        "linode/types-1.json", ("data",), 1, ("price", "hourly"), "label", ("results",), ("linode/types-2.json",)
    ),
    "scaleway": Place(
        "scaleway/products-1.json",
        ("products",),
        2,
        ("price", "retail_price", "units"),
        "product",
        ("total_count",),
        ("scaleway/products-2.json",),
    ),
    "ovh": Place("ovh/cloud.json", ("addons",), 1, ("pricings", 0, "price"), "invoiceName"),
    "ptax": Place("ptax/rates.json", ("value",), 0, ("cotacaoVenda",), "dataHoraCotacao"),
}
PAGED = ("vultr", "linode", "scaleway")


def at(document, path):
    for step in path:
        document = document[step]
    return document


def on_document(change, *, everywhere=False):
    """Edit the file of the rows as a document: `change(document, place)` gives what is served."""

    def make(place):
        def edit(file, content):
            if file not in {place.file, *(place.more if everywhere else ())}:
                return content
            document = json.loads(content)
            changed = change(document, place)
            return changed if isinstance(changed, bytes) else json.dumps(document).encode()

        return edit

    return make


def on_price(value):
    def change(document, place):
        row = at(document, place.rows)[place.row]
        at(row, place.price[:-1])[place.price[-1]] = value(at(row, place.price)) if callable(value) else value

    return on_document(change)


def without_price(document, place):
    del at(at(document, place.rows)[place.row], place.price[:-1])[place.price[-1]]


def renamed_everywhere(document, place):
    name = next(step for step in place.price if isinstance(step, str))
    for row in at(document, place.rows):
        if name in row:
            row[f"new_{name}"] = row.pop(name)


def renamed_list(document, place):
    parent = at(document, place.rows[:-1])
    parent["renamed"] = parent.pop(place.rows[-1])


def replaced_list(value):
    def change(document, place):
        at(document, place.rows[:-1])[place.rows[-1]] = value

    return on_document(change)


def every_row(value):
    def change(document, place):
        rows = at(document, place.rows)
        rows[:] = [value] * len(rows)

    return on_document(change)


def repeated_row(document, place):
    rows = at(document, place.rows)
    rows.append(rows[place.row])
    if place.total:
        at(document, place.total[:-1])[place.total[-1]] += 1


def reversed_rows(document, place):
    at(document, place.rows).reverse()


def shuffled_keys(document, place):
    rows = at(document, place.rows)
    rows[:] = [dict(reversed(row.items())) for row in rows]


def new_field(document, place):
    for row in at(document, place.rows):
        row["something_new"] = {"nested": [1, None]}


def lost_row(document, place):
    del at(document, place.rows)[place.row]


def wrong_total(document, place):
    at(document, place.total[:-1])[place.total[-1]] += 1


def null_row(document, place):
    at(document, place.rows)[place.row] = None


def key_twice(document, place):
    text = json.dumps(document)
    name = f'"{place.key}":'
    return text.replace(name, f'"{place.key}": "other", {name}', 1).encode()


def not_a_number(document, place):
    on = at(document, place.rows)[place.row]
    at(on, place.price[:-1])[place.price[-1]] = float("nan")


DATA = [
    Fault("document cut in half", FAILURE, on_document(lambda d, _: json.dumps(d).encode()[: len(json.dumps(d)) // 2])),
    Fault("document and more", FAILURE, on_document(lambda d, _: json.dumps(d).encode() + b"{}")),
    Fault("another document", FAILURE, on_document(lambda _d, _p: b'{"message": "ok"}')),
    Fault("a list on its own", FAILURE, on_document(lambda _d, _p: b"[]")),
    Fault("nested without end", FAILURE, on_document(lambda _d, _p: b"[" * 100_000)),
    Fault("empty list", FAILURE, replaced_list([])),
    Fault("null list", FAILURE, replaced_list(None)),
    Fault("object where the list was", FAILURE, replaced_list({"a": 1})),
    Fault("list renamed", FAILURE, on_document(renamed_list)),
    Fault("rows of text", FAILURE, every_row("H100")),
    Fault("rows of null", FAILURE, every_row(None)),
    Fault("one row of null", FAILURE, on_document(null_row)),
    Fault("rows without any field", FAILURE, every_row({})),
    Fault("column of the price renamed", FAILURE, on_document(renamed_everywhere, everywhere=True)),
    Fault("key twice", FAILURE, on_document(key_twice)),
    Fault("NaN as price", FAILURE, on_document(not_a_number)),
    Fault("row repeated", FAILURE, on_document(repeated_row), {"ptax": ACCEPTED}),
    Fault("rows in another order", ACCEPTED, on_document(reversed_rows)),
    Fault("columns in another order", ACCEPTED, on_document(shuffled_keys)),
    Fault("columns added", ACCEPTED, on_document(new_field)),
    Fault("row lost, total kept", FAILURE, on_document(lost_row), only=(*PAGED, "azure")),
    Fault("total that does not match", FAILURE, on_document(wrong_total), only=(*PAGED, "azure")),
]
PRICES = [
    Fault("price null", ROW, on_price(None)),
    Fault("price missing in one row", ROW, on_document(without_price)),
    Fault("price zero", ROW, on_price(0)),
    Fault("price negative", ROW, on_price(-1)),
    Fault("price in cents", ROW, on_price(lambda price: round(price * 100))),
    Fault("price a hundredth", ROW, on_price(lambda price: price / 100)),
    Fault("price of nearly nothing", ROW, on_price(0.0001)),
    Fault("sentinel price", ROW, on_price(9999)),
    Fault("price as text with a comma", ROW, on_price("2,49")),
    Fault("price as words", ROW, on_price("contact us")),
    Fault("price as an empty text", ROW, on_price("")),
    Fault("price as an object", ROW, on_price({"usd": 1})),
    Fault("price as a list", ROW, on_price([1, 2])),
    Fault("price as true", ROW, on_price(True)),
    Fault("price with an absurd exponent", ROW, on_price(1e300)),
]
HARMLESS_RATES = {"price in cents", "price a hundredth", "price of nearly nothing", "sentinel price"}
CURRENCY = {
    "azure": ("azure/prices-1.json", lambda d: d["Items"][0].update(currencyCode="EUR"), "EUR"),
    "scaleway": (
        "scaleway/products-1.json",
        lambda d: d["products"][1]["price"]["retail_price"].update(currency_code="USD"),
        "USD",
    ),
    "ovh": ("ovh/cloud.json", lambda d: d["locale"].update(currencyCode="USD"), "USD"),
}
