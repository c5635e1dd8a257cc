"""The reader of YAML that people edit; CON-… are cases of the project's list of real defects."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.strict_yaml import read_yaml
from generator.text_files import decode

VALID = [
    (
        "CON-03 countries and tags stay text",
        "pais: NO\ntags: [sim, no, on, y, off]\n",
        {"pais": "NO", "tags": ["sim", "no", "on", "y", "off"]},
    ),
    (
        "only true and false are booleans",
        "a: true\nb: False\nc: 'true'\nd: sim\n",
        {"a": True, "b": False, "c": "true", "d": "sim"},
    ),
    ("CON-04 versions keep their zero", "cuda: 12.10\ndriver: 550.90\n", {"cuda": "12.10", "driver": "550.90"}),
    ("CON-05 hours are all alike", "a: 12:30\nb: 09:30\n", {"a": "12:30", "b": "09:30"}),
    (
        "codes that look like numbers",
        "a: 0012\nb: 1e3\nc: 2025-1\nd: 0o17\ne: 1_000\n",
        {"a": "0012", "b": "1e3", "c": "2025-1", "d": "0o17", "e": "1_000"},
    ),
    ("CON-07 a title that looks like a date", "title: 2025-02-03\n", {"title": "2025-02-03"}),
    ("unknown in its four spellings", "a:\nb: ~\nc: null\nd: ''\n", {"a": None, "b": None, "c": None, "d": ""}),
    (
        "words that mean nothing to YAML 1.2",
        "a: NA\nb: None\nc: n/a\nd: nan\n",
        {"a": "NA", "b": "None", "c": "n/a", "d": "nan"},
    ),
    ("keys are text", "8: a\nno: b\n2025-02-03: c\n", {"8": "a", "no": "b", "2025-02-03": "c"}),
    ("block text", "a: |\n  x: 1\n  # y\n", {"a": "x: 1\n# y\n"}),
    ("merge is a key like any other", "'<<': 1\n", {"<<": "1"}),
    ("nothing at all", "", None),
    ("only a comment", "# nada\n", None),
]


@pytest.mark.parametrize(("text", "value"), [case[1:] for case in VALID], ids=[case[0] for case in VALID])
def test_plain_values_are_what_was_typed(text, value):
    document, problems = read_yaml(text, "x.yml")
    assert problems == []
    assert document.value == value


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_con_06_byte_order_mark_and_line_ends_change_nothing(bom, line_end, last):
    text = bom + "a: 1\nb:\n  - é\n  - dois: x".replace("\n", line_end) + last
    document, problems = read_yaml(text, "x.yml")
    assert (document.value, problems) == ({"a": "1", "b": ["é", {"dois": "x"}]}, [])
    assert document.at("b", 1, "dois") == (4, 11)


BROKEN = [
    # text, line, column, part of the message
    ("title: GPU: guia completo\n", 1, 11, "entre aspas"),
    ("title: 'LoRA' ou QLoRA?\n", 1, 15, "entre aspas"),
    ('title: "LoRA" ou QLoRA?\n', 1, 15, "entre aspas"),
    ("a: 1\nresposta: @todos\n", 2, 11, "entre aspas"),
    ("a: `x`\n", 1, 4, "entre aspas"),
    ("a: *x\n", 1, 4, "entre aspas"),
    ("a: ,x\n", 1, 4, "entre aspas"),
    ("faq:\n\t- x\n", 2, 1, "tabulação por espaços"),
    ("a: 1\n  \tb: 2\n", 2, 5, "tabulação por espaços"),
    ("a: x\n\tb: y\n", 2, 1, "tabulação por espaços"),
    ("a: 'x\nb: 1\n", 1, 4, "feche as aspas"),
    ("z: 1\na: [1, 2\nb: 3\n", 2, 4, "feche com ]"),
    ("a: {b: 1\nc: 2", 1, 4, "feche com }"),
    ("a: 1\nb\nc: 2\n", 2, 1, "chave: valor"),
    ("a:1\nb: 2\n", 2, 2, "linha anterior"),
    ("a: 1\n b: 2\n", 2, 3, "alinhe"),
    ("a:\n  - 1\n b: 2\n", 3, 2, "alinhe"),
    ("- a\nb: 1\n", 2, 1, "- "),
    ("a: - b\n", 1, 4, "quebre a linha"),
    ("a: |x\n  b\n", 1, 5, "quebre a linha"),
    ("--- a\n--- b\n", 2, 1, "---"),
    ('a: "\\d"\n', 1, 5, "aspas simples"),
    ("a: x\nb: y\x07\n", 2, 5, "controle"),
    ("a: x\x00\n", 1, 5, "controle"),
    ("[" * 5000, 1, 1001, "níveis"),
    ("%YAML 9.9\n---\na: 1\n", 1, 1, "YAML"),
    ("a: !foo x\n", 1, 4, "etiqueta"),
    ("a: !!python/object/apply:os.system [x]\n", 1, 4, "etiqueta"),
    ("a: &x [1]\nb: *x\n", 1, 4, "âncora"),
    ("a: &x\n  b: *x\n", 1, 4, "âncora"),
    ("? [1]\n: 2\n", 1, 3, "chave de texto"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), BROKEN)
def test_con_07_broken_form_is_one_problem_with_place_and_remedy(text, line, column, words):
    _, problems = read_yaml(text, "guia.md")
    assert [(problem.path, problem.line, problem.column) for problem in problems] == [("guia.md", line, column)]
    assert words in str(problems[0])


def test_con_02_repeated_key_names_both_lines_and_the_rest_is_still_read():
    text = "faq:\n  - pergunta: Qual?\n    resposta: A.\n    resposta: B.\nb: 1\nb: 2\n"
    document, problems = read_yaml(text, "guia.md")
    assert [(problem.line, problem.column) for problem in problems] == [(4, 5), (6, 1)]
    assert "«resposta» repetida nas linhas 3 e 4" in problems[0].found
    assert document.value == {"faq": [{"pergunta": "Qual?", "resposta": "A."}], "b": "1"}


def test_lines_of_front_matter_are_those_of_the_page():
    document, problems = read_yaml("title: x\ntitle: y\n", "guia.md", first_line=2)
    assert problems[0].line == 3
    assert "linhas 2 e 3" in problems[0].found
    assert document.at_key("title") == (2, 1)
    assert read_yaml("a: @x", "guia.md", first_line=2)[1][0].line == 2


def test_every_value_knows_its_place():
    document, _ = read_yaml("ofertas:\n  - gpu: l4\n    preço: 0.5\n  - {gpu: t4}\n", "x.yml")
    assert document.at("ofertas", 0, "preço") == (3, 12)
    assert document.at_key("ofertas", 0, "preço") == (3, 5)
    assert document.at("ofertas", 1, "gpu") == (4, 11)
    assert document.at("ofertas", 1, "falta") == (4, 5)
    assert document.at_key("ofertas", 1, "falta") == (4, 5)
    assert document.at("ofertas", 7) == (2, 3)


@given(st.text())
def test_any_text_is_read_or_explained(text):
    document, problems = read_yaml(text, "x.yml")
    assert document.path == "x.yml"
    assert all(problem.line >= 1 and problem.found and problem.todo for problem in problems)


@given(
    st.dictionaries(st.text("abcé", min_size=1), st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"])))
)
def test_quoted_text_comes_back_unchanged(values):
    text = "".join(f"{key}: '{value.replace(chr(39), chr(39) * 2)}'\n" for key, value in values.items())
    assert read_yaml(text, "x.yml")[0].value == (values or None)


def test_a_megabyte_is_read_quickly():
    text = "".join(
        f"- id: oferta-{number}\n  gpu: h100-sxm\n  price_hour: 2.10\n  note: uma nota comum\n"
        for number in range(14_000)
    )
    started = time.process_time()
    document, problems = read_yaml(text, "x.yml")
    assert len(text) > 1_000_000
    assert (len(document.value), problems) == (14_000, [])
    assert time.process_time() - started < 6  # about one second with the C parser, twenty without


@pytest.mark.parametrize(
    ("payload", "text", "place"),
    [
        ("é".encode(), "é", None),
        (b"\xef\xbb\xbfa\r\n", "a\r\n", None),
        ("a\nção é".encode("latin-1"), "", (2, 1)),
        ("é\n".encode() + "éá\xe9".encode()[:-1], "", (2, 3)),
        ("a".encode("utf-16"), "", (1, 1)),
    ],
)
def test_text_is_utf_8_or_says_where_it_is_not(payload, text, place):
    found, problems = decode(payload, "x.csv")
    assert found == text
    assert [(problem.line, problem.column) for problem in problems] == ([place] if place else [])
