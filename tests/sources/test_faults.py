"""Every fault against every source it can apply to: nothing wrong gets in as right, and no good row is lost."""

import csv
import io
import json
import ssl
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest
import trustme
from faults import ACCEPTED, CURRENCY, DATA, FAILURE, HARMLESS_RATES, PAGED, PLACES, PRICES, ROW, WIRE, at
from replay import ANSWERS, ROUTES, FakeWorld, Server, ToLoopback, fetcher_for, zipped

from generator.sources import live
from generator.sources.failure import SourceError
from generator.sources.patience import Limits

LIMITS = Limits(read_seconds=2, wire_bytes=2_000_000, body_bytes=2_000_000)


def outcome(source, transport, fake=None, limits=LIMITS):
    """Return what a whole fetch gave, or its failure."""
    adapter = (live.OFFERS | live.RATES)[source]
    try:
        with fetcher_for(source, transport, fake, limits=limits) as fetcher:
            return adapter.parse(adapter.download(fetcher))
    except SourceError as error:
        return error


def rows_of(parsed):
    return sorted(parsed if isinstance(parsed, list) else parsed.offers, key=str)


@pytest.fixture(scope="session")
def right(_server):
    transport = ToLoopback(_server.server_port)
    _server.replay.reset()
    found = {source: outcome(source, transport) for source in ROUTES}
    transport.close()
    return found


def check(fault, source, expected, found, right, outcomes):
    seen = FAILURE if isinstance(found, SourceError) else ACCEPTED if rows_of(found) == rows_of(right) else ROW
    outcomes[fault, source, seen] += 1
    assert not isinstance(found, SourceError) or (found.problem and found.todo)
    assert seen == expected, str(found)[:500]


@pytest.mark.parametrize("source", ROUTES)
@pytest.mark.parametrize("fault", WIRE, ids=lambda fault: fault.name)
def test_fault_on_the_wire(fault, source, replay, transport, right, outcomes):
    replay.fault = fault.make
    fake = FakeWorld()
    found = outcome(source, transport, fake)
    check(fault.name, source, fault.outcome_for(source), found, right[source], outcomes)
    assert sum(fake.waits) <= LIMITS.total_seconds
    assert len(replay.seen) <= LIMITS.tries * len(ROUTES[source])


@pytest.mark.parametrize(
    ("fault", "source"),
    [
        pytest.param(fault, source, id=f"{fault.name}-{source}")
        for fault in DATA
        for source in PLACES
        if not fault.only or source in fault.only
    ],
)
def test_fault_in_the_document(fault, source, replay, transport, right, outcomes):
    replay.edit = fault.make(PLACES[source])
    check(fault.name, source, fault.outcome_for(source), outcome(source, transport), right[source], outcomes)


@pytest.mark.parametrize("source", [source for source in PLACES if source != "ptax"])
@pytest.mark.parametrize("fault", PRICES, ids=lambda fault: fault.name)
def test_faulty_price_is_kept_as_written_and_no_other_row_changes(fault, source, replay, transport, right, outcomes):
    replay.edit = fault.make(PLACES[source])
    found, before = outcome(source, transport), right[source]
    outcomes[fault.name, source, FAILURE if isinstance(found, SourceError) else ROW] += 1
    assert not isinstance(found, SourceError), str(found)
    assert found.rows_read == before.rows_read
    changed = [offer for offer in found.offers if offer not in before.offers]
    lost = [offer for offer in before.offers if offer not in found.offers]
    assert {offer.record for offer in changed} <= {offer.record for offer in lost}
    assert len({offer.instance for offer in lost}) == 1
    if source != "scaleway":
        assert {offer.price for offer in changed} <= {served_text(replay, source)}


def served_text(replay, source):
    """Return the faulty price as it was on the wire."""
    place = PLACES[source]
    document = json.loads(replay.edit(place.file, (ANSWERS / place.file).read_bytes()), parse_float=str, parse_int=str)
    try:
        value = at(at(document, place.rows)[place.row], place.price)
    except KeyError:
        return ""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("fault", PRICES, ids=lambda fault: fault.name)
def test_faulty_exchange_rate_is_refused_unless_only_a_person_could_tell(fault, replay, transport, right, outcomes):
    replay.edit = fault.make(PLACES["ptax"])
    found = outcome("ptax", transport)
    harmless = fault.name in HARMLESS_RATES or fault.name == "price with an absurd exponent"
    check(f"rate: {fault.name}", "ptax", ROW if harmless else FAILURE, found, right["ptax"], outcomes)


