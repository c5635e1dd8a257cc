"""The only writer of the finished site; the theme writes the pages that people wrote, this one all the rest."""

from __future__ import annotations

import json
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


def add_to_search(folder: Path, entries: list[dict[str, str]]) -> None:
    """Add pages to the search index that the theme's search wrote; a site without one stays so."""
    file = folder / "search" / "search_index.json"
    if file.is_file():
        index = json.loads(file.read_bytes())
        index["docs"] += entries
        file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
