"""What took long to work out, kept in `.cache/` until anything it depends on changes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

FOLDER = ".cache"
PROGRAM = Path(__file__).parent


def edition(folders: Iterable[Path], *more: str) -> str:
    """Return a digest that changes when a file below the folders does (name, size or time), or one of the texts."""
    digest = hashlib.sha256("\n".join(more).encode())
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix not in {".pyc", ".tmp"}:
                stamp = file.stat()
                digest.update(f"{file}|{stamp.st_size}|{stamp.st_mtime_ns}\n".encode())
    return digest.hexdigest()


class Memory:
    """Texts by key, read from a file of the same edition and written back when something was added."""

    def __init__(self, file: Path, edition: str) -> None:
        self._file, self._edition = file, edition
        self.values = self._read()
        self._known = len(self.values)

    def _read(self) -> dict[str, str]:
        """Return what was kept; a file of another edition, or one that cannot be read, keeps nothing."""
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            return dict(kept["values"]) if kept["edition"] == self._edition else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def keep(self) -> None:
        """Write what was added, whole: another run never reads half a file."""
        if len(self.values) > self._known:
            self._file.parent.mkdir(exist_ok=True)
            beside = self._file.with_name(f".{self._file.name}.{os.getpid()}.tmp")
            beside.write_text(json.dumps({"edition": self._edition, "values": self.values}), "utf-8")
            beside.replace(self._file)
            self._known = len(self.values)
