"""Typed fields of rows and mappings, and what an editor is told when one is wrong."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest

from generator import cells
from generator.records import build, build_keyed, csv_records, yaml_record

ACCEPTED = [
    (cells.number, "2.49", 2.49),
    (cells.number, "12.10", 12.1),
    (cells.number, "-0.5", -0.5),
    (cells.decimal, "5.0007", Decimal("5.0007")),
    (cells.positive, "0.0025", 0.0025),
    (cells.not_negative, "0", 0.0),
    (cells.integer, "2025", 2025),
    (cells.day, "2025-02-03", date(2025, 2, 3)),
    (cells.day, "2024-02-29", date(2024, 2, 29)),
    (cells.boolean, True, True),
    (cells.boolean, "false", False),
    (cells.text, "NVLink|PCIe", "NVLink|PCIe"),
    (cells.identifier, "rtx-pro-6000-ws", "rtx-pro-6000-ws"),
    (cells.identifier, "g1.4x", "g1.4x"),
    (cells.https_url, "https://vast.ai/pricing?a=b#c", "https://vast.ai/pricing?a=b#c"),
    (cells.country, "NO", "NO"),
    (cells.country, "NA", "NA"),
    (cells.one_of(["gpu", "tpu"]), "tpu", "tpu"),
    (cells.set_of(["ssh", "docker", "jupyter"]), "ssh;jupyter", ("ssh", "jupyter")),
    (cells.list_of(cells.integer), ["1", "2"], (1, 2)),
]


@pytest.mark.parametrize(("cell", "raw", "value"), ACCEPTED)
def test_a_well_written_value_gets_its_type(cell, raw, value):
    assert cell(raw) == value
    assert type(cell(raw)) is type(value)


REFUSED = [
    # LOC-04, NOR-08: no reading is more permissive than what was agreed
    (cells.number, "2,49", "ponto"),
    (cells.number, "1.234,56", "milhar"),
    (cells.number, "1,234.56", "milhar"),
    (cells.number, "1 575.00", "algarismos"),
    (cells.number, "1e3", "algarismos"),
    (cells.number, "0012", "algarismos"),
    (cells.number, "+1", "algarismos"),
    (cells.number, ".5", "algarismos"),
    (cells.number, "1.", "algarismos"),
    (cells.number, "1_000", "algarismos"),
    (cells.number, "nan", "algarismos"),
    (cells.number, "inf", "algarismos"),
    (cells.number, "٣", "algarismos"),
    (cells.number, "US$ 2.49", "algarismos"),
    (cells.number, True, "entre aspas"),
    (cells.number, ["1"], "lista"),
    (cells.positive, "0", "vazio se não se sabe"),
    (cells.positive, "-1", "maior que zero"),
    (cells.not_negative, "-1", "sinal"),
    (cells.integer, "1.5", "inteiro"),
    # CON-01, CON-08, LOC-07
    (cells.day, "2025-02-30", "não existe"),
    (cells.day, "2025-2-3", "AAAA-MM-DD"),
    (cells.day, "03/02/2025", "AAAA-MM-DD"),
    (cells.day, "2025-10-XX", "AAAA-MM-DD"),
    (cells.day, "2025-02-03T10:00:00Z", "AAAA-MM-DD"),
    (cells.day, "20250203", "AAAA-MM-DD"),
    # CON-03
    (cells.boolean, "sim", "true para sim"),
    (cells.boolean, "não", "true para sim"),
    (cells.boolean, "True", "true para sim"),
    (cells.boolean, "1", "true para sim"),
    (cells.country, "no", "maiúsculas"),
    (cells.country, "Brasil", "maiúsculas"),
    (cells.country, False, "entre aspas"),
    (cells.text, " H100", "espaço"),
    (cells.text, "H100\u00a0", "espaço"),
    (cells.text, {"a": "b"}, "mapa"),
    (cells.identifier, "H100-SXM", "minúsculas"),
    (cells.identifier, "ação", "minúsculas"),
    (cells.identifier, "a--b", "minúsculas"),
    # REN-07
    (cells.https_url, "http://vast.ai", "https://"),
    (cells.https_url, "javascript:alert(1)", "https://"),
    (cells.https_url, "https:///x", "https://"),
    (cells.https_url, "https://vast.ai/a b", "https://"),
    (cells.https_url, "https://[x", "https://"),
    (cells.https_url, "vast.ai", "https://"),
    (cells.one_of(["hyperscaler", "neocloud"]), "neoclound", "«neocloud»"),
    (cells.one_of(["hyperscaler", "neocloud"]), "xyz", "hyperscaler, neocloud"),
    (cells.set_of(["ssh", "docker"]), "ssh;ssh", "repetido"),
    (cells.set_of(["ssh", "docker"]), "ssh; docker", "espaço"),
    (cells.set_of(["ssh", "docker"]), "ssh;", "docker, ssh"),
    (cells.list_of(cells.integer), "1", "lista"),
]


@pytest.mark.parametrize(("cell", "raw", "words"), REFUSED)
def test_anything_else_is_refused_with_a_remedy(cell, raw, words):
    with pytest.raises(cells.RefusedError) as refused:
        cell(raw)
    assert words in f"{refused.value.found} — {refused.value.expected} — {refused.value.todo}"


@dataclass
class Card:
    id: str
    memory_gb: float
    year: int | None


def a_card(record):
    return Card(
        record.need("id", cells.identifier),
        record.need("memory_gb", cells.positive),
        record.maybe("year", cells.integer),
    )


def read_cards(text):
    records, problems = csv_records(text, "gpus.csv", ["id", "memory_gb", "year"])
    cards, more = build_keyed(records, a_card, lambda card: card.id)
    return cards, problems + more


def test_good_rows_are_read_and_all_problems_of_the_others_are_told_at_once():
    cards, problems = read_cards('id,memory_gb,year\nl4,24,2023\nT4,"16,0",20x\nl40,,\nl4,25,\n')
    assert cards == {"l4": Card("l4", 24.0, 2023)}
    assert [(problem.line, problem.column) for problem in problems] == [(3, 1), (3, 4), (3, 11), (4, 5), (5, 1)]
    assert "l4 repetido (já na linha 2)" in problems[-1].found


def test_rows_without_shape_do_not_take_the_others_with_them():
    cards, problems = read_cards("id,memory_gb,year\nl4,24,2023,\nt4,16,2018\n")
    assert list(cards) == ["t4"]
    assert len(problems) == 1


NESTED = """\
fonte: Página de preços
data: 2026-05-24
ofertas:
  - {id: l4, memory_gb: 24}
  - id: t4
    memory_gb: "16"
    yaer: 2018
  - l40
  - id: a2
    memory_gb: 2,5
