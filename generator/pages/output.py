"""The only writer of the finished site; the theme writes the pages that people wrote, this one all the rest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def write(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Write files by their path below the site, leaving equal ones alone; return how many were written."""
    written = 0
    for path, payload in files:
        file = folder / path
        if file.is_file() and file.read_bytes() == payload:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(payload)
        written += 1
    return written
