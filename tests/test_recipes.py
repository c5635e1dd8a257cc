"""The recipes of EDITORES.md work as written: each example is put where the manual says, in a copy of the project."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest
import yaml

from generator import dataset
from generator.check import inspect, open_publisher
from generator.normalise import normalise
from generator.pages.publisher import shortcodes
from generator.pages.shortcodes import Evaluator
from generator.problems import ProblemsError
from generator.prose.rules import RULES
from generator.sources import curated
from generator.views.site import Site

ROOT = Path(__file__).resolve().parents[1]
MANUAL = (ROOT / "EDITORES.md").read_text(encoding="utf-8")
TODAY = date(2026, 11, 30)


def _recipes() -> dict[str, str]:
    """Return the text under each third-level heading; headings inside fenced code are part of the text."""
    found, title, fenced = {}, "", False
    for line in MANUAL.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if line.startswith("##") and not fenced:
            title = line.strip("# \n")
        found[title] = found.get(title, "") + line
    return found


def _examples(recipe: str, language: str, folder: str = r"data/[\w./-]+\.csv") -> list[tuple[str, str]]:
    """Return the examples of a recipe in one language, each with the file of a kind that was named last before it."""
    text = _recipes()[recipe]
    found = re.finditer(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [("".join(re.findall(f"`({folder})`", text[: m.start()])[-1:]), m[1]) for m in found]


def _append(root: Path, recipe: str) -> None:
    """Append every CSV row of a recipe to its table."""
    for path, rows in _examples(recipe, "csv"):
        with (root / path).open("a", encoding="utf-8") as table:
            table.write(rows)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("data", "content"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_new_provider_with_the_complete_file_of_offers_is_published_whole(project: Path):
    _append(project, "Acrescentar um provedor")
    ((_, text),) = _examples("Acrescentar uma oferta", "yaml")
    path = re.match(r"# (data/curated/[\w-]+\.yml)\n", text)[1]
    raws = curated.parse(text.encode(), path)
    outcome = normalise(raws, dataset.load_tables(project).reference)
    assert list(outcome.fates["reason"].unique()) == [""]
    assert len(outcome.offers) == len(raws) == 7
    assert set(outcome.offers["country"]) == {"", "BR", "US"}
    assert set(outcome.offers["gpu"]) == {"l4", "h100-sxm", "rtx-4090"}


def test_a_new_gpu_is_known_by_its_name_and_has_a_plausible_price(project: Path):
    _append(project, "Acrescentar uma GPU")
    ((_, band),) = _examples("Acrescentar uma GPU", "yaml")
    rules = project / "data" / "rules.yml"
    rules.write_text(re.sub(r"(?m)^plausible_usd_gpu_hour:\n", rf"\g<0>{band}", rules.read_text("utf-8")), "utf-8")
    offer = (
        b"provider: aws\nsource_url: https://aws.amazon.com/\nobserved_on: 2026-11-20\nseen_in: teste\ncurrency: USD\n"
    )
    raws = curated.parse(offer + b"offers:\n- gpu: Exemplo X1\n  memory_gb: 48\n  price: 1.00\n", "data/curated/x.yml")
    outcome = normalise(raws, dataset.load_tables(project).reference)
    assert list(outcome.offers["gpu"]) == ["exemplo-x1"]


def test_a_corrected_price_is_a_valid_offer_of_its_file(project: Path):
    ((_, offer),) = _examples("Corrigir um preço", "yaml")
    lambda_ = project / "data" / "curated" / "lambda.yml"
    raws = curated.parse((lambda_.read_text("utf-8") + "\n" + offer).encode(), "data/curated/lambda.yml")
    assert raws[-1].observed_on == "2026-11-28"
    assert normalise(raws[-1:], dataset.load_tables(project).reference).offers["gpu"].tolist() == ["a10"]


def test_a_new_question_passes_the_gate_and_reaches_the_structured_data(project: Path):
    ((path, question),) = _examples("Acrescentar uma pergunta", "markdown", r"content/[\w./-]+\.md")
    guide = project / path
    guide.write_text(guide.read_text("utf-8").rstrip("\n") + "\n\n" + question, "utf-8")
    publisher = open_publisher(project, TODAY)
    page = publisher.page(path.removeprefix("content/"), guide.read_text("utf-8"))
    assert any("Preciso de NVLink para ajustar um modelo de 8B?" in data for data in page.structured_data)


def test_a_new_tax_new_prices_and_a_new_scenario_are_read_and_used(project: Path):
    for recipe in ("Conferir ou mudar o IOF", "Acrescentar o preço de um disco ou da saída de dados"):
        _append(project, recipe)
    ((_, scenario),) = _examples("Acrescentar um cenário de custo", "yaml")
    with (project / "data" / "scenarios.yml").open("a", encoding="utf-8") as table:
        table.write("\n" + scenario)
    cost = dataset.load_tables(project).cost
    assert cost.iof[-1].in_force_from == date(2026, 11, 20)
    assert ("lambda", "") in cost.storage
    assert len(cost.egress["vultr", ""]) == 2
    assert "lora-8b-noite" in cost.scenarios


def test_a_new_guide_needs_its_page_its_entry_and_only_more_words(project: Path):
    recipe = "Acrescentar um guia"
    ((_, page),), ((_, entry),) = _examples(recipe, "markdown"), _examples(recipe, "yaml")
    (project / "content" / "guias" / "transcricao.md").write_text(page, "utf-8")
    with (project / "data" / "workloads.yml").open("a", encoding="utf-8") as table:
        table.write("\n" + entry)
    assert [problem.rule for problem in inspect(project, TODAY).problems] == ["tamanho"]


def test_every_rule_of_prose_is_in_the_manual_with_what_it_asks():
    section = _recipes()["Regras de texto"]
    assert [f"| `{rule.name}` | {rule.asks} |" for rule in RULES] == re.findall(r"^\| `.*\|$", section, re.MULTILINE)


def test_a_correction_is_read(project: Path):
    ((path, correction),) = _examples("Corrigir um valor que a fonte traz errado", "yaml", r"data/[\w./-]+\.yml")
    (project / path).write_text(correction, "utf-8")
    (read,) = dataset.load_tables(project).corrections
    assert (read.wrong, read.right) == ("15", "30")


def test_the_criteria_shown_have_the_fields_of_the_table():
    ((_, shown),) = _examples("Mudar o que entra na comparação de um guia", "yaml")
    table = yaml.safe_load((ROOT / "data" / "workloads.yml").read_text("utf-8"))
    for workload, entry in yaml.safe_load(shown).items():
        for field, value in entry.items():
            assert type(table[workload][field]) is type(value)
            assert not isinstance(value, dict) or set(value) == set(table[workload][field])


def test_every_shortcode_of_the_manual_renders():
    evaluator = Evaluator(shortcodes(Site(dataset.load(ROOT), TODAY, ROOT)))
    written = set(re.findall(r"`\{\{([^`]+?)\}\}`", MANUAL)) - {' nome("argumento") '}
    assert written
    assert all(evaluator.evaluate(expression) for expression in written)


def test_the_error_shown_is_the_one_an_editor_would_see(project: Path):
    shown = re.search(r"```text\n(content/guias/treinamento\.md):\d+:\d+: (.+?) — (.+?)“.+ — (.+?“h100-sxm”)", MANUAL)
    page = project / shown[1]
    page.write_text(page.read_text("utf-8").replace('vram("h100-sxm")', 'vram("h100-smx")', 1), "utf-8")
    with pytest.raises(ProblemsError) as raised:
        open_publisher(project, TODAY)
    (problem,) = raised.value.problems
    assert (problem.path, problem.found) == (shown[1], shown[2])
    assert problem.expected.startswith(shown[3])
    assert problem.todo.startswith(shown[4])
