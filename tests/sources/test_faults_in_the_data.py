"""Every fault in what a source writes: nothing wrong gets in as right, and no good row is lost."""

import json

import pytest
from faults import FAILURE, ROW, outcome
from faults_in_the_data import CURRENCY, DATA, HARMLESS_RATES, PAGED, PLACES, PRICES, at
from replay import ANSWERS, ROUTES

from generator.sources.failure import SourceError
from generator.sources.patience import Limits


@pytest.mark.parametrize(
    ("fault", "source"),
    [
        pytest.param(fault, source, id=f"{fault.name}-{source}")
        for fault in DATA
        for source in PLACES
        if not fault.only or source in fault.only
    ],
)
def test_fault_in_the_document(fault, source, replay, transport, judge):
    replay.edit = fault.make(PLACES[source])
    judge(fault.name, source, fault.outcome_for(source), outcome(source, transport))


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
def test_faulty_exchange_rate_is_refused_unless_only_a_person_could_tell(fault, replay, transport, judge):
    replay.edit = fault.make(PLACES["ptax"])
    found = outcome("ptax", transport)
    harmless = fault.name in HARMLESS_RATES or fault.name == "price with an absurd exponent"
    judge(f"rate: {fault.name}", "ptax", ROW if harmless else FAILURE, found)


@pytest.mark.parametrize("source", CURRENCY)
def test_another_currency_is_told_and_not_assumed(source, replay, transport, judge, right):
    file, change, currency = CURRENCY[source]

    def edit(name, content):
        document = json.loads(content) if name == file else None
        return content if document is None else json.dumps(change(document) or document).encode()

    replay.edit = edit
    found = outcome(source, transport)
    judge("another currency", source, ROW, found)
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
def test_only_the_first_page_is_a_failure_where_a_total_is_told(source, replay, transport, judge):
    last = {
        "vultr": lambda document: NEXT["vultr"](document, ""),
        "linode": lambda document: document.update(pages=1),
        "scaleway": lambda document: document.update(total_count=3),
    }[source]
    first = next(route.file for route in ROUTES[source] if "1.json" in route.file)
    replay.edit = lambda file, content: page_fault(source, last)(file, content) if file == first else content
    found = outcome(source, transport)
    expected = ROW if source == "scaleway" else FAILURE  # a total that lies cannot be told from a shorter catalogue
    judge("only the first page", source, expected, found)


@pytest.mark.parametrize("source", [*PAGED, "azure"])
def test_a_page_served_twice_is_a_failure(source, replay, transport, judge):
    pages = [route.file for route in ROUTES[source] if route.file.removesuffix(".json")[-1] in "12"]
    one, two = sorted(pages)
    replay.edit = lambda file, content: (ANSWERS / one).read_bytes() if file == two else content
    judge("page served twice", source, FAILURE, outcome(source, transport))


@pytest.mark.parametrize("source", NEXT)
def test_a_next_page_that_never_ends_is_a_failure(source, replay, transport, judge):
    def forever(reply, _before, request):
        document = json.loads(reply.body)
        if source == "azure":
            NEXT[source](document, f"https://prices.azure.com{request['target']}&again={len(replay.seen)}")
        elif "plans" in document:
            NEXT[source](document, "bmV4dF9fdmNn")
        return type(reply)(reply.status, json.dumps(document).encode(), reply.headers)

    replay.fault = forever
    found = outcome(source, transport, limits=Limits(pages=6))
    judge("next page without end", source, FAILURE, found)
    assert len(replay.seen) <= 7


def test_a_next_page_on_another_host_is_a_failure(replay, transport, judge):
    replay.edit = page_fault("azure", lambda document: NEXT["azure"](document, "https://elsewhere.example/page"))
    judge("next page on another host", "azure", FAILURE, outcome("azure", transport))
