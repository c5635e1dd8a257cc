"""A local server that answers as the live sources do, and a world whose clock only moves when someone waits."""

import io
import ssl
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx

from generator.sources.http import Fetcher, World
from generator.sources.patience import Limits
from generator.sources.registry import parse_sources

ROOT = Path(__file__).parents[2]
ANSWERS = Path(__file__).parent / "answers"
SOURCES, _ = parse_sources((ROOT / "data/sources.yml").read_text("utf-8"), "data/sources.yml")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
JSON = "application/json; charset=utf-8"
VERSION = "20261129-4127"


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict = field(default_factory=dict)
    sent: int | None = None  # bytes really sent, fewer than Content-Length says; -1 hangs up before any byte


@dataclass(frozen=True)
class Route:
    """Which file answers a request: method, end of the path, and parameters that the query must have."""

    file: str
    path: str
    query: dict = field(default_factory=dict)
    method: str = "GET"
    media: str = JSON


SKIP = {"$skip": ["1000"]}
ROUTES = {
    "gpuhunt-aws": [
        Route("gpuhunt/version", "/v3/aws/version", media="text/plain"),
        Route("gpuhunt/aws.csv", f"/v3/aws/{VERSION}/catalog.zip", media="application/zip"),
    ],
    "vast": [Route("vast/offers.json", "/api/v0/bundles/", method="POST")],
    "runpod": [Route("runpod/types.json", "/graphql", method="POST")],
    "vultr": [
        Route("vultr/plans-2.json", "/v2/plans", {"cursor": ["bmV4dF9fdmNn"]}),
        Route("vultr/plans-1.json", "/v2/plans", {"type": ["all"]}),
        Route("vultr/metal.json", "/v2/plans-metal"),
    ],
    "azure": [
        Route("azure/prices-2.json", "/api/retail/prices", SKIP),
        Route("azure/prices-1.json", "/api/retail/prices", {"currencyCode": ["USD"], "meterRegion": ["'primary'"]}),
    ],
    "oci": [Route("oci/shapes.json", "/data/shapes.json"), Route("oci/products.json", "/data/products.json")],
    "linode": [
        Route("linode/types-1.json", "/v4/linode/types", {"page": ["1"]}),
        Route("linode/types-2.json", "/v4/linode/types", {"page": ["2"]}),
    ],
    "scaleway": [
        Route("scaleway/products-1.json", "/public-catalog/products", {"page": ["1"]}),
        Route("scaleway/products-2.json", "/public-catalog/products", {"page": ["2"]}),
    ],
    "ovh": [Route("ovh/cloud.json", "/order/catalog/public/cloud", {"ovhSubsidiary": ["FR"]})],
    "ptax": [
        Route(
            "ptax/rates.json",
            "/CotacaoDolarPeriodo(dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)",
            {"@dataInicial": ["'11-23-2026'"], "@dataFinalCotacao": ["'11-30-2026'"], "$format": ["json"]},
        )
    ],
    "ecb": [Route("ecb/rates.csv", "/D.USD+CNY.EUR.SP00.A", {"format": ["csvdata"]}, media="text/csv")],
}


def zipped(content, name="aws.csv"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


def _unchanged(_file, content):
    return content


def _faultless(reply, _before, _request):
    return reply


def stored(route, edit=_unchanged):
    """Return the reply to a route, its file's content edited before it is packed."""
    content = VERSION.encode() + b"\n" if route.file == "gpuhunt/version" else (ANSWERS / route.file).read_bytes()
    content = edit(route.file, content)
    if route.media == "application/zip" and not content.startswith(b"PK"):
        content = zipped(content)
    return Reply(200, content, {"Content-Type": route.media})


class Replay:
    """What the server answers; `fault` gets each reply, and how many requests of that kind there were before."""

    def __init__(self):
        self.seen = []
        self.reset()

    def reset(self):
        self.seen.clear()
        self.edit = _unchanged
        self.fault: Callable[[Reply, int, dict], Reply] = _faultless

    def reply(self, method, target, headers, body):
        parts = urlsplit(target)
        request = {"method": method, "target": target, "headers": dict(headers), "body": body}
        before = sum(other["target"] == target for other in self.seen)
        self.seen.append(request)
        query = parse_qs(parts.query)
        for route in (route for routes in ROUTES.values() for route in routes):
            wanted = all(query.get(name) == value for name, value in route.query.items())
            if route.method == method and parts.path.endswith(route.path) and wanted:
                return self.fault(stored(route, self.edit), before, request)
        return self.fault(Reply(404, b"not here"), before, request)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body leave together

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = self.server.replay.reply(self.command, self.path, self.headers, body)
        if reply.sent == -1:
            self.close_connection = True
            return
        self.send_response_only(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body[: reply.sent])
        self.close_connection = reply.sent is not None or "Transfer-Encoding" in reply.headers

    do_POST = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, tls=None):
        self.replay = Replay()
        super().__init__(("127.0.0.1", 0), _Handler)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def handle_error(self, request, client_address):
        pass  # clients that hang up are part of the tests

    def stop(self):
        self.shutdown()
        self.server_close()
        self._thread.join()


_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loads no certificates


class ToLoopback(httpx.BaseTransport):
    """Sends every request to the local server; the fetcher goes on believing in the real addresses."""

    def __init__(self, port, tls=None):
        self.port = port
        self.scheme = "https" if tls else "http"
        self.real = httpx.HTTPTransport(verify=tls or _NO_TLS)

    def handle_request(self, request):
        url = request.url.copy_with(scheme=self.scheme, host="127.0.0.1", port=self.port)
        sent = httpx.Request(request.method, url, headers=request.headers, stream=request.stream)
        sent.extensions = request.extensions
        return self.real.handle_request(sent)

    def close(self):
        self.real.close()


class FakeWorld:
    """A clock and a sleep for tests; `waits` says how long each sleep was asked to last."""

    def __init__(self, now=NOW, jitter=1.0):
        self.start = now
        self.elapsed = 0.0
        self.waits = []
        self.world = World(
            now=lambda: self.start + timedelta(seconds=self.elapsed),
            monotonic=lambda: self.elapsed,
            sleep=self.sleep,
            jitter=lambda: jitter,
        )

    def sleep(self, seconds):
        assert seconds >= 0
        self.waits.append(seconds)
        self.elapsed += seconds


def fetcher_for(source, transport, fake=None, **more):
    limits = more.pop("limits", Limits())
    return Fetcher(
        source=more.pop("described", None) or SOURCES[source],
        world=(fake or FakeWorld()).world,
        transport=transport,
        limits=limits,
        **more,
    )


def described(source, **changes):
    return replace(SOURCES[source], **changes)
