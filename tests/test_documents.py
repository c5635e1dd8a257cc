"""The manuals cannot drift: what README.md, EDITORES.md and the decisions name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from generator.commands import COMMANDS
from generator.pages.blocks import Blocks
from generator.pages.cost_blocks import CostBlocks
from generator.pages.data_blocks import DataBlocks
from generator.pages.inline import Inline

ROOT = Path(__file__).resolve().parents[1]
README, EDITORS = ROOT / "README.md", ROOT / "EDITORES.md"
MANUALS = [README, EDITORS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
HOLDERS = (Blocks, CostBlocks, DataBlocks, Inline)
SHORTCODES = {name for holder in HOLDERS for name in vars(holder) if not name.startswith("_")}

PATH = re.compile(r"`((?:\.?[A-Za-z][\w-]*/)+[\w.-]*|[\w-]+\.(?:md|yml|toml))`")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
BUILT = {"site/", ".venv"}
INVENTED = {"data/curated/nuvem-exemplo.yml"}
COMING = {"generator/sources/http.py", "data/sources.yml"}  # with the live sources


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _prose(path: Path) -> str:
    """Return a manual without its fenced code."""
    return re.sub(r"^ *(`{3,})[^`\n]*\n.*?^ *\1$", "", _text(path), flags=re.DOTALL | re.MULTILINE)


def _named(path: Path) -> set[str]:
    """Return the project paths that a manual names in backticks or links to."""
    links = {link for link in LINK.findall(re.sub(r"`[^`\n]+`", "", _prose(path))) if "://" not in link}
    return (set(PATH.findall(_prose(path))) | links) - BUILT - INVENTED - COMING


@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.name)
class TestManual:
    def test_every_path_it_names_exists(self, path: Path):
        assert {each for each in _named(path) if not (ROOT / each).exists()} == set()

    def test_every_make_target_it_names_exists(self, path: Path):
        targets = set(re.findall(r"^([a-z]+):", _text(ROOT / "Makefile"), re.MULTILINE))
        named = re.findall(r"`(?:\$ )?make ([a-z ]+)`|^\$ make ([a-z]+)", _text(path), re.MULTILINE)
        assert {word for pair in named for each in pair for word in each.split()} <= targets

    def test_every_subcommand_it_names_exists(self, path: Path):
        named = set(re.findall(r"python -m generator ([a-z]+)", _text(path)))
        assert named <= {command.name for command in COMMANDS}


def test_every_command_that_make_runs_exists():
    assert set(re.findall(r"\$\(RUN\) ([a-z]+)", _text(ROOT / "Makefile"))) <= {command.name for command in COMMANDS}


class TestReadme:
    def test_the_two_commands_come_first(self):
        assert re.search(r"```\w*\n(.*?)```", _text(README), re.DOTALL)[1].split("\n")[0].startswith("$ make site")

    def test_every_data_file_is_described(self):
        table = _text(README).split("## Data files")[1]
        files = [path for path in (ROOT / "data").iterdir() if path.name != "LICENSE.md" and path.name[0] != "."]
        assert [path.name for path in files if f"`data/{path.name}{'/' * path.is_dir()}`" not in table] == []

    def test_every_target_of_the_interface_is_described(self):
        for target in ("site", "test", "serve", "check", "refresh", "bench"):
            assert f"| `make {target}` |" in _text(README)


class TestEditorsManual:
    def test_every_shortcode_is_documented_with_an_example(self):
        assert {name for name in SHORTCODES if f"{{{{ {name}(" not in _text(EDITORS)} == set()

    def test_no_other_shortcode_is_documented(self):
        assert set(re.findall(r"\{\{ (\w+)\(", _text(EDITORS))) - {"nome"} <= SHORTCODES

    def test_its_table_of_contents_leads_to_its_sections(self):
        titles = re.findall(r"^## (.+)$", _prose(EDITORS), re.MULTILINE)
        sections = {title.lower().replace(" ", "-").replace(":", "") for title in titles}
        assert set(re.findall(r"^- \[.*\]\(#(.+)\)$", _text(EDITORS), re.MULTILINE)) == sections


class TestDecisions:
    @pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
    def test_each_has_a_date_a_choice_a_cost_and_what_would_change_our_mind(self, path: Path):
        text = _text(path)
        assert re.search(r"^\d{4}-\d{2}-\d{2}$", text, re.MULTILINE)
        assert all(f"**{part}.**" in text for part in ("Context", "Choice", "Cost", "What would change our mind"))

    def test_the_list_names_them_all(self):
        assert set(LINK.findall(_text(ROOT / "docs/decisions/README.md"))) == {path.name for path in DECISIONS}


class TestIssueForms:
    @pytest.mark.parametrize(
        "path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*-*.yml")), ids=lambda path: path.stem
    )
    def test_each_is_a_form_with_unique_fields_and_something_required(self, path: Path):
        form = yaml.safe_load(_text(path))
        assert {"name", "description", "body"} <= set(form)
        ids = [field["id"] for field in form["body"]]
        assert len(set(ids)) == len(ids)
        assert any(field.get("validations", {}).get("required") for field in form["body"])
        options = [option for field in form["body"] for option in field["attributes"].get("options", [])]
        assert all(isinstance(option, str) for option in options)  # `Não` is text, but `No` would not be

    def test_a_wrong_price_asks_for_the_link_and_the_day(self):
        form = yaml.safe_load(_text(ROOT / ".github/ISSUE_TEMPLATE/preco-errado.yml"))
        required = {field["id"] for field in form["body"] if field.get("validations", {}).get("required")}
        assert {"link", "data"} <= required
