"""Answers kept between runs, so that a source can say «still the same»; losing them only costs a download."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from generator.sources.http import Stored


def kept(folder: Path) -> dict[str, Stored]:
    """Return what a source's folder keeps, by request; what cannot be read is as if it were not there."""
    found = {}
    for file in sorted(folder.glob("*.json")):
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            found[file.stem] = Stored(told["etag"], told["last_modified"], file.with_suffix(".body").read_bytes())
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def keep(folder: Path, cache: Mapping[str, Stored]) -> None:
    """Keep exactly these answers in a source's folder; the description comes last, and only of a whole body."""
    forget(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for key, stored in cache.items():
        (folder / f"{key}.body").write_bytes(stored.body)
        told = {"etag": stored.etag, "last_modified": stored.last_modified}
        (folder / f"{key}.json").write_text(json.dumps(told), encoding="utf-8")


def forget(folder: Path) -> None:
    """Forget the answers of a source, as after one that could not be used."""
    shutil.rmtree(folder, ignore_errors=True)
