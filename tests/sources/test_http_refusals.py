"""What the fetcher refuses of any source: doubtful bodies, other hosts, certificates that are not valid."""

import gzip
import ssl
from datetime import UTC, datetime

import httpx
import pytest
import trustme
from replay import JSON, FakeWorld, Reply, Server, described, fetcher_for
from scripted import BODY, OK, Script, ask, refused

from generator.sources.failure import SourceError
from generator.sources.patience import Limits


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


@pytest.mark.parametrize(
    "location",
    [
        "https://elsewhere.example/prices",
        "http://prices.azure.com/api",
        "https://prices.azure.com:8443/api",
        "https://prices.azure.com.evil.example/",
        "//169.254.169.254/latest",
        "ftp://prices.azure.com/api",
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
