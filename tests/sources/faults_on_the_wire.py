"""Faults of servers and connections: each changes the reply, given how often this address was asked before."""

import gzip
from dataclasses import replace

from faults import ACCEPTED, FAILURE, Fault
from replay import Reply

POSTS = ("vast", "runpod")


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
