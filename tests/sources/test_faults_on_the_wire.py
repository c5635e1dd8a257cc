"""Every fault of a server or connection against every source: no doubtful answer is read, and no good one is lost."""

import ssl
from datetime import UTC, datetime

import httpx
import pytest
import trustme
from faults import FAILURE, LIMITS, outcome
from faults_on_the_wire import WIRE
from replay import ROUTES, FakeWorld, Server, ToLoopback

from generator.sources.patience import Limits


@pytest.mark.parametrize("source", ROUTES)
@pytest.mark.parametrize("fault", WIRE, ids=lambda fault: fault.name)
def test_fault_on_the_wire(fault, source, replay, transport, judge):
    replay.fault = fault.make
    fake = FakeWorld()
    found = outcome(source, transport, fake)
    judge(fault.name, source, fault.outcome_for(source), found)
    assert sum(fake.waits) <= LIMITS.total_seconds
    assert len(replay.seen) <= LIMITS.tries * len(ROUTES[source])


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
def test_a_slow_drip_is_given_up(source, transport, judge):
    fake = FakeWorld()
    found = outcome(source, Drip(transport, fake), fake, Limits(total_seconds=120))
    judge("slow drip", source, FAILURE, found)
    assert fake.elapsed <= 122


@pytest.mark.parametrize("source", ROUTES)
def test_a_clock_years_behind_does_not_wait_for_years(source, replay, transport, judge):
    replay.fault = lambda reply, before, _: (
        type(reply)(429, b"", {"Retry-After": "Mon, 30 Nov 2026 12:00:20 GMT"}) if before == 0 else reply
    )
    fake = FakeWorld(now=datetime(2001, 1, 1, tzinfo=UTC))
    found = outcome(source, transport, fake)
    judge("clock in the past", source, FAILURE, found)
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
def test_a_server_without_a_valid_certificate_is_not_believed(source, bad_tls, judge):
    name, transport = bad_tls
    found = outcome(source, transport)
    judge(name, source, FAILURE, found)
    assert "certificado" in str(found)
