"""The only module that talks to the network: one source at a time, politely, and never a doubtful answer."""

from __future__ import annotations

import hashlib
import json
import random
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import TracebackType
from typing import Any

import httpx

from generator import clock
from generator.sources.checking import LATER, LOOK, MEDIA, BodyError, checked, unpacked
from generator.sources.failure import SourceError, hide, safe_url, start_of
from generator.sources.patience import Limits, asked_wait_seconds, wait_seconds
from generator.sources.registry import Source

USER_AGENT = "guia-gpu-na-nuvem/0.1 (price guide; reads a few public price lists, a few times a day)"
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TODO = {
    401: "A fonte passou a pedir credencial: confira a documentação dela",
    403: "A fonte recusou o acesso: confira se ainda é pública e se o robô é aceito",
    404: "O endereço mudou: procure o novo na documentação da fonte e corrija data/sources.yml",
    429: "A fonte pediu menos pedidos: espere e tente mais tarde",
}


@dataclass(frozen=True, slots=True)
class World:
    """What a fetch needs of the world besides the network; tests give another one."""

    now: Callable[[], datetime] = clock.now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Stored:
    """A body kept by the caller between runs, with what the server needs to say that it is still the same."""

    etag: str
    last_modified: str
    body: bytes


@dataclass(slots=True)
class _Ask:
    method: str
    url: str
    form: str
    body: bytes | None = None

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.method} {self.url}".encode()).hexdigest()


