"""Every rule of prose, and the lines that are allowed to break one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.problems import Problem, did_you_mean
from generator.prose import coverage, prices, questions, structure, words
from generator.prose.document import Document, Mark
from generator.prose.rule import Project, Rule

RULES = (
    Rule("preco-digitado", "Nenhum preço digitado, nem por extenso", prices.typed_price),
    Rule("estoque-digitado", "Nenhuma promessa de disponibilidade", prices.typed_stock),
    Rule("contagem-digitada", "Contagem de ofertas e provedores só por shortcode", prices.typed_count),
    Rule("fato-digitado", "Memória e velocidade de uma GPU só por shortcode", prices.typed_fact),
    Rule("termo", "Os termos de data/terminologia.csv, em português do Brasil", words.wrong_term),
    Rule("ortografia", "Palavras do dicionário ou de data/palavras.txt", words.misspelled),
    Rule("acento", "Acento nas palavras que também existem sem ele", words.missing_accent),
    Rule("palavra-repetida", "Nenhuma palavra digitada duas vezes", words.repeated_word),
    Rule("titulos", "Um título por página, e níveis que descem um de cada vez", structure.heading_order),
    Rule("ancora", "Âncora explícita e única em cada título", structure.explicit_id),
    Rule("texto-alternativo", "Toda imagem dita em palavras", structure.alternative_text),
    Rule("texto-do-link", "Link cujo texto diz aonde ele leva", structure.link_words),
    Rule("link-morto", "Link interno para página e âncora que existem", structure.dead_link),
    Rule("pergunta", "Pergunta que termina em «?», com âncora e resposta", questions.question_form),
    Rule("resposta-tardia", "Resposta que começa pela resposta", questions.late_answer),
    Rule("pergunta-repetida", "Cada pergunta num guia só", questions.repeated_question),
    Rule("pauta", "Todo ponto prometido tem um parágrafo", coverage.kept_promises),
    Rule("marca", "Marca de pauta logo antes de um parágrafo", coverage.marked_paragraph),
    Rule("guia", "Guia com os seus próprios dados, a tabela primeiro e perguntas no fim", coverage.guide_shape),
    Rule("tamanho", "Guia nem curto nem longo demais", coverage.guide_length),
)
_SILENCE = re.compile(r"(?P<rule>[\w-]+)[ \t]*(?:—|–|:)[ \t]*(?P<reason>\S.*)")


@dataclass(frozen=True, slots=True)
class _Silence:
    mark: Mark
    rule: str
    line: int


def prose_problems(project: Project) -> list[Problem]:
    """Return where the pages break a rule, and the silences that are wrong or no longer needed."""
    return [problem for document in project.documents for problem in _document_problems(document, project)]


def _document_problems(document: Document, project: Project) -> Iterator[Problem]:
    silences, problems = _silences(document)
    yield from problems
    used = set()
    for rule in RULES:
        for finding in rule.check(document, project):
            problem = document.problem(*finding, rule=rule.name)
            silence = next((s for s in silences if (s.rule, s.line) == (rule.name, problem.line)), None)
            if silence:
                used.add(silence)
            else:
                yield problem
    for silence in silences:
        if silence not in used and (silence.rule != "ortografia" or project.speller):
            found = f"silêncio de «{silence.rule}» que não é mais preciso"
            yield document.problem(silence.mark.at, found, "silêncio só onde a regra reclama", "apague o comentário")


def _silences(document: Document) -> tuple[list[_Silence], list[Problem]]:
    """Return the silences with the line each covers: its own, or the next one when it stands alone."""
    names = [rule.name for rule in RULES]
    silences, problems = [], []
    for mark in document.marks:
        if mark.kind != "silenciar":
            continue
        written = _SILENCE.fullmatch(mark.body)
        if not written:
            expected = "<!-- silenciar: regra — motivo -->"
            problems.append(document.problem(mark.at, "silêncio sem motivo", expected, "diga por que a linha pode"))
        elif written["rule"] not in names:
            found, todo = f"silêncio da regra desconhecida «{written['rule']}»", did_you_mean(written["rule"], names)
            problems.append(document.problem(mark.at, found, "o nome de uma regra", todo))
        else:
            silences.append(_Silence(mark, written["rule"], _covered(document, mark)))
    return silences, problems


def _covered(document: Document, mark: Mark) -> int:
    line, _ = document.place(mark.at)
    rows = document.text.split("\n")
    if rows[line - 1].strip().startswith("<!--"):
        line += 1
        while line < len(rows) and not rows[line - 1].strip():
            line += 1
    return line
