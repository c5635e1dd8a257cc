"""Everything that goes wrong with an answer, as data: what is done to it, and what must come of that.

`failure`: the source fails as a whole, with a message. `row`: every row is still accounted for, the faulty one as the
source wrote it, for `normalise` to judge. `accepted`: the same offers as without the fault.
"""

import gzip
import json
from dataclasses import dataclass, field, replace

from replay import Reply

FAILURE, ROW, ACCEPTED = "failure", "row", "accepted"
POSTS = ("vast", "runpod")


@dataclass(frozen=True)
class Fault:
    name: str
    outcome: str
    make: object
    unless: dict = field(default_factory=dict)  # source → its own outcome
    only: tuple = ()

    def outcome_for(self, source):
        return self.unless.get(source, self.outcome)


# On the wire: what happens to the reply, given how many times this address was asked before.


def always(change):
    return lambda reply, _before, _request: change(reply)


def first(change, times=1):
    return lambda reply, before, _request: change(reply) if before < times else reply


def status(code, body=b"busy", **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _reply: Reply(code, body, named)


def headers(**changed):
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    return lambda reply: replace(reply, headers=reply.headers | named)


def body(change):
    return lambda reply: replace(reply, body=change(reply.body))


def cut(reply):
    return replace(reply, sent=len(reply.body) // 2)


def hang_up(reply):
    return replace(reply, sent=-1)


def cut_chunk(reply):
    chunk = b"%x\r\n%s" % (len(reply.body) + 100, reply.body)
    chunked = {"Transfer-Encoding": "chunked", "Content-Length": None}
    return replace(reply, body=chunk, headers=reply.headers | chunked)


def zipped(reply, change=lambda packed: packed):
    packed = change(gzip.compress(reply.body))
    return replace(reply, body=packed, headers=reply.headers | {"Content-Encoding": "gzip"})


def not_in_zips(change):
    return lambda reply: reply if reply.body.startswith(b"PK") else change(reply)


def bomb(reply):
    return zipped(replace(reply, body=reply.body[:1] + b" " * 3_000_000))


def hops(_reply, _before, request):
    return Reply(302, b"", {"Location": request["target"] + "x"})


def within(reply, before, request):
    return Reply(307, b"", {"Location": request["target"]}) if before == 0 else reply


HTML = b"<html><body><h1>Tente de novo em 30 segundos</h1></body></html>"
WIRE = [
    Fault("body cut", FAILURE, always(cut)),
    Fault("body cut once", ACCEPTED, first(cut)),
    Fault("chunked body cut", FAILURE, always(cut_chunk)),
    Fault(
        "Content-Length too small",
        FAILURE,
        always(lambda r: replace(r, headers=r.headers | {"Content-Length": str(len(r.body) // 2)})),
    ),
    Fault("connection dropped", FAILURE, always(hang_up)),
    Fault("connection dropped once", ACCEPTED, first(hang_up)),
    Fault("HTML with 200", FAILURE, always(lambda _: Reply(200, HTML, {"Content-Type": "text/html"}))),
    Fault("HTML declared as data", FAILURE, always(body(lambda _: HTML))),
    Fault("HTML with 200, once", FAILURE, first(lambda _: Reply(200, HTML, {"Content-Type": "text/html"}))),
    Fault("empty body", FAILURE, always(body(lambda _: b""))),
    Fault("only spaces", FAILURE, always(body(lambda _: b" \n \n"))),
    Fault("wrong content type", FAILURE, always(headers(Content_Type="image/png"))),
    Fault("no content type", FAILURE, always(headers(Content_Type=None))),
    Fault(
        "XML declared as data",
        FAILURE,
        always(body(lambda _: b"<?xml version='1.0'?><Error><Code>SlowDown</Code></Error>")),
    ),
    Fault("429 storm", FAILURE, always(status(429))),
    Fault("429 with seconds, then data", ACCEPTED, first(status(429, Retry_After="3"))),
    Fault("429 with a date, then data", ACCEPTED, first(status(429, Retry_After="Mon, 30 Nov 2026 12:00:20 GMT"))),
    Fault(
        "429 with a date gone by, then data", ACCEPTED, first(status(429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"))
    ),
    Fault("429 with nonsense, then data", ACCEPTED, first(status(429, Retry_After="a bit"))),
    Fault("429 for a day", FAILURE, first(status(429, Retry_After="86400"))),
    Fault("500 then data", ACCEPTED, first(status(500))),
    Fault("502 in HTML then data", ACCEPTED, first(status(502, HTML, Content_Type="text/html"))),
    Fault("three times 503, then data", ACCEPTED, first(status(503), 3)),
    Fault("503 for ever", FAILURE, always(status(503))),
    Fault("503 that asks for long waits", FAILURE, always(status(503, Retry_After="110"))),
    Fault("400", FAILURE, always(status(400))),
    Fault("401", FAILURE, always(status(401))),
    Fault("403", FAILURE, always(status(403))),
    Fault("404", FAILURE, always(status(404))),
    Fault("410", FAILURE, always(status(410))),
    Fault("204", FAILURE, always(status(204, b""))),
    Fault("206, part of the body", FAILURE, always(lambda r: replace(r, status=206))),
    Fault("304 that nobody asked for", FAILURE, always(status(304, b""))),
    Fault("redirect to another host", FAILURE, always(status(302, b"", Location="https://elsewhere.example/"))),
    Fault("redirect to no TLS", FAILURE, always(status(302, b"", Location="http://api.example/"))),
    Fault("redirect without an address", FAILURE, always(status(302, b""))),
    Fault("redirect to a broken address", FAILURE, always(status(302, b"", Location="https://["))),
    Fault("redirect loop", FAILURE, always(status(302, b"", Location="?"))),
    Fault("redirect chain", FAILURE, hops),
    Fault("redirect within the host", ACCEPTED, within, dict.fromkeys(POSTS, FAILURE)),
    Fault("gzip, rightly", ACCEPTED, always(zipped)),
    Fault("gzip cut", FAILURE, always(lambda r: zipped(r, lambda packed: packed[:-20]))),
    Fault("gzip with a wrong checksum", FAILURE, always(lambda r: zipped(r, lambda p: p[:-8] + bytes(8)))),
    Fault("gzip in name only", FAILURE, always(headers(Content_Encoding="gzip"))),
    Fault("gzip bomb", FAILURE, always(bomb)),
    Fault("compressed as nobody asked", FAILURE, always(headers(Content_Encoding="br"))),
    Fault("too large on the wire", FAILURE, always(body(lambda b: b + b" " * 3_000_000))),
    Fault("wrong charset", FAILURE, always(body(lambda b: b[:1] + b"S\xe3o" + b[1:]))),
    Fault("UTF-16", FAILURE, always(not_in_zips(body(lambda b: b.decode().encode("utf-16"))))),
    Fault("byte order mark", ACCEPTED, always(not_in_zips(body(lambda b: b"\xef\xbb\xbf" + b)))),
]

# In the data: what is done to one file of the answer.


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