@dataclass(slots=True)
class Fetcher:
    """Fetches the answers of one source; `cache` belongs to the caller, and may be kept between runs.

    Every failure is a `SourceError`. `total_seconds` counts from the first request, over all pages and waits.
    """

    source: Source
    world: World = field(default_factory=World)
    limits: Limits = field(default_factory=Limits)
    cache: MutableMapping[str, Stored] = field(default_factory=dict)
    transport: httpx.BaseTransport | None = None
    tls: ssl.SSLContext | None = None
    secrets: tuple[str, ...] = ()
    _client: httpx.Client = field(init=False, repr=False)
    _deadline: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        limits = self.limits
        self._client = httpx.Client(
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
            timeout=httpx.Timeout(limits.read_seconds, connect=limits.connect_seconds),
            transport=self.transport,
            verify=self.tls or True,
            follow_redirects=False,
        )

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    @property
    def today(self) -> date:
        """Return the current day in UTC."""
        return self.world.now().date()

    def get(self, url: str = "", params: Mapping[str, str] | None = None, form: str = "") -> bytes:
        """Return the body at the source's address, or at another of the same host, as valid UTF-8 (or as a zip)."""
        whole = httpx.URL(url or self.source.url)
        asked = str(whole.copy_merge_params(params) if params else whole)
        return self._patient(_Ask("GET", asked, form or self.source.form))

    def post(self, question: Mapping[str, Any]) -> bytes:
        """Return the body of the answer to a JSON question."""
        return self._patient(_Ask("POST", self.source.url, self.source.form, json.dumps(question).encode()))

    def failure(self, ask_url: str, problem: str, todo: str, **more: Any) -> SourceError:
        """Return the error to raise about an address of this source, without its secrets."""
        return SourceError(
            self.source.id, hide(problem, self.secrets), todo, url=safe_url(ask_url, self.secrets), **more
        )

    def _patient(self, ask: _Ask) -> bytes:
        for tries in range(1, self.limits.tries + 1):
            try:
                return self._once(ask)
            except _Refused as refused:
                wait = self._wait(tries, refused)
                if wait is None:
                    raise refused.error from refused.__cause__
                self.world.sleep(wait)
        raise AssertionError("the last try either returns or raises")

    def _wait(self, tries: int, refused: _Refused) -> float | None:
        """Return how long to wait before the next try, or `None` when there is none."""
        if not refused.error.passing or tries == self.limits.tries:
            return None
        asked = asked_wait_seconds(refused.retry_after, self.world.now())
        wait = wait_seconds(tries, asked, self.limits, self.world.jitter())
        return wait if wait is not None and wait < self._seconds_left() else None

    def _seconds_left(self) -> float:
        now = self.world.monotonic()
        self._deadline = now + self.limits.total_seconds if self._deadline is None else self._deadline
        return self._deadline - now

    def _once(self, ask: _Ask, hops: int = 0) -> bytes:
        self._check_address(ask)
        try:
            with self._client.stream(ask.method, ask.url, content=ask.body, headers=self._headers(ask)) as response:
                status, headers = response.status_code, response.headers
                limit = self.limits.wire_bytes if status == 200 else 4096
                raw = b"".join(self._chunks(response, ask, limit)) if status not in {204, 304} else b""
        except httpx.TransportError as error:
            raise _Refused(self._transport_failure(ask, error)) from error
        except (httpx.InvalidURL, httpx.DecodingError) as error:
            raise _Refused(self.failure(ask.url, "resposta fora do protocolo HTTP", LOOK)) from error
        if status in _REDIRECTS:
            return self._redirected(ask, headers.get("Location", ""), hops)
        if status == 304 and ask.key in self.cache:
            return self.cache[ask.key].body
        if status != 200:
            raise _Refused(self._status_failure(ask, status, raw), headers.get("Retry-After", ""))
        return self._kept(ask, headers, self._validated(ask, headers, raw))

    def _check_address(self, ask: _Ask) -> None:
        if self._seconds_left() <= 0:
            raise _Refused(self.failure(ask.url, "o tempo total da fonte acabou", LATER))
        if _origin(ask.url) != _origin(self.source.url):
            raise _Refused(self.failure(ask.url, "a resposta leva a outro servidor, e não se segue", LOOK))

    def _headers(self, ask: _Ask) -> dict[str, str]:
        stored = self.cache.get(ask.key) if ask.method == "GET" else None
        condition = {
            "If-None-Match": stored.etag if stored else "",
            "If-Modified-Since": stored.last_modified if stored else "",
            "Content-Type": "application/json" if ask.body else "",
        }
        return {"Accept": ", ".join(MEDIA[ask.form])} | {name: value for name, value in condition.items() if value}

    def _chunks(self, response: httpx.Response, ask: _Ask, limit: int) -> Iterator[bytes]:
        """Yield the bytes of the wire; the beginning is enough where the limit is that of an error page."""
        size = 0
        for chunk in response.iter_raw():
            size += len(chunk)
            if self._seconds_left() <= 0:
                raise _Refused(self.failure(ask.url, "a resposta veio devagar demais", LATER))
            if size > limit and response.status_code == 200:
                raise _Refused(self.failure(ask.url, f"a resposta passa de {limit} bytes", LOOK))
            yield chunk
            if size > limit:
                return
        told = response.headers.get("Content-Length", "")
        if response.status_code == 200 and told.isdigit() and int(told) != size:
            raise _Refused(self.failure(ask.url, f"vieram {size} de {told} bytes", LATER, passing=True))

    def _redirected(self, ask: _Ask, location: str, hops: int) -> bytes:
        if not location or ask.method != "GET" or hops >= self.limits.redirects:
            raise _Refused(self.failure(ask.url, "redirecionamento sem fim ou sem destino", LOOK))
        try:
            target = str(httpx.URL(ask.url).join(location))
        except httpx.InvalidURL as error:
            raise _Refused(self.failure(ask.url, "redirecionamento para endereço inválido", LOOK)) from error
        return self._once(_Ask(ask.method, target, ask.form), hops + 1)

    def _validated(self, ask: _Ask, headers: httpx.Headers, raw: bytes) -> bytes:
        try:
            body = unpacked(raw, headers.get("Content-Encoding", ""), self.limits.body_bytes)
            return checked(body, headers.get("Content-Type", ""), ask.form, self.source.encoding)
        except BodyError as error:
            start = start_of(error.body, self.secrets)
            more = {"status": 200, "start": start, "passing": error.passing}
            raise _Refused(self.failure(ask.url, error.problem, error.todo, **more)) from error

    def _kept(self, ask: _Ask, headers: httpx.Headers, body: bytes) -> bytes:
        etag, modified = headers.get("ETag", ""), headers.get("Last-Modified", "")
        if ask.method == "GET" and (etag or modified):
            self.cache[ask.key] = Stored(etag, modified, body)
        return body

    def _status_failure(self, ask: _Ask, status: int, raw: bytes) -> SourceError:
        return self.failure(
            ask.url,
            "a fonte respondeu com erro",
            _TODO.get(status, LATER if status in _PASSING else LOOK),
            status=status,
            start=start_of(raw, self.secrets),
            passing=status in _PASSING,
        )

    def _transport_failure(self, ask: _Ask, error: httpx.TransportError) -> SourceError:
        if _certificate_refused(error):
            todo = "Confira o certificado com o navegador; não desligue a verificação"
            return self.failure(ask.url, "o certificado do servidor não é válido", todo)
        slow = isinstance(error, httpx.TimeoutException)
        problem = "a fonte não respondeu a tempo" if slow else f"a conexão falhou ({type(error).__name__})"
        return self.failure(ask.url, problem, LATER, passing=True)


class _Refused(Exception):  # noqa: N818 - never leaves this module
    """One try that failed, and the wait that the server asked for."""

    def __init__(self, error: SourceError, retry_after: str = "") -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


def _origin(url: str) -> tuple[str, str, int | None]:
    parsed = httpx.URL(url)
    return parsed.scheme, parsed.host, parsed.port


def _certificate_refused(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