@pytest.mark.parametrize("source", CURRENCY)
def test_another_currency_is_told_and_not_assumed(source, replay, transport, right, outcomes):
    file, change, currency = CURRENCY[source]

    def edit(name, content):
        document = json.loads(content) if name == file else None
        return content if document is None else json.dumps(change(document) or document).encode()

    replay.edit = edit
    found = outcome(source, transport)
    check("another currency", source, ROW, found, right[source], outcomes)
    assert currency in {offer.currency for offer in found.offers if offer not in right[source].offers}


# pages


def page_fault(source, change):
    """Edit the first page of a paged source."""
    place = PLACES[source]

    def edit(file, content):
        if file != place.file:
            return content
        document = json.loads(content)
        change(document)
        return json.dumps(document).encode()

    return edit


NEXT = {
    "vultr": lambda document, value: document["meta"]["links"].update(next=value),
    "azure": lambda document, value: document.update(NextPageLink=value),
}


@pytest.mark.parametrize("source", PAGED)
def test_only_the_first_page_is_a_failure_where_a_total_is_told(source, replay, transport, right, outcomes):
    last = {
        "vultr": lambda document: NEXT["vultr"](document, ""),
        "linode": lambda document: document.update(pages=1),
        "scaleway": lambda document: document.update(total_count=3),
    }[source]
    first = next(route.file for route in ROUTES[source] if "1.json" in route.file)
    replay.edit = lambda file, content: page_fault(source, last)(file, content) if file == first else content
    found = outcome(source, transport)
    expected = ROW if source == "scaleway" else FAILURE  # a total that lies cannot be told from a shorter catalogue
    check("only the first page", source, expected, found, right[source], outcomes)


@pytest.mark.parametrize("source", [*PAGED, "azure"])
def test_a_page_served_twice_is_a_failure(source, replay, transport, right, outcomes):
    pages = [route.file for route in ROUTES[source] if route.file.removesuffix(".json")[-1] in "12"]
    one, two = sorted(pages)
    replay.edit = lambda file, content: (ANSWERS / one).read_bytes() if file == two else content
    check("page served twice", source, FAILURE, outcome(source, transport), right[source], outcomes)


@pytest.mark.parametrize("source", NEXT)
def test_a_next_page_that_never_ends_is_a_failure(source, replay, transport, right, outcomes):
    def forever(reply, _before, request):
        document = json.loads(reply.body)
        if source == "azure":
            NEXT[source](document, f"https://prices.azure.com{request['target']}&again={len(replay.seen)}")
        elif "plans" in document:
            NEXT[source](document, "bmV4dF9fdmNn")
        return type(reply)(reply.status, json.dumps(document).encode(), reply.headers)

    replay.fault = forever
    found = outcome(source, transport, limits=Limits(pages=6))
    check("next page without end", source, FAILURE, found, right[source], outcomes)
    assert len(replay.seen) <= 7


def test_a_next_page_on_another_host_is_a_failure(replay, transport, right, outcomes):
    replay.edit = page_fault("azure", lambda document: NEXT["azure"](document, "https://elsewhere.example/page"))
    check("next page on another host", "azure", FAILURE, outcome("azure", transport), right["azure"], outcomes)


# of one source


def edited(file, change):
    return lambda name, content: change(content) if name == file else content


def lines(change):
    return lambda content: "".join(change(content.decode().splitlines(keepends=True))).encode()


def columns(order):
    def change(content):
        rows = list(csv.reader(io.StringIO(content.decode())))
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([[row[place] for place in order(len(row))] for row in rows])
        return out.getvalue().encode()

    return change


def without_records(parsed):
    return {replace(offer, record="") for offer in parsed.offers}


