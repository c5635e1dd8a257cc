"""Structured data mirrors the visible page and can never break out of its script element."""

import json

import pytest

from generator.pages import structured
from generator.pages.markdown import ShortcodeExtension, renderer
from generator.pages.shortcodes import Evaluator

PAGE = """# Guia

## Antes { #antes }

### Não é pergunta { #nao }

Texto.

## Perguntas frequentes { #perguntas-frequentes }

### O que faz `</script><script>alert(1)</script>`? { #faq-script }

Nada: é **só texto** & "aspas".

- um item
- outro

### Cabe em 24 GB? { #faq-cabe }

Cabe.

## Depois { #depois }

### Também não { #tambem }

Fim.
"""


def _html(text: str) -> str:
    return renderer(ShortcodeExtension(Evaluator([]))).convert(text)


def test_only_the_questions_of_the_faq_are_taken_each_with_its_anchor():
    found = structured.questions(_html(PAGE))
    assert [q.anchor for q in found] == ["faq-script", "faq-cabe"]
    assert found[0].question == "O que faz </script><script>alert(1)</script>?"
    assert found[0].answer == 'Nada: é só texto & "aspas". um item outro'
    assert found[1].answer == "Cabe."


def test_a_page_without_faq_has_no_questions():
    assert structured.questions(_html("# Guia\n\n## Outra { #outra }\n\nTexto.")) == []


def test_json_ld_cannot_close_its_script_element_and_reads_back_identical():
    found = structured.questions(_html(PAGE))
    text = structured.json_ld(structured.faq_page(found))
    assert "<" not in text
    data = json.loads(text)
    assert data["@type"] == "FAQPage"
    assert data["mainEntity"][0]["name"] == found[0].question
    assert data["mainEntity"][0]["acceptedAnswer"]["text"] == found[0].answer


def test_not_a_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        structured.json_ld({"price": float("nan")})


def test_an_article_names_its_page_only_when_the_site_knows_its_address():
    assert "mainEntityOfPage" not in structured.article("T", "D", "2026-11-30", "")
    assert structured.article("T", "D", "2026-11-30", "https://x.example/")["mainEntityOfPage"] == "https://x.example/"
