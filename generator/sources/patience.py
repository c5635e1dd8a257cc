"""How long to wait before asking again: pure sums, so that no test waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True)
class Limits:
    """What a source may cost: seconds, tries and bytes."""

    connect_seconds: float = 10
    read_seconds: float = 30  # without one byte arriving
    total_seconds: float = 300  # of one source, waits included
    tries: int = 5
    first_wait_seconds: float = 1
    longest_wait_seconds: float = 120
    wire_bytes: int = 32 * 2**20
    body_bytes: int = 128 * 2**20  # after decompression
    redirects: int = 3
    pages: int = 200


def asked_wait_seconds(header: str, now: datetime) -> float | None:
    """Return the seconds that a `Retry-After` asks for, in either of its forms (RFC 9110, 10.2.3).

    `None` where there is no header or it is neither seconds nor a date; a date already past asks for no wait.
    """
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return max(0.0, (moment - now).total_seconds())


def wait_seconds(tries: int, asked: float | None, limits: Limits, jitter: float) -> float | None:
    """Return the wait after so many tries, doubling each time, or `None` when the source asks for too much.

    Half of the wait is fixed and half falls by `jitter` (0 to 1), so that many machines do not return together.
    """
    doubled = limits.first_wait_seconds * 2.0 ** (tries - 1)
    own = min(doubled, limits.longest_wait_seconds) * (0.5 + jitter / 2)
    if asked is not None and asked > limits.longest_wait_seconds:
        return None
    return max(own, asked or 0.0)
