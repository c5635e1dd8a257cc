"""A front matter that is wrong is told; it is never published as text."""

from datetime import date

import pytest

from generator.pages import front_matter

GOOD = """---
title: 'Guia "A100" & H100 <teste>'
description: Uma descrição com tamanho suficiente para um buscador mostrar inteira.
workload: treinamento
updated: 2026-11-30
---

# Guia
"""


@pytest.mark.parametrize(
    "text",
    [GOOD, "\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD.replace("\n", "\r\n"), GOOD.rstrip("\n")],
    ids=["plain", "bom", "crlf", "bom+crlf", "no final newline"],
)
def test_the_same_page_is_read_however_it_was_saved(text):
    meta, problems = front_matter.read(text, "content/x.md")
    assert problems == []
    assert meta == front_matter.FrontMatter(
        'Guia "A100" & H100 <teste>',
        "Uma descrição com tamanho suficiente para um buscador mostrar inteira.",
        date(2026, 11, 30),
        "treinamento",
    )
    assert front_matter.split(text)[1].strip() == "# Guia"


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("2026-11-30", "2025-02-30", 5, "2025-02-30"),
        ("2026-11-30", "30/11/2026", 5, "AAAA-MM-DD"),
        ("2026-11-30", "2026-11-3", 5, "AAAA-MM-DD"),
        ("updated", "udpated", 5, "updated"),
        ("workload: treinamento", "title: outro", 4, "repetida"),
        ("description: Uma", "descricao: Uma", 3, "description"),
        ("Uma descrição com tamanho suficiente para um buscador mostrar inteira.", "Curta.", 3, "6 caracteres"),
        ("workload: treinamento", "workload: a: b", 4, "aspas"),
        ("workload: treinamento", "\tworkload: x", 4, "tabulaç"),
    ],
)
def test_a_wrong_front_matter_is_told_with_its_line(old, new, line, part):
    _, problems = front_matter.read(GOOD.replace(old, new), "content/x.md")
    assert any(problem.line == line and part in str(problem) for problem in problems), list(map(str, problems))


def test_a_page_without_front_matter_is_a_problem():
    _, problems = front_matter.read("# Guia\n", "content/x.md")
    assert [problem.found for problem in problems] == ["página sem cabeçalho"]


def test_a_missing_title_is_a_problem():
    _, problems = front_matter.read(GOOD.replace("title:", "# title:"), "content/x.md")
    assert any("title" in problem.found for problem in problems)
