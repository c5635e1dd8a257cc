"""What the fetcher promises to sources, and refuses of them, whatever the adapter."""

import gzip
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
import trustme
from replay import JSON, NOW, FakeWorld, Reply, Server, described, fetcher_for

from generator.sources import patience
from generator.sources.failure import SourceError, safe_url
from generator.sources.http import Stored
from generator.sources.patience import Limits, asked_wait_seconds, wait_seconds

BODY = b'{"offers": [1]}'
OK = Reply(200, BODY, {"Content-Type": JSON})


class Script(httpx.BaseTransport):
    """Answers each request with the next reply; the last one stays."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def handle_request(self, request):
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        headers = {name: value for name, value in reply.headers.items() if value is not None}
        return httpx.Response(reply.status, headers=headers, stream=httpx.ByteStream(reply.body))


class Drip(httpx.SyncByteStream):
    def __init__(self, fake, body, seconds):
        self.fake, self.body, self.seconds = fake, body, seconds

    def __iter__(self):
        for byte in self.body:
            self.fake.elapsed += self.seconds
            yield bytes([byte])


def busy(status=503, **headers):
    return Reply(status, b"busy", {name.replace("_", "-"): value for name, value in headers.items()})


def ask(*replies, fake=None, **more):
    script = Script(*replies)
    with fetcher_for("azure", script, fake, **more) as fetcher:
        try:
            return fetcher.get(), script
        except SourceError as error:
            error.script = script
            raise


def refused(*replies, **more):
    with pytest.raises(SourceError) as caught:
        ask(*replies, **more)
    return caught.value


def date_in(seconds, now=NOW):
    return format_datetime((now + timedelta(seconds=seconds)).astimezone(UTC), usegmt=True)


# waits


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3),
        (" 120 ", 120),
        ("Mon, 30 Nov 2026 12:00:10 GMT", 10),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 500, 999_999_999),
    ],
)
def test_retry_after_is_read_in_both_forms(header, seconds):
    assert asked_wait_seconds(header, NOW) == seconds


def test_waits_double_up_to_the_longest_and_never_below_what_was_asked():
    limits = Limits(first_wait_seconds=1, longest_wait_seconds=6)
    assert [wait_seconds(tries, None, limits, 1.0) for tries in (1, 2, 3, 4, 5)] == [1, 2, 4, 6, 6]
    assert [wait_seconds(tries, None, limits, 0.0) for tries in (1, 2, 3, 4)] == [0.5, 1, 2, 3]
    assert wait_seconds(1, 5, limits, 0.0) == 5
    assert wait_seconds(1, 7, limits, 0.0) is None


def test_a_busy_source_is_asked_again_after_the_wait_it_names_and_then_after_our_own():
    fake = FakeWorld()
    body, script = ask(busy(429, Retry_After="3"), busy(503), OK, fake=fake)
    assert body == BODY
    assert fake.waits == [3, 2]
    assert len(script.requests) == 3


def test_a_date_to_come_back_at_is_waited_for():
    fake = FakeWorld()
    ask(busy(429, Retry_After=date_in(42)), OK, fake=fake)
    assert fake.waits == [42]


def test_a_clock_of_ours_that_is_years_behind_gives_up_instead_of_waiting_years():
    fake = FakeWorld(now=datetime(2001, 1, 1, tzinfo=UTC))
    error = refused(busy(429, Retry_After=date_in(1)), OK, fake=fake)
    assert error.status == 429
    assert fake.waits == []


def test_a_source_that_stays_busy_is_given_up_after_a_few_tries():
    fake = FakeWorld()
    error = refused(busy(429), fake=fake)
    assert len(error.script.requests) == Limits().tries
    assert fake.waits == [1, 2, 4, 8]
    assert error.status == 429


def test_tries_stop_when_the_total_time_of_the_source_would_pass():
    fake = FakeWorld()
    error = refused(busy(503, Retry_After="100"), fake=fake, limits=Limits(total_seconds=250))
    assert fake.waits == [100, 100]
    assert len(error.script.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 501])
def test_what_will_not_pass_is_not_asked_again(status):
    fake = FakeWorld()
    error = refused(Reply(status, b"no"), OK, fake=fake)
    assert error.status == status
    assert len(error.script.requests) == 1
    assert fake.waits == []


def test_the_pages_of_a_source_share_its_total_time():
    fake = FakeWorld()
    with fetcher_for("azure", Script(OK), fake, limits=Limits(total_seconds=10)) as fetcher:
        fetcher.get()
        fake.elapsed += 11
        with pytest.raises(SourceError, match="tempo total"):
            fetcher.get()


def test_a_slow_drip_ends_at_the_total_time():
    fake = FakeWorld()
    stream = Drip(fake, b"x" * 1000, 1)
    script = Script()
    script.handle_request = lambda _request: httpx.Response(200, headers={"Content-Type": JSON}, stream=stream)
    limits = Limits(total_seconds=60)
    with fetcher_for("azure", script, fake, limits=limits) as fetcher, pytest.raises(SourceError, match="devagar"):
        fetcher.get()
    assert fake.elapsed <= 62


# conditions


def test_an_unchanged_answer_comes_from_the_callers_cache():
    cache = {}
    first = Reply(200, BODY, {"Content-Type": JSON, "ETag": '"v1"', "Last-Modified": date_in(-60)})
    ask(first, cache=cache)
    assert [type(stored) for stored in cache.values()] == [Stored]
    body, script = ask(Reply(304), cache=cache)
    assert body == BODY
    assert script.requests[0].headers["If-None-Match"] == '"v1"'
    assert script.requests[0].headers["If-Modified-Since"] == date_in(-60)


def test_an_answer_without_validators_is_not_kept_and_304_out_of_nowhere_is_a_failure():
    cache = {}
    ask(OK, cache=cache)
    assert cache == {}
    assert refused(Reply(304), cache=cache).status == 304


def test_a_bad_answer_never_replaces_a_good_one_in_the_cache():
    cache = {}
    ask(Reply(200, BODY, {"Content-Type": JSON, "ETag": '"v1"'}), cache=cache)
    refused(Reply(200, b"<html>", {"Content-Type": JSON, "ETag": '"v2"'}), cache=cache)
    assert [stored.etag for stored in cache.values()] == ['"v1"']


# bodies


def test_gzip_whose_length_is_the_compressed_size_is_accepted():
    packed = gzip.compress(BODY * 1000)
    headers = {"Content-Type": JSON, "Content-Encoding": "gzip", "Content-Length": str(len(packed))}
    body, _ = ask(Reply(200, packed, headers))
    assert body == BODY * 1000


def test_a_gzip_in_two_members_is_read_whole():
    packed = gzip.compress(BODY) + gzip.compress(b"\n")
    body, _ = ask(Reply(200, packed, {"Content-Type": JSON, "Content-Encoding": "gzip"}))
    assert body == BODY + b"\n"


def test_a_gzip_bomb_is_left_before_it_grows():
    packed = gzip.compress(b"{" + b" " * 50_000_000)
    limits = Limits(body_bytes=100_000)
    error = refused(Reply(200, packed, {"Content-Type": JSON, "Content-Encoding": "gzip"}), limits=limits)
    assert "100000 bytes" in str(error)
    assert len(error.script.requests) == 1


def test_a_body_larger_than_the_limit_of_the_wire_is_refused():
    assert "passa de 10 bytes" in str(refused(OK, limits=Limits(wire_bytes=10)))


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        (b"<html><body>Tente de novo</body></html>", {"Content-Type": "text/html"}, "página HTML"),
        (b" <!DOCTYPE html><html>", {"Content-Type": JSON}, "página HTML"),
        (BODY, {"Content-Type": "image/png"}, "image/png"),
        (BODY, {}, "tipo de conteúdo inesperado: nenhum"),
        (b"gpu;preco", {"Content-Type": JSON}, "não é json"),
        (b'{"cidade": "S\xe3o Paulo"}', {"Content-Type": JSON}, "byte 13 não é utf-8"),
        (BODY, {"Content-Type": JSON, "Content-Encoding": "br"}, "compactação não pedida"),
        (b"", {"Content-Type": JSON}, "resposta vazia"),
        (BODY[:-3], {"Content-Type": JSON, "Content-Length": str(len(BODY))}, f"{len(BODY) - 3} de {len(BODY)} bytes"),
        (gzip.compress(BODY)[:-20], {"Content-Type": JSON, "Content-Encoding": "gzip"}, "gzip"),
        (b"not gzip", {"Content-Type": JSON, "Content-Encoding": "gzip"}, "gzip estragado"),
    ],
)
def test_a_doubtful_body_is_refused(body, headers, said):
    error = refused(Reply(200, body, headers))
    assert said in str(error)
    assert error.todo


def test_a_source_in_another_declared_encoding_is_given_as_utf8():
    source = described("azure", encoding="cp1252")
    body, _ = ask(Reply(200, b'{"c": "S\xe3o Paulo"}', {"Content-Type": "application/json"}), described=source)
    assert body.decode() == '{"c": "São Paulo"}'


def test_a_byte_order_mark_is_taken_off():
    body, _ = ask(Reply(200, b"\xef\xbb\xbf" + BODY, {"Content-Type": JSON}))
    assert body == BODY


def test_a_body_cut_once_is_asked_again():
    cut = Reply(200, BODY[:-3], {"Content-Type": JSON, "Content-Length": str(len(BODY))})
    body, script = ask(cut, OK)
    assert body == BODY
    assert len(script.requests) == 2


# where it goes


@pytest.mark.parametrize(
    "location",
    [
        "https://elsewhere.example/prices",
        "http://prices.azure.com/api",
        "https://prices.azure.com:8443/api",
        "https://prices.azure.com.evil.example/",
        "//169.254.169.254/latest",
        "file:///etc/passwd",
        "",
        "http://[",
    ],
)
def test_a_redirect_to_anywhere_else_is_not_followed(location):
    error = refused(Reply(302, b"", {"Location": location}), OK)
    assert len(error.script.requests) == 1


def test_a_redirect_within_the_host_is_followed_and_a_loop_is_not():
    body, script = ask(Reply(301, b"", {"Location": "/api/v2"}), OK)
    assert body == BODY
    assert str(script.requests[1].url) == "https://prices.azure.com/api/v2"
    loop = refused(Reply(302, b"", {"Location": "/api/retail/prices"}))
    assert len(loop.script.requests) == Limits().redirects + 1


def test_a_question_is_not_sent_again_to_a_redirected_address():
    script = Script(Reply(307, b"", {"Location": "/elsewhere"}), OK)
    with fetcher_for("vast", script) as fetcher, pytest.raises(SourceError):
        fetcher.post({"limit": 1})
    assert len(script.requests) == 1


def test_a_page_on_another_host_is_not_asked_for():
    script = Script(OK)
    with fetcher_for("azure", script) as fetcher, pytest.raises(SourceError, match="outro servidor"):
        fetcher.get("https://elsewhere.example/page-2")
    assert script.requests == []


def test_a_dropped_connection_and_a_timeout_are_tried_again():
    body, script = ask(httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut"), OK)
    assert body == BODY
    assert len(script.requests) == 4


def test_requests_name_the_robot_and_ask_for_what_they_can_read():
    _, script = ask(OK)
    headers = script.requests[0].headers
    assert headers["User-Agent"].startswith("guia-gpu-na-nuvem/")
    assert headers["Accept-Encoding"] == "gzip"
    assert "application/json" in headers["Accept"]


# messages


def test_a_failure_says_source_address_status_start_of_the_body_and_what_to_do():
    error = refused(Reply(404, b"<html>\n\x1b[31mnada  aqui</html>"))
    assert error.source == "azure"
    assert str(error).startswith(
        "azure: a fonte respondeu com erro (https://prices.azure.com/api/retail/prices, status 404)."
    )
    assert "corrija data/sources.yml" in str(error)
    assert "«<html> [31mnada aqui</html>»" in str(error)


def test_secrets_are_in_no_message():
    source = described("azure", url="https://user:pa55@prices.azure.com/api?api_key=k3y&region=br&sig=abc")
    error = refused(Reply(500, b"bad token s3cret"), described=source, secrets=("s3cret", "k3y"))
    shown = f"{error} {error.url} {error.start} {error!r}"
    for secret in ("pa55", "k3y", "abc", "s3cret"):
        assert secret not in shown
    assert "region=br" in error.url


def test_addresses_without_secrets_are_shown_as_they_are():
    address = "https://h.example/a(b=@b)?@d='11-24-2026'&$format=json"
    assert safe_url(address) == address


# TLS


def certificate(authority, name="localhost", **more):
    return authority.issue_cert(name, **more)


def tls_server(issued):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(context)
    return Server(tls=context)


@pytest.mark.parametrize("kind", ["good", "expired", "other name", "self-signed"])
def test_only_a_valid_certificate_is_accepted(kind):
    authority = trustme.CA()
    expired = {"not_after": datetime(2020, 1, 1, tzinfo=UTC), "not_before": datetime(2019, 1, 1, tzinfo=UTC)}
    issued = {
        "good": lambda: certificate(authority),
        "expired": lambda: certificate(authority, **expired),
        "other name": lambda: certificate(authority, "elsewhere.example"),
        "self-signed": lambda: certificate(trustme.CA()),
    }[kind]()
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    server = tls_server(issued)
    try:
        source = described("oci", url=f"https://localhost:{server.server_port}/data/shapes.json")
        fake = FakeWorld()
        with fetcher_for("oci", None, fake, described=source, tls=trust) as fetcher:
            if kind == "good":
                assert fetcher.get().startswith(b"{")
            else:
                with pytest.raises(SourceError, match="certificado") as caught:
                    fetcher.get()
                assert "não desligue a verificação" in caught.value.todo
                assert fake.waits == []
    finally:
        server.stop()


def test_the_limits_are_finite():
    limits = patience.Limits()
    assert limits.tries * limits.longest_wait_seconds >= limits.total_seconds > limits.read_seconds