ANY_ORDER = "any order"
CSV_FILES = {"gpuhunt-aws": "gpuhunt/aws.csv", "ecb": "ecb/rates.csv"}
CSV = [
    ("columns shuffled", columns(lambda n: list(reversed(range(n)))), ACCEPTED),
    ("column of the price gone", columns(lambda n: [p for p in range(n) if p not in {2, 7}]), FAILURE),
    ("column renamed", lambda c: c.replace(b"price", b"usd", 1).replace(b"OBS_VALUE", b"VALUE", 1), FAILURE),
    ("column repeated", columns(lambda n: [*range(n), 2]), FAILURE),
    ("last line cut", lambda c: c[:-25], FAILURE),
    ("no end of line at the end", lambda c: c.rstrip(b"\n"), FAILURE),
    ("cell too many", lines(lambda rows: [*rows[:2], rows[2].rstrip("\n") + ",x\n", *rows[3:]]), FAILURE),
    ("only the header", lines(lambda rows: rows[:1]), FAILURE),
    ("quote left open", lambda c: c + b'"a,b\n', FAILURE),
    ("CRLF", lambda c: c.replace(b"\n", b"\r\n"), ACCEPTED),
    ("blank lines", lambda c: c + b"\n\n", ACCEPTED),
    ("charset of the rows", lambda c: c.replace(b"east", b"\xe3st", 1).replace(b"Euro", b"\xe3uro", 1), FAILURE),
    ("rows in another order (CSV)", lines(lambda rows: [rows[0], *reversed(rows[1:])]), ANY_ORDER),
]


@pytest.mark.parametrize("case", CSV, ids=[case[0] for case in CSV])
@pytest.mark.parametrize("source", CSV_FILES)
def test_fault_in_a_csv(case, source, replay, transport, right, outcomes):
    name, change, expected = case
    replay.edit = edited(CSV_FILES[source], change)
    found = outcome(source, transport)
    if expected is ANY_ORDER:  # the record is the line, so that it changes and nothing else
        if source == "gpuhunt-aws":
            assert without_records(found) == without_records(right[source])
        expected = ACCEPTED if source == "ecb" else ROW
    check(name, source, expected, found, right[source], outcomes)


GPUHUNT = [
    ("version without a date", "gpuhunt/version", lambda _: b"latest\n", FAILURE),
    ("version that is a path", "gpuhunt/version", lambda _: b"../../v2/20261129-1\n", FAILURE),
    ("version of a day that is none", "gpuhunt/version", lambda _: b"20261345-1\n", FAILURE),
    ("zip cut", "gpuhunt/aws.csv", lambda _: b"PK\x03\x04cut", FAILURE),
    ("zip without the file", "gpuhunt/aws.csv", None, FAILURE),
    ("price in words in one row", "gpuhunt/aws.csv", lambda c: c.replace(b",61.5,", b",call us,", 1), ROW),
    ("price empty in one row", "gpuhunt/aws.csv", lambda c: c.replace(b",61.5,", b",,", 1), ROW),
    ("count empty in one row", "gpuhunt/aws.csv", lambda c: c.replace(b"2048.0,8,", b"2048.0,,", 1), ROW),
    ("spot neither true nor false", "gpuhunt/aws.csv", lambda c: c.replace(b"False", b"maybe", 1), ROW),
    ("version that leads elsewhere", "gpuhunt/version", lambda _: b"20261129-1/../../x\n", FAILURE),
    ("version that is not there", "gpuhunt/version", lambda _: b"20200101-1\n", FAILURE),
]


@pytest.mark.parametrize(("name", "file", "change", "expected"), GPUHUNT, ids=[case[0] for case in GPUHUNT])
def test_fault_in_a_catalogue(name, file, change, expected, replay, transport, right, outcomes):
    replay.edit = edited(file, change or (lambda content: zipped(content, "other.csv")))
    found = outcome("gpuhunt-aws", transport)
    check(name, "gpuhunt-aws", expected, found, right["gpuhunt-aws"], outcomes)
    if expected == ROW:
        assert found.rows_read == right["gpuhunt-aws"].rows_read


OPENING = b'{"value": [{"cotacaoVenda": 5, "dataHoraCotacao": "2026-11-27 10:00:00.0", "tipoBoletim": "Abertura"}]}'
ONE = [
    ("GraphQL error with 200", "runpod/types.json", b'{"errors": [{"message": "rate limited"}], "data": null}'),
    ("GraphQL error beside data", "runpod/types.json", b'{"errors": [{"message": "x"}], "data": {"gpuTypes": []}}'),
    ("no closing bulletin yet", "ptax/rates.json", b'{"value": []}'),
    ("only opening bulletins", "ptax/rates.json", OPENING),
    ("day unreadable", "ptax/rates.json", OPENING.replace(b"2026-11-27", b"27/11/2026").replace(b"Abertura", b"")),
]