extra: {b: 1}
limites:
  minimo: 0.1
"""


def test_nested_yaml_keeps_the_good_items_and_places_every_problem():
    root = yaml_record(NESTED, "ofertas.yml")
    assert root.need("data", cells.day) == date(2026, 5, 24)
    assert root.need("fonte", cells.text) == "Página de preços"
    assert root.child("limites").need("minimo", cells.positive) == 0.1
    cards, problems = build(root.children("ofertas"), a_card)
    assert [card.id for card in cards] == ["l4"]
    assert [(problem.line, problem.column) for problem in problems] == [(7, 5), (8, 5), (10, 16)]
    assert "troque por «year»" in problems[0].todo
    assert [problem.line for problem in sorted(root.problems)] == [7, 8, 10, 11]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "mapa de chaves"),
        ("- a\n", "mapa de chaves"),
        ("a: @x\n", "entre aspas"),
        ("ofertas: x\n", "lista"),
        ("ofertas:\n  id: l4\n", "lista"),
    ],
)
def test_a_file_of_another_shape_is_one_problem(text, words):
    root = yaml_record(text, "x.yml")
    assert build(root.children("ofertas"), a_card) == ([], [])
    root.need("ofertas", cells.list_of(dict))
    assert words in str(root.problems[0])
    assert len(set(root.problems)) == 1 or text.startswith("ofertas")


def test_a_list_points_at_its_wrong_item():
    root = yaml_record("tags:\n  - a\n  - no\n  - sim\nlogico: [true]\n", "x.yml")
    assert root.need("tags", cells.list_of(cells.text)) == ("a", "no", "sim")
    root.need("logico", cells.list_of(cells.text))
    assert [(problem.line, problem.column) for problem in root.problems] == [(5, 10)]
