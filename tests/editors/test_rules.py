"""Every rule of prose is shown by Markdown that breaks it and Markdown that keeps it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from generator import dataset, spelling
from generator.check import words_of_names
from generator.prose.document import Document
from generator.prose.readability import readability
from generator.prose.rule import Project
from generator.prose.rules import RULES, prose_problems
from generator.prose.words import unused_words
from generator.tables.prose import Promises

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = yaml.safe_load((Path(__file__).parent / "rules.yml").read_text("utf-8"))
HEAD = "---\ntitle: Guia\ndescription: Uma descrição.\n---\n\n"
FAQ = "## Perguntas frequentes { #perguntas-frequentes }"
ABOUT_WORDS = pytest.mark.skipif(
    spelling.find(ROOT) is None and not os.environ.get("CI"), reason="no pt_BR dictionary on this machine"
)


@pytest.fixture(scope="module")
def project() -> Project:
    data, editorial = dataset.load(ROOT), dataset.load_editorial(ROOT)
    workloads = {"x": data.workloads["treinamento"], "outra": data.workloads["ajuste-fino"]}
    return Project(
        (),
        editorial.lists,
        data.terms,
        {"x": Promises({"X-01": "Um", "X-02": "Dois", "X-03": "Pergunta"}, ("X-03",))},
        workloads,
        data.gpus,
        frozenset(editorial.words),
        words_of_names(data),
        {"guias/x.md": frozenset({"ordem"}), "metodologia.md": frozenset({"ordem"}), "index.md": frozenset()},
        spelling.find(ROOT),
    )


def _broken(project: Project, text: str, *, bare: bool = False) -> list[str]:
    """Return the rules that a page with this text breaks, as often as it does."""
    source = HEAD + ("" if bare else "# Guia\n\n") + text.replace("{faq}", FAQ)
    page = Document.read("guias/x.md", source, "x")
    return [problem.rule for problem in prose_problems(replace(project, documents=(page,)))]


def _cases(kind: str) -> list[tuple[str, str]]:
    return [(rule, text) for rule, examples in EXAMPLES.items() for text in examples[kind]]


def test_every_rule_has_examples_of_both_kinds():
    assert set(EXAMPLES) == {rule.name for rule in RULES}
    assert all(examples["fails"] for examples in EXAMPLES.values())
    assert {rule for rule, examples in EXAMPLES.items() if not examples["passes"]} == {
        "tamanho"
    }  # a whole guide is one


@pytest.mark.parametrize(("rule", "text"), _cases("fails"))
@ABOUT_WORDS
def test_what_breaks_the_rule_is_found(project: Project, rule: str, text: str):
    assert rule in _broken(project, text, bare=EXAMPLES[rule].get("bare", False))


@pytest.mark.parametrize(("rule", "text"), _cases("passes"))
@ABOUT_WORDS
def test_what_keeps_the_rule_passes(project: Project, rule: str, text: str):
    assert rule not in _broken(project, text, bare=EXAMPLES[rule].get("bare", False))


@ABOUT_WORDS
def test_spelling_is_checked_in_ci():
    assert spelling.find(ROOT) is not None


class TestSilence:
    @pytest.mark.parametrize(
        "text",
        [
            "Custa R$ 2 na tabela de 1994. <!-- silenciar: preco-digitado — exemplo histórico -->",
            "<!-- silenciar: preco-digitado — exemplo histórico -->\n\nCusta R$ 2 na tabela de 1994.",
        ],
    )
    def test_a_line_may_break_a_rule_for_a_reason(self, project: Project, text: str):
        assert "preco-digitado" not in _broken(project, text)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("Custa R$ 2. <!-- silenciar: preco-digitado -->", "silêncio sem motivo"),
            ("Custa R$ 2. <!-- silenciar: preco-digitdo — engano -->", "troque por «preco-digitado»"),
            ("Nada errado. <!-- silenciar: preco-digitado — já foi -->", "não é mais preciso"),
        ],
    )
    def test_a_wrong_or_unneeded_silence_is_a_problem(self, project: Project, text: str, says: str):
        page = Document.read("guias/x.md", f"{HEAD}# Guia\n\n{text}\n", "x")
        problems = prose_problems(replace(project, documents=(page,)))
        assert any(says in str(problem) for problem in problems)

    def test_only_the_named_rule_is_silent(self, project: Project):
        text = "Custa R$ 2 no ficheiro. <!-- silenciar: preco-digitado — exemplo -->"
        assert "termo" in _broken(project, text)
        assert "preco-digitado" not in _broken(project, text)


def test_a_problem_has_the_line_and_column_of_the_file(project: Project):
    page = Document.read("guias/x.md", f"\ufeff{HEAD}# Guia\n\nDois.\nCusta R$ 2.\n".replace("\n", "\r\n"), "")
    (problem,) = [p for p in prose_problems(replace(project, documents=(page,))) if p.rule == "preco-digitado"]
    assert (problem.path, problem.line, problem.column) == ("content/guias/x.md", 9, 7)


def test_the_front_matter_that_readers_see_is_prose_too(project: Project):
    page = Document.read("x.md", "---\ntitle: A partir de R$ 2\ndescription: Texto.\n---\n\n# Guia\n", "")
    problems = [p for p in prose_problems(replace(project, documents=(page,))) if p.rule == "preco-digitado"]
    assert [problem.line for problem in problems] == [2, 2]


def test_a_project_word_that_no_page_uses_is_a_problem(project: Project):
    page = Document.read("x.md", f"{HEAD}# Guia do pré-treinamento QLoRA\n", "")
    found = list(
        unused_words(replace(project, documents=(page,)), {"QLoRA": 3, "treinamento": 4, "sumida": 5}, "p.txt")
    )
    assert [(problem.path, problem.line) for problem in found] == [("p.txt", 5)]


def test_longer_words_and_sentences_read_harder():
    short = Document.read("a.md", f"{HEAD}A placa é boa. O preço cai. Use já.\n")
    long = Document.read(
        "a.md", f"{HEAD}A parametrização hierárquica extraordinariamente sofisticada compromete a usabilidade.\n"
    )
    assert readability(short).ease > readability(long).ease
    assert readability(short).words_per_sentence == pytest.approx(9 / 3)
