"""Broken inputs, each told by its own message, and tricky ones that are right: one change to a small project each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator import spelling
from generator.__main__ import main
from generator.check import inspect
from tests.editors.mini_project import ROOT, make

CORPUS = Path(__file__).parent / "corpus"
TODAY = date(2026, 11, 30)
SPELLED = spelling.find(ROOT) is not None

Case = dict[str, Any]


def _cases(*names: str) -> list[Any]:
    """Return the cases of some files, named for the report."""
    found = [(name, case) for name in names for case in yaml.safe_load((CORPUS / f"{name}.yml").read_text("utf-8"))]
    return [pytest.param(case, id=f"{name}: {case['name']}") for name, case in found]


BROKEN = _cases("front_matter", "yaml", "csv", "markdown", "shortcodes")
VALID = _cases("valid")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make(tmp_path_factory.mktemp("mini"))
    assert [str(problem) for problem in inspect(root, TODAY).problems] == []
    return root


@pytest.fixture
def changed(project: Path, case: Case) -> Iterator[Path]:
    """Apply the change of a case to its file, and take it back."""
    file = project / case["file"]
    before = file.read_bytes()
    if case.get("delete"):
        file.unlink()
    else:
        file.write_bytes(_after(before, case))
    yield project
    file.write_bytes(before)


def _after(before: bytes, case: Case) -> bytes:
    if "bytes" in case:
        return bytes.fromhex(case["bytes"])
    text = before.decode()
    if "find" in case:
        assert text.count(case["find"]) == 1 or case.get("first"), f"{case['find']!r}: {text.count(case['find'])} times"
        text = text.replace(case["find"], case["put"], 1)
    for old, new in case.get("then", {}).items():
        text = text.replace(old, new)
    text = case.get("prepend", "") + (text.rstrip("\n") if case.get("strip") else text) + case.get("append", "")
    changed = (text.replace("\n", "\r\n") if case.get("crlf") else text).encode()
    assert changed != before, "the case changes nothing"
    return changed


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_input_is_told_with_file_line_and_remedy(changed: Path, case: Case):
    if "[ortografia]" in case["says"] and not SPELLED:
        pytest.skip("no pt_BR dictionary on this machine")
    told = [str(problem) for problem in inspect(changed, TODAY).problems]
    assert any(all(part in line for part in case["says"]) for line in told), "\n".join(told)
    assert case.get("others") or len(told) == 1, "\n".join(told)


@pytest.mark.parametrize("case", VALID)
def test_a_tricky_input_that_is_right_passes(changed: Path, case: Case):  # noqa: ARG001 - `changed` applies it
    assert [str(problem) for problem in inspect(changed, TODAY).problems if problem.rule != "ortografia"] == []


def test_the_corpus_is_large_and_no_case_repeats():
    assert len(BROKEN) >= 80
    assert len(VALID) >= 40
    assert len({case.id for case in [*BROKEN, *VALID]}) == len(BROKEN) + len(VALID)


@pytest.mark.parametrize("case", BROKEN[::8])
def test_the_command_ends_with_one_and_without_a_traceback(
    changed: Path, case: Case, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796040000")  # 30 November 2026
    assert main(["check", "--root", str(changed)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    assert case["file"] in said.err


def test_all_problems_of_data_and_content_are_told_at_once_and_in_order(project: Path):
    edits = {
        "content/index.md": ("Veja a", "Custa R$ 2. Veja a"),
        "content/metodologia.md": ("updated: 2026-11-30", "updated: ontem"),
        "data/pauta.yml": ("questions: [T-03]", "questions: T-03"),
        "data/providers.csv": ("id,name,kind", "id,nome,kind"),
        "data/curated/lambda.yml": ("tier: secure", "teir: secure"),
    }
    before = {path: (project / path).read_text("utf-8") for path in edits}
    for path, (old, new) in edits.items():
        (project / path).write_text(before[path].replace(old, new), "utf-8")
    problems = inspect(project, TODAY).problems
    for path, text in before.items():
        (project / path).write_text(text, "utf-8")
    assert {problem.path for problem in problems} >= {*edits} - {"content/index.md"}
    assert problems == sorted(problems)
