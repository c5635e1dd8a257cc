"""What the YAML parser complains about, said so that an editor knows what to do."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from generator.problems import Problem

_QUOTE = "ponha o valor entre aspas"
_INDENT = "alinhe com as linhas vizinhas, usando só espaços"


class _Hint(NamedTuple):
    """What was found, what was expected and what to do about one kind of mistake."""

    found: str
    expected: str
    todo: str
    where_it_began: bool = False  # the opening quote or bracket is the line to look at, not the end of the file


_TAB = _Hint("tabulação no recuo", "recuo feito de espaços", "troque a tabulação por espaços")
_COLON = _Hint("dois-pontos seguidos de espaço dentro do valor", "texto que o YAML não confunda com estrutura", _QUOTE)
_AFTER_QUOTE = _Hint("texto depois das aspas que fecham", "aspas em volta do valor inteiro", _QUOTE)
_MISPLACED = _Hint("linha fora do lugar", "mesmo recuo e mesma forma das linhas vizinhas", _INDENT)
_NO_COLON = _Hint(
    "chave onde não cabe uma", "linha anterior no formato «chave: valor»", "confira a linha anterior e o recuo"
)
_CONTROL = _Hint("caractere de controle invisível", "texto comum", "apague o caractere e digite o trecho de novo")
_UNKNOWN = _Hint("YAML que não se entende", "«chave: valor», com recuo de espaços", "compare com as linhas vizinhas")

# Part of the parser's message → what it means for an editor.
_HINTS = {
    "cannot start any token": _Hint(
        "valor que começa com sinal reservado (@, ` ou %)", "texto que o YAML não confunda com estrutura", _QUOTE
    ),
    "tab character": _TAB,
    "control characters": _CONTROL,
    "unexpected end of stream": _Hint("aspas abertas e não fechadas", "aspas em par", "feche as aspas", True),
    "expected ':'": _Hint("linha sem «chave: valor»", "dois-pontos e espaço depois da chave", "complete a linha", True),
    "expected ',' or ']'": _Hint("colchete aberto e não fechado", "lista no formato [a, b]", "feche com ]", True),
    "expected ',' or '}'": _Hint("chave { aberta e não fechada", "mapa no formato {a: b}", "feche com }", True),
    "undefined alias": _Hint("valor que começa com *", "texto que o YAML não confunda com estrutura", _QUOTE),
    "another document": _Hint("segunda linha «---»", "um só documento", "apague a linha «---» que sobra"),
    "unknown escape": _Hint(
        "barra invertida entre aspas duplas", "aspas simples", "troque as aspas duplas por simples"
    ),
    "entries are not allowed": _Hint(
        "«- » na mesma linha da chave", "lista a partir da linha de baixo", "quebre a linha"
    ),
    "comment or line break": _Hint("texto logo depois de | ou >", "texto a partir da linha de baixo", "quebre a linha"),
    "expected node content": _Hint(
        "vírgula, ] ou } fora do lugar", "texto que o YAML não confunda com estrutura", _QUOTE
    ),
    "expected '-' indicator": _Hint("chave no meio de uma lista", "linhas que começam todas com «- »", _INDENT),
    "nesting depth": _Hint("listas dentro de listas sem fim", "poucos níveis", "confira colchetes e chaves abertos"),
}


def explain(error: Exception, text: str, path: str, first_line: int) -> Problem:
    """Return the one problem that stopped the parser, at the line a person should look at."""
    message, place, began = _parts(error, text)
    rows = text.split("\n")
    row = rows[place[0]] if place[0] < len(rows) else ""
    hint = _hint(message, row, rows[place[0] - 1] if place[0] else "", place[1])
    line, column = began if hint.where_it_began else place
    return Problem(path, line + first_line, column + 1, hint.found, hint.expected, hint.todo)


def _parts(error: Exception, text: str) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """Return the message, and from 0 the line and column of the trouble and of where it began."""
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position]
        place = before.count("\n"), len(before) - before.rfind("\n") - 1
        return error.reason, place, place
    mark, began = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    place = (mark.line, mark.column) if mark else (0, 0)
    return str(getattr(error, "problem", "")), place, (began.line, began.column) if began else place


def _hint(message: str, row: str, previous: str, column: int) -> _Hint:
    before = row[:column].rstrip()
    if "\t" in row[: len(row) - len(row.lstrip())]:
        return _TAB
    if "mapping values are not allowed" in message:
        return _COLON if ": " in before else _MISPLACED if ": " in previous else _NO_COLON
    if "expected key" in message:
        return _AFTER_QUOTE if before.endswith(("'", '"')) else _MISPLACED
    return next((hint for part, hint in _HINTS.items() if part in message), _UNKNOWN)
