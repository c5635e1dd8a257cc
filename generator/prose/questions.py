"""Frequently asked questions: each asked once, and answered from the first word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from generator.prose.document import Document
from generator.prose.rule import Finding, Project


def question_form(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001 - the shape of a rule
    """Find questions without a question mark, without a `faq-` id, or without an answer."""
    for question in document.questions:
        if not question.text.endswith("?"):
            yield Finding(question.at, f"pergunta «{question.text}»", "uma pergunta que termina em «?»", "reescreva")
        if question.id and not question.id.startswith("faq-"):
            todo = f"troque por #faq-{question.id}"
            yield Finding(question.at, f"âncora «#{question.id}» de pergunta", "âncora que começa por faq-", todo)
        if not question.answer:
            yield Finding(question.at, f"pergunta «{question.text}» sem resposta", "um parágrafo", "escreva a resposta")


def late_answer(document: Document, project: Project) -> Iterator[Finding]:
    """Find answers that begin with something else: a search engine shows only the beginning."""
    weak = tuple(project.lists.words["weak_openings"])
    for question in document.questions:
        opening = next((w for w in weak if re.match(rf"{re.escape(w)}(?!\w)", question.answer, re.IGNORECASE)), None)
        first = re.split(r"(?<=[.!?])\s", question.answer, maxsplit=1)[0]
        if opening or first.endswith("?"):
            found = f"resposta que começa por «{opening or first}»"
            todo = "ponha a resposta na primeira frase e a explicação depois"
            yield Finding(question.answer_at, found, "resposta que começa pela resposta", todo)


def repeated_question(document: Document, project: Project) -> Iterator[Finding]:
    """Find a question that another page, or this one, already asks in the same words."""
    earlier: dict[str, str] = {}
    for other in project.documents:
        for question in other.questions:
            words = _key(question.text)
            if words in earlier and other.path == document.path:
                todo = "junte as respostas, ou pergunte o que é próprio deste guia"
                found = f"pergunta «{question.text}» repetida (já em content/{earlier[words]})"
                yield Finding(question.at, found, "cada pergunta num guia só", todo)
            earlier.setdefault(words, other.path)


def _key(text: str) -> str:
    """Return the words of a question without accents, capitals and signs."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return " ".join(re.findall(r"[a-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c))))
