"""Why a source could not be read, said to the person who runs the refresh; secrets never get in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_SECRET_NAMES = re.compile(r"key|token|secret|sig|passw|auth|credential", re.IGNORECASE)
_HIDDEN = "***"
_START = 160  # characters of the body that a message shows


class SourceError(Exception):
    """A source failed as a whole: nothing of this answer may be published, the last good data stays.

    `passing` says that the same request may succeed a little later.
    """

    def __init__(
        self,
        source: str,
        problem: str,
        todo: str,
        *,
        url: str = "",
        status: int | None = None,
        start: str = "",
        passing: bool = False,
    ) -> None:
        self.source = source
        self.problem = problem
        self.todo = todo
        self.url = url
        self.status = status
        self.start = start
        self.passing = passing
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = ", ".join([self.url, f"status {self.status}"] if self.status and self.url else filter(None, [self.url]))
        shown = f" Começo da resposta: «{self.start}»." if self.start else ""
        return f"{self.source}: {self.problem}{f' ({place})' if place else ''}. {self.todo}.{shown}"


def safe_url(url: str, secrets: Iterable[str] = ()) -> str:
    """Return the address without user, password, or the values of parameters that look like credentials."""
    parts = urlsplit(url)
    query = [
        (name, _HIDDEN if _SECRET_NAMES.search(name) else value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    ]
    netloc = parts.netloc.rpartition("@")[2]
    kept = urlencode(query, safe="*'$/:") if any(value == _HIDDEN for _, value in query) else parts.query
    return hide(urlunsplit((parts.scheme, netloc, parts.path, kept, "")), secrets)


def start_of(body: bytes, secrets: Iterable[str] = ()) -> str:
    """Return the first characters of a body on one line, printable whatever the bytes are."""
    text = hide(body[: 4 * _START].decode("utf-8", "replace"), secrets)
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line[:_START] + ("…" if len(line) > _START else "")


def hide(text: str, secrets: Iterable[str]) -> str:
    """Return the text with every secret replaced."""
    for secret in filter(None, secrets):
        text = text.replace(secret, _HIDDEN)
    return text
