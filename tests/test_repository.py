"""What the repository promises about itself: seams that hold, workflows that are careful, files that stay small."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SOURCES = sorted([*(ROOT / "generator").rglob("*.py"), *(ROOT / "hooks").rglob("*.py")])

# Registry hosts and folders of one machine; the classes keep this file from containing what it looks for.
FOREIGN = re.compile(
    r"p[y]pi\.org|pythonho[s]ted|registry\.npm[j]s|deb\.deb[i]an|(?:^|[^A-Za-z0-9_.])/(?:w[o]rk|f[a]rm)/|/r[o]ot/"
    r"|[f]ile://|/h[o]me/[a-z]",
    re.MULTILINE,
)


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git repository: nothing says which files are ours")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="ignore")


def _lint(code: str, filename: str) -> set[str]:
    """Return the codes of the rules that some code breaks under the project's own settings."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--no-cache",
            "--output-format=concise",
            "--stdin-filename",
            filename,
            "-",
        ],
        cwd=ROOT,
        input=f'"""Planted."""\n\n{code}\n',
        capture_output=True,
        text=True,
        check=False,
    )
    return set(re.findall(r":\d+:\d+: ([A-Z]+\d+)", done.stdout))


class TestSeams:
    @pytest.mark.parametrize(
        ("code", "filename", "rule"),
        [
            ("import urllib.request", "generator/sources/planted.py", "TID251"),
            ("import socket", "generator/views/planted.py", "TID251"),
            ("import mkdocs", "generator/pages/planted.py", "TID251"),
            ("from mkdocs.structure import files", "generator/planted.py", "TID251"),
            ("from babel.numbers import format_decimal", "generator/views/planted.py", "TID251"),
            ("print(1)", "generator/views/planted.py", "T201"),
            ("print(1)", "hooks/planted.py", "T201"),
        ],
    )
    def test_the_linter_sees_an_effect_in_the_wrong_module(self, code: str, filename: str, rule: str):
        assert rule in _lint(code, filename)

    @pytest.mark.parametrize(
        ("code", "filename", "rule"),
        [
            ("import urllib.request", "generator/sources/http.py", "TID251"),
            ("import mkdocs", "hooks/guia.py", "TID251"),
            ("import babel", "generator/formatting.py", "TID251"),
            ("print(1)", "generator/__main__.py", "T201"),
        ],
    )
    def test_the_linter_lets_the_one_module_do_its_effect(self, code: str, filename: str, rule: str):
        assert rule not in _lint(code, filename)

    def test_only_the_dataset_the_gate_and_the_writer_of_the_site_touch_files(self):
        touch = {"read_text", "read_bytes", "write_text", "write_bytes", "open", "unlink", "mkdir"}
        found = {
            path.relative_to(ROOT).as_posix()
            for path in SOURCES
            for node in ast.walk(ast.parse(_text(path)))
            if isinstance(node, ast.Call)
            and (getattr(node.func, "attr", "") in touch or getattr(node.func, "id", "") == "open")
        }
        in_memory = {"generator/sources/unpacking.py"}  # opens members of an archive that was fetched
        at_the_edges = {
            f"generator/{name}.py"
            for name in (
                "__main__",  # the null device, when nobody reads the output
                "dataset",
                "written",
                "storage",
                "history",
                "check",
                "pages/output",
                "folder",
                "spelling",
                "memory",
                "sources/http_cache",
            )
        }
        assert found <= at_the_edges | in_memory

    def test_hooks_stay_thin(self):
        for path in (ROOT / "hooks").glob("*.py"):
            assert len(_text(path).splitlines()) < 100, path

    def test_modules_import_in_one_direction(self):
        assert _contracts(ROOT) == 0

    def test_an_import_against_the_direction_is_seen(self, tmp_path: Path):
        for name in ("generator", "hooks"):
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        (tmp_path / "generator" / "sizing" / "planted.py").write_text(
            "import generator.views.labels\n", encoding="utf-8"
        )
        assert _contracts(tmp_path) == 1


def _contracts(root: Path) -> int:
    done = subprocess.run([BIN / "lint-imports", "--no-cache"], cwd=root, capture_output=True, text=True, check=False)
    assert "does not exist" not in done.stdout + done.stderr
    return done.returncode


class TestFiles:
    def test_no_file_names_a_registry_or_a_folder_of_one_machine(self):
        found = [f"{path.relative_to(ROOT)}: {m[0]}" for path in _tracked() for m in FOREIGN.finditer(_text(path))]
        assert found == []

    def test_code_files_stay_short_enough_to_read_in_one_go(self):
        code = [path for path in _tracked() if path.suffix in {".py", ".js", ".css", ".html"}]
        assert {path.name: n for path in code if (n := len(_text(path).splitlines())) > 300} == {}

    def test_locks_pin_every_package_by_hash_and_name_no_index(self):
        for lock in sorted((ROOT / "requirements").glob("*.txt")):
            packages = [entry for entry in re.split(r"\n(?=\S)", _text(lock).strip()) if not entry.startswith("#")]
            assert packages
            assert [
                each for each in packages if not re.match(r"[\w.-]+==\S+ (?:;.*)?[\s\S]*--hash=sha256:", each)
            ] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
class TestWorkflow:
    def test_actions_are_pinned_by_commit_with_the_version_beside_it(self, path: Path):
        used = re.findall(r"uses: *(.*)", _text(path))
        assert used
        assert [
            each for each in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
        ] == []

    def test_nothing_is_permitted_by_default_and_every_job_says_what_it_needs(self, path: Path):
        workflow = yaml.safe_load(_text(path))
        assert workflow["permissions"] == {}
        assert all("permissions" in job and "timeout-minutes" in job for job in workflow["jobs"].values())

    def test_the_token_is_not_left_on_disk(self, path: Path):
        steps = [step for job in yaml.safe_load(_text(path))["jobs"].values() for step in job["steps"]]
        checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
        assert checkouts
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)

    def test_no_expression_is_pasted_into_a_shell(self, path: Path):
        steps = [step for job in yaml.safe_load(_text(path))["jobs"].values() for step in job["steps"]]
        assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []


class TestAutomation:
    def test_a_running_deploy_is_never_cancelled(self):
        refresh = yaml.safe_load(_text(ROOT / ".github/workflows/refresh.yml"))
        assert refresh["concurrency"]["cancel-in-progress"] is False

    def test_the_schedule_avoids_the_full_hour(self):
        # YAML reads the key `on` as true.
        crons = [
            each["cron"] for each in yaml.safe_load(_text(ROOT / ".github/workflows/refresh.yml"))[True]["schedule"]
        ]
        assert crons
        assert all(cron.split()[0] not in {"0", "00", "30", "*"} for cron in crons)

    def test_one_required_job_waits_for_all_the_others(self):
        jobs = yaml.safe_load(_text(ROOT / ".github/workflows/ci.yml"))["jobs"]
        assert set(jobs["required"]["needs"]) == set(jobs) - {"required"}
        assert jobs["required"]["if"] == "always()"

    def test_ci_runs_the_same_commands_as_people(self):
        script = ROOT / ".ci" / "run"
        assert script.stat().st_mode & 0o111
        assert [line for line in _text(script).splitlines() if line.startswith("make ")] == [
            "make check",
            "make site",
            "make test",
        ]
