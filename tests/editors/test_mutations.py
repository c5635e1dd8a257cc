"""Two hundred seeded faults of known kinds in the real content and tables: the gate finds them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from generator import dataset, spelling
from generator.check import CONTENT, inspect, project_of, read_data, read_page
from generator.folder import Folder
from generator.problems import Problem
from generator.prose.rules import prose_problems
from tests.editors.mutations import CONTENT as ANYWHERE
from tests.editors.mutations import DATA, GUIDES, Fault

ROOT = Path(__file__).resolve().parents[2]
TODAY = date(2026, 11, 30)
EACH = 6


class Gate:
    """The gate over the real project, with what did not change kept from one fault to the next."""

    def __init__(self) -> None:
        self.texts = Folder(ROOT).texts(CONTENT, "*.md")
        found = inspect(ROOT, TODAY)
        assert found.problems == []
        assert found.publisher
        self.publisher, self.documents = found.publisher, found.documents
        evaluator = self.publisher.extension.evaluator
        evaluator.evaluate = lru_cache(evaluator.evaluate)
        pages = [self.publisher.page(path.removeprefix(f"{CONTENT}/"), text) for path, text in self.texts.items()]
        data, editorial = self.publisher.site.data, dataset.load_editorial(ROOT)
        self.project = project_of(self.documents, editorial, data, pages, spelling.find(ROOT))

    def page_problems(self, path: str, text: str) -> list[Problem]:
        """Return what the gate says when one page has this text."""
        problems: list[Problem] = []
        self.publisher.problems.clear()
        page = read_page(path, text, TODAY, problems)
        self.publisher.page(page.path, text)
        return [*problems, *self.publisher.problems, *prose_problems(replace(self.project, documents=(page,)))]

    def data_problems(self, root: Path) -> list[Problem]:
        """Return what the gate says of a copy of the tables."""
        problems: list[Problem] = []
        read_data(root, TODAY, self.documents, problems)
        return problems


@pytest.fixture(scope="module")
def gate() -> Gate:
    return Gate()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mutations")
    shutil.copytree(ROOT / "data", root / "data")
    return root


def _of_content(gate: Gate, chance: Random) -> Iterator[tuple[str, str, bool]]:
    """Yield kind, place and whether it was found, for faults in pages."""
    guides = [path for path in gate.texts if "/guias/" in path]
    for kinds, paths in ((ANYWHERE, list(gate.texts)), (GUIDES, guides)):
        for kind, fault in kinds.items():
            for _ in range(EACH):
                path, text = _faulty(fault, paths, gate.texts, chance)
                yield kind, _difference(gate.texts[path], text), bool(gate.page_problems(path, text))


def _of_data(gate: Gate, root: Path, chance: Random) -> Iterator[tuple[str, str, bool]]:
    for kind, (path, fault) in DATA.items():
        before = (root / path).read_text("utf-8")
        for _ in range(EACH):
            after = fault(before, chance)
            (root / path).write_text(after, "utf-8")
            yield kind, _difference(before, after), bool(gate.data_problems(root))
        (root / path).write_text(before, "utf-8")


def _faulty(fault: Fault, paths: list[str], texts: dict[str, str], chance: Random) -> tuple[str, str]:
    """Return a page and its text with the fault; a page that cannot have it gives way to another."""
    for path in chance.sample(paths, len(paths)):
        try:
            return path, fault(texts[path], chance)
        except IndexError:
            continue
    raise AssertionError("no page can have this fault")


def _difference(before: str, after: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    return repr(after[max(0, at - 20) : at + 30])


@pytest.mark.skipif(spelling.find(ROOT) is None and not os.environ.get("CI"), reason="no pt_BR dictionary here")
def test_at_least_98_of_100_planted_faults_are_found(gate: Gate, copy: Path, capsys: pytest.CaptureFixture[str]):
    assert gate.data_problems(copy) == []
    chance = Random(20261130)
    outcomes = [*_of_content(gate, chance), *_of_data(gate, copy, chance)]
    found = sum(was_found for *_, was_found in outcomes)
    missed = [f"  missed {kind}: {place}" for kind, place, was_found in outcomes if not was_found]
    with capsys.disabled():
        sys.stdout.write(f"\nplanted {len(outcomes)} faults of {len({kind for kind, *_ in outcomes})} kinds, found ")
        sys.stdout.write("\n".join([f"{found} ({found / len(outcomes):.1%})", *missed, ""]))
    assert len(outcomes) >= 200
    assert found / len(outcomes) >= 0.98
