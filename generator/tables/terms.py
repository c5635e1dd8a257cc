"""`data/terminologia.csv`: how each concept is said in Brazilian Portuguese, and the forms to avoid."""

from __future__ import annotations

import re

from generator import cells
from generator.model import AvoidedForm, Term
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records

COLUMNS = ("en", "pt_br", "avoid", "note")
_AVOIDED = re.compile(r"(?P<form>[^()]+?)(?: \((?P<when>[^()]+)\))?")


def parse_terms(text: str, path: str) -> tuple[tuple[Term, ...], list[Problem]]:
    """Return the terms in the order of the file."""
    records, problems = csv_records(text, path, COLUMNS)
    terms, more = build_keyed(records, _term, lambda term: term.english, "en")
    return tuple(terms.values()), problems + more


def _term(row: Record) -> Term:
    return Term(
        english=row.need("en", cells.text),
        preferred=row.need("pt_br", _forms),
        avoid=row.maybe("avoid", _avoided, ()),
        note=row.maybe("note", cells.text, ""),
    )


def _forms(raw: object) -> tuple[str, ...]:
    """Return the forms of a cell that separates them with `; `."""
    forms = tuple(cells.text(raw).split("; "))
    if not all(form and form == form.strip() and ";" not in form for form in forms):
        raise cells.RefusedError(f"«{raw}»", "formas separadas por ponto e vírgula e um espaço", "acerte a pontuação")
    return forms


def _avoided(raw: object) -> tuple[AvoidedForm, ...]:
    return tuple(_avoided_form(form) for form in _forms(raw))


def _avoided_form(form: str) -> AvoidedForm:
    found = _AVOIDED.fullmatch(form)
    if not found:
        raise cells.RefusedError(f"«{form}»", "forma seguida, se preciso, de (quando evitar)", "acerte os parênteses")
    return AvoidedForm(found["form"], found["when"] or "")
