"""Who sells (`data/providers.csv`), what the guides ask (`data/provider_fields.yml`), what is known (`…_facts.csv`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from generator import cells
from generator.model import Fact, Provider, ProviderField
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records, yaml_record
from generator.tables.vocabularies import Vocabularies

PROVIDER_COLUMNS = ("id", "name", "kind", "url", "headquarters", "source", "source_date")
FACT_COLUMNS = ("provider", "field", *(field.name for field in fields(Fact)))
KINDS = ("choice", "set", "number")


def parse_providers(text: str, path: str, vocabularies: Vocabularies) -> tuple[dict[str, Provider], list[Problem]]:
    """Return the providers by id, still without facts."""
    records, problems = csv_records(text, path, PROVIDER_COLUMNS)
    providers, more = build_keyed(records, lambda row: _provider(row, vocabularies), lambda provider: provider.id)
    return providers, problems + more


def parse_provider_fields(text: str, path: str) -> tuple[dict[str, ProviderField], list[Problem]]:
    """Return the questions the guides ask, by id, in the order of the file."""
    root = yaml_record(text, path)
    found = {name: _field(name, root.child(name)) for name in root.keys}
    return found, root.problems


def parse_provider_facts(
    text: str,
    path: str,
    providers: Mapping[str, Provider],
    questions: Mapping[str, ProviderField],
    vocabularies: Vocabularies,
) -> tuple[dict[str, Provider], list[Problem]]:
    """Return the providers with their facts; a question without a row, or with an empty text, is unknown."""
    records, problems = csv_records(text, path, FACT_COLUMNS)

    def make(row: Record) -> tuple[str, str, Fact]:
        provider = row.need("provider", cells.one_of(providers))
        question = row.need("field", cells.one_of(questions))
        return provider, question, _fact(row, questions.get(question), vocabularies["evidence"])

    rows, more = build_keyed(records, make, lambda row: row[:2], "field")
    facts: dict[str, dict[str, Fact]] = {id_: {} for id_ in providers}
    for provider, question, fact in rows.values():
        facts[provider][question] = fact
    return {id_: replace(each, facts=facts[id_]) for id_, each in providers.items()}, problems + more


def _provider(row: Record, vocabularies: Vocabularies) -> Provider:
    return Provider(
        id=row.need("id", cells.identifier),
        name=row.need("name", cells.text),
        kind=row.need("kind", cells.one_of(vocabularies["provider_kind"])),
        url=row.need("url", cells.https_url),
        headquarters=row.maybe("headquarters", cells.country, ""),
        source=row.need("source", cells.text),
        source_date=row.need("source_date", cells.day),
    )


def _field(name: str, entry: Record) -> ProviderField:
    kind = entry.need("kind", cells.one_of(KINDS))
    values = entry.child("values")
    return ProviderField(
        id=name,
        label=entry.need("label", cells.text),
        kind=kind,
        unit=entry.need("unit", cells.text) if kind == "number" else "",
        values={code: values.need(code, cells.text) for code in values.keys},
        question=entry.need("question", cells.text),
    )


def _fact(row: Record, question: ProviderField | None, evidence: Mapping[str, str]) -> Fact:
    fact = Fact(
        value=row.maybe("value", _value_of(question) if question else cells.text, ""),
        text=row.maybe("text", cells.sentence, ""),
        source=row.maybe("source", cells.text, ""),
        source_date=row.maybe("source_date", cells.day),
        evidence=row.maybe("evidence", cells.one_of(evidence), ""),
        notes=row.maybe("notes", cells.text, ""),
    )
    if not row.problems:
        _hold_together(row, fact)
    return fact


def _hold_together(row: Record, fact: Fact) -> None:
    """Note a fact without source, or any part of a fact where the fact itself is unknown."""
    if fact.text:
        for name in ("source", "evidence"):
            if not getattr(fact, name):
                row.note(name, f"fato sem «{name}»", "todo fato com a fonte lida e o tipo de prova", "preencha o campo")
        return
    for name in ("value", "source", "source_date", "evidence"):
        if getattr(fact, name):
            row.note("text", f"«{name}» sem «text»", "a frase que o leitor vê", f"escreva a frase ou apague «{name}»")
    if not any((fact.value, fact.source, fact.evidence, fact.notes)):
        row.note("text", "linha sem fato e sem nota", "um fato com fonte, ou o porquê de não haver", "apague a linha")


def _value_of(question: ProviderField) -> cells.Cell[str]:
    """Return the cell for the canonical value of a field, which stays text as typed."""
    if question.kind == "set":
        return lambda raw: ";".join(cells.set_of(question.values)(raw))
    code = cells.one_of(question.values)
    if question.kind == "choice":
        return code

    def number_or_code(raw: object) -> str:
        if cells.text(raw)[:1].isalpha():
            return code(raw)
        cells.not_negative(raw)
        return str(raw)

    return number_or_code
