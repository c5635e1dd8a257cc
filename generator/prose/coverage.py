"""What a guide promises (`data/pauta.yml`), tied to the paragraphs that keep the promise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from generator.problems import did_you_mean
from generator.prose.document import Document
from generator.prose.rule import Finding, Project
from generator.prose.words import words
from generator.tables.prose import Promises

_OWN = re.compile(r"\{\{\s*(comparacao|por_que_qualifica|dimensionamento|total_de_ofertas)\(\s*[\"']([^\"']*)[\"']")
_MARK_LINE = re.compile(r"<!--[ \t]*pauta:[^\n]*-->")
_NOTHING = Promises({}, ())  # a guide may promise nothing yet
_ORIGINAL_NAME = "fine-tuning"  # once, beside the Portuguese name


def kept_promises(document: Document, project: Project) -> Iterator[Finding]:
    """Find points without a paragraph, points that nobody promised, and questions answered outside the FAQ."""
    if not document.workload:
        return
    promises = project.promises.get(document.workload, _NOTHING)
    marked = {point: mark.at for mark in document.marks if mark.kind == "pauta" for point in mark.body.split()}
    for point in promises.points.keys() - marked.keys():
        todo = f"ponha <!-- pauta: {point} --> antes do parágrafo que trata disso, ou escreva-o"
        yield Finding(0, f"ponto {point} sem parágrafo", f"«{promises.points[point]}»", todo)
    for point in marked.keys() - promises.points.keys():
        expected = f"um ponto de «{document.workload}» em data/pauta.yml"
        yield Finding(
            marked[point], f"marca de ponto desconhecido «{point}»", expected, did_you_mean(point, promises.points)
        )
    faq_at = document.questions[0].at if document.questions else len(document.text)
    for point in set(promises.questions) & marked.keys():
        if marked[point] < faq_at:
            todo = "leve a marca para a pergunta que o responde"
            yield Finding(marked[point], f"ponto {point} fora das perguntas frequentes", "uma resposta da FAQ", todo)


def marked_paragraph(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001 - the shape of a rule
    """Find marks that are not followed by a paragraph or a list."""
    blocks = [*document.blocks, (len(document.text), "")]
    for (at, block), (_, after) in pairwise(blocks):
        if "pauta:" not in block or not _MARK_LINE.search(block):
            continue
        if not _MARK_LINE.fullmatch(block):
            yield Finding(at, "marca de pauta junto de texto", "a marca sozinha, com linha em branco depois", "separe")
        elif not after or after.startswith(("#", "<!--")):
            todo = "leve a marca para logo antes do parágrafo"
            yield Finding(at, "marca de pauta sem parágrafo depois", "um parágrafo ou uma lista", todo)


def guide_shape(document: Document, project: Project) -> Iterator[Finding]:
    """Find a guide without FAQ, whose advice comes before the comparison, or that shows another guide's data."""
    if not document.workload:
        return
    if not document.questions:
        todo = "escreva ## Perguntas frequentes { #perguntas-frequentes }"
        yield Finding(0, "guia sem perguntas frequentes", "uma seção de perguntas", todo)
    own = list(_OWN.finditer(document.markup))
    for match in own:
        if match[2] in project.workloads and match[2] != document.workload:
            todo = f"troque por «{document.workload}»"
            yield Finding(match.start(), f"{match[1]} de «{match[2]}»", f"os dados de «{document.workload}»", todo)
    comparison = next((match.start() for match in own if match[1] == "comparacao"), None)
    first_mark = next((mark.at for mark in document.marks if mark.kind == "pauta"), len(document.text))
    if comparison is None or comparison > first_mark:
        todo = f'ponha {{{{ comparacao("{document.workload}") }}}} logo depois da abertura'
        yield Finding(0, "guia que não começa pela comparação", "a tabela antes do texto", todo)


def guide_length(document: Document, project: Project) -> Iterator[Finding]:
    """Find a guide too short to help or too long to read, and one that repeats the English name of its subject."""
    if not document.workload:
        return
    limits, count = project.lists.guide_words, sum(1 for _ in words(document.prose))
    if count not in limits:
        expected = f"de {limits.start} a {limits.stop - 1}"
        yield Finding(0, f"guia com {count} palavras", expected, "corte" if count >= limits.stop else "desenvolva")
    names = [m.start() for m in re.finditer(_ORIGINAL_NAME, document.prose[document.body_at :], re.IGNORECASE)]
    for at in names[1:]:
        expected = "uma menção por guia"
        yield Finding(document.body_at + at, f"«{_ORIGINAL_NAME}» outra vez", expected, "use «ajuste fino»")