@pytest.mark.parametrize(("name", "file", "content"), ONE, ids=[case[0] for case in ONE])
def test_fault_of_one_source(name, file, content, replay, transport, right, outcomes):
    source = file.partition("/")[0]
    replay.edit = edited(file, lambda _: content)
    check(name, source, FAILURE, outcome(source, transport), right[source], outcomes)


def test_rates_inside_a_comment_are_read(replay, transport, right, outcomes):
    replay.edit = edited("ptax/rates.json", lambda content: b"/*" + content + b"*/")
    check("rates inside a comment", "ptax", ACCEPTED, outcome("ptax", transport), right["ptax"], outcomes)


def test_the_catalogue_of_another_subsidiary_is_refused(replay, transport, right, outcomes):
    replay.edit = edited("ovh/cloud.json", lambda content: content.replace(b'"FR"', b'"US"'))
    check("another subsidiary", "ovh", FAILURE, outcome("ovh", transport), right["ovh"], outcomes)


def test_an_answer_as_long_as_the_limit_asked_for_is_refused(replay, transport, right, outcomes):
    row = json.loads((ANSWERS / "vast/offers.json").read_bytes())["offers"][0]
    many = json.dumps({"offers": [row | {"id": number} for number in range(20_000)]}).encode()
    replay.edit = edited("vast/offers.json", lambda _: many)
    found = outcome("vast", transport, limits=Limits())
    check("as many rows as the limit", "vast", FAILURE, found, right["vast"], outcomes)


# time and TLS


class Drip(httpx.BaseTransport):
    """Gives the body of another transport one byte a second, by the fake clock."""

    def __init__(self, transport, fake):
        self.transport, self.fake = transport, fake

    def handle_request(self, request):
        response = self.transport.handle_request(request)
        return httpx.Response(response.status_code, headers=response.headers, stream=Bytes(response.read(), self.fake))


class Bytes(httpx.SyncByteStream):
    def __init__(self, body, fake):
        self.body, self.fake = body, fake

    def __iter__(self):
        for position in range(len(self.body)):
            self.fake.elapsed += 1
            yield self.body[position : position + 1]


@pytest.mark.parametrize("source", ROUTES)
def test_a_slow_drip_is_given_up(source, transport, right, outcomes):
    fake = FakeWorld()
    found = outcome(source, Drip(transport, fake), fake, Limits(total_seconds=120))
    check("slow drip", source, FAILURE, found, right[source], outcomes)
    assert fake.elapsed <= 122


@pytest.mark.parametrize("source", ROUTES)
def test_a_clock_years_behind_does_not_wait_for_years(source, replay, transport, right, outcomes):
    replay.fault = lambda reply, before, _: (
        type(reply)(429, b"", {"Retry-After": "Mon, 30 Nov 2026 12:00:20 GMT"}) if before == 0 else reply
    )
    fake = FakeWorld(now=datetime(2001, 1, 1, tzinfo=UTC))
    found = outcome(source, transport, fake)
    check("clock in the past", source, FAILURE, found, right[source], outcomes)
    assert fake.waits == []


@pytest.fixture(scope="module", params=["expired certificate", "self-signed certificate"])
def bad_tls(request):
    authority = trustme.CA()
    past = {"not_before": datetime(2019, 1, 1, tzinfo=UTC), "not_after": datetime(2020, 1, 1, tzinfo=UTC)}
    expired = request.param == "expired certificate"
    issued = authority.issue_cert("127.0.0.1", **past) if expired else trustme.CA().issue_cert("127.0.0.1")
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(served)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    server = Server(tls=served)
    transport = ToLoopback(server.server_port, trust)
    yield request.param, transport
    transport.close()
    server.stop()


@pytest.mark.parametrize("source", ROUTES)
def test_a_server_without_a_valid_certificate_is_not_believed(source, bad_tls, right, outcomes):
    name, transport = bad_tls
    found = outcome(source, transport)
    check(name, source, FAILURE, found, right[source], outcomes)
    assert "certificado" in str(found)


def test_the_matrix_is_as_large_as_promised():
    assert len({fault.name for fault in [*WIRE, *DATA, *PRICES]}) + len(CSV) + len(GPUHUNT) + len(ONE) >= 60
