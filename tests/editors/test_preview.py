"""The preview goes on while a file is broken, says what is wrong, and recovers by itself; a build stops."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from generator.preview import Opener
from generator.problems import ProblemsError
from tests.editors.mini_project import make

TODAY = date(2026, 11, 30)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path)


@pytest.fixture
def preview() -> Opener:
    opener = Opener()
    opener.is_preview = True
    return opener


def _break(file: Path, old: str, new: str) -> str:
    before = file.read_text("utf-8")
    assert old in before
    file.write_text(before.replace(old, new), "utf-8")
    return before


def test_a_broken_page_is_shown_with_what_is_wrong_until_it_is_mended(project: Path, preview: Opener):
    page = project / "content" / "index.md"
    assert preview.publisher(project, TODAY)[1] == []
    before = _break(page, "{{ guias() }}", "{{ guas() }}")
    assert [problem.path for problem in preview.publisher(project, TODAY)[1]] == ["content/index.md"]
    page.write_text(before, "utf-8")
    assert preview.publisher(project, TODAY)[1] == []


def test_broken_tables_leave_the_last_data_that_worked(project: Path, preview: Opener):
    good, _ = preview.publisher(project, TODAY)
    _break(project / "data" / "providers.csv", "id,name", "id,nome")
    shown, problems = preview.publisher(project, TODAY)
    assert shown is good
    assert problems[0].path == "data/providers.csv"


def test_a_preview_that_never_worked_says_why_it_does_not_start(project: Path, preview: Opener):
    _break(project / "data" / "providers.csv", "id,name", "id,nome")
    with pytest.raises(ProblemsError, match="nome"):
        preview.publisher(project, TODAY)


def test_a_build_stops_at_any_problem(project: Path):
    _break(project / "content" / "index.md", "title: Guia de teste", "title: @guia")
    with pytest.raises(ProblemsError, match=r"index\.md:2"):
        Opener().publisher(project, TODAY)


def test_a_change_of_data_is_seen(project: Path, preview: Opener):
    first, _ = preview.publisher(project, TODAY)
    _break(project / "data" / "workloads.yml", "title: treinamento de modelos", "title: treinamento de verdade")
    second, _ = preview.publisher(project, TODAY)
    assert second.site.data.workloads["treinamento"].title != first.site.data.workloads["treinamento"].title
