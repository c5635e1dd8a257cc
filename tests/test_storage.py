"""Files replaced as one: a run killed at any instant leaves the old set or the new one, whole."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator import storage

ROOT = Path(__file__).parents[1]
NAMES = [f"data/{name}.txt" for name in ("a", "b", "c", "d")]
# Writes set after set, each file of set n saying n, and says which one it is about to commit.
WRITER = """
import sys
from pathlib import Path
from generator import storage
root = Path(sys.argv[1])
with storage.exclusive(root):
    print("ready", flush=True)
    for number in range(1, 100_000):
        storage.replace_all(root, {name: b"%d" % number * 5000 for name in sys.argv[2:]})
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "data").mkdir()
    storage.replace_all(tmp_path, dict.fromkeys(NAMES, b"0" * 5000))
    return tmp_path


def as_read(root):
    return {storage.current(root, name).read_bytes() for name in NAMES}


def in_place(root):
    return {(root / name).read_bytes() for name in NAMES}


def start(root):
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), *NAMES], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "ready\n"
    return writer


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_instant_leaves_one_whole_set(root, seed):
    writer = start(root)
    time.sleep(random.Random(seed).uniform(0.0, 0.2))
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    assert len(as_read(root)) == 1, "a reader that comes next sees one set"
    with storage.exclusive(root):
        storage.complete(root)
    assert len(in_place(root)) == 1
    assert in_place(root) == as_read(root)
    assert not (root / storage.STAGING).exists()


@pytest.mark.parametrize("moved", range(len(NAMES) + 1))
def test_a_committed_write_cut_after_any_rename_is_read_whole_and_completed(root, monkeypatch, moved):
    real, count = Path.replace, 0

    def cut(self, target):
        nonlocal count
        if "journal" not in self.name:
            count += 1
            if count > moved:
                raise KeyboardInterrupt
        return real(self, target)

    monkeypatch.setattr(Path, "replace", cut)
    if moved < len(NAMES):
        with pytest.raises(KeyboardInterrupt):
            storage.replace_all(root, dict.fromkeys(NAMES, b"1"))
    else:
        storage.replace_all(root, dict.fromkeys(NAMES, b"1"))
    assert as_read(root) == {b"1"}
    monkeypatch.undo()
    storage.complete(root)
    assert in_place(root) == {b"1"}


def test_a_write_cut_before_the_commit_leaves_the_old_set_and_nothing_beside_it(root):
    staging = root / storage.STAGING
    staging.mkdir()
    (staging / "data%a.txt").write_bytes(b"half")
    assert as_read(root) == {b"0" * 5000}
    storage.replace_all(root, {NAMES[1]: b"0" * 5000})
    assert in_place(root) == {b"0" * 5000}
    assert not staging.exists()


def test_a_full_disk_leaves_the_old_set(root, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        storage.replace_all(root, dict.fromkeys(NAMES, b"1"))
    assert in_place(root) == {b"0" * 5000}
    assert not (root / storage.STAGING).exists()


def test_the_second_writer_leaves_at_once_naming_the_first(root):
    writer = start(root)
    try:
        with pytest.raises(storage.BusyError, match=f"processo {writer.pid}"), storage.exclusive(root):
            pass
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()
    with storage.exclusive(root):
        assert json.loads((root / "data/.refresh.lock").read_text()) == os.getpid()
