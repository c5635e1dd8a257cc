"""Several files replaced as one, and one writer at a time: a run killed at any instant leaves the old set or the new.

New files are staged beside the data; writing the journal, in one rename, is what commits them. From then on they are
the current ones, wherever they stand: readers look through `current`, and the next writer completes the renames.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

STAGING = "data/.staging"
_JOURNAL = "journal.json"
_LOCK = "data/.refresh.lock"


class BusyError(Exception):
    """Another run is writing; the message says so in Portuguese."""


def current(root: Path, path: str) -> Path:
    """Return where a file of the project stands now: staged, where a committed write was cut short."""
    staged = _staged(root, path)
    return staged if path in _committed(root) and staged.is_file() else root / path


def replace_all(root: Path, files: Mapping[str, bytes]) -> None:
    """Replace the files, all or none; raises `OSError` where they cannot be written, and leaves the old ones."""
    complete(root)
    folder = root / STAGING
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for path, payload in files.items():
            _write(_staged(root, path), payload)
        beside = folder / f"{_JOURNAL}.tmp"
        _write(beside, json.dumps(sorted(files)).encode())
        beside.replace(folder / _JOURNAL)
        _flush_folder(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    complete(root)


def complete(root: Path) -> None:
    """Finish a write that was committed and cut short, or clean up after one that was not committed."""
    targets = {root / path: _staged(root, path) for path in _committed(root)}
    for target, staged in targets.items():
        if staged.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(target)
    for folder in {target.parent for target in targets}:
        _flush_folder(folder)
    (root / STAGING / _JOURNAL).unlink(missing_ok=True)
    shutil.rmtree(root / STAGING, ignore_errors=True)


@contextmanager
def exclusive(root: Path) -> Iterator[None]:
    """Hold the right to write; raises `BusyError` at once where another run holds it. A killed run lets it go."""
    import fcntl  # noqa: PLC0415 - reading works where there is no fcntl

    with (root / _LOCK).open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            other = lock.read().strip() or "?"
            raise BusyError(f"outra coleta está em andamento (processo {other}); espere que ela termine") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _staged(root: Path, path: str) -> Path:
    return root / STAGING / path.replace("/", "%")


def _committed(root: Path) -> list[str]:
    try:
        found = json.loads((root / STAGING / _JOURNAL).read_bytes())
    except FileNotFoundError:
        return []
    return [str(path) for path in found]


def _write(file: Path, payload: bytes) -> None:
    with file.open("wb") as out:
        out.write(payload)
        out.flush()
        os.fsync(out.fileno())


def _flush_folder(folder: Path) -> None:
    """Make renames inside a folder last through a power cut, where the system lets a folder be flushed."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
