"""The reader of CSV that people edit."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.strict_csv import read_csv

COLUMNS = ("pais", "regiao", "usd_hora")
CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from(',"\n'), max_size=8)


def test_nor_01_na_is_text_and_only_the_empty_cell_is_unknown():
    table, problems = read_csv("pais,regiao,usd_hora\nNA,windhoek-1,1.50\nUS,NA,\nnull,None,n/a\n", "x.csv", COLUMNS)
    assert problems == []
    assert [tuple(row.values()) for row in table.rows] == [
        ("NA", "windhoek-1", "1.50"),
        ("US", "NA", ""),
        ("null", "None", "n/a"),
    ]


def test_nor_14_codes_that_look_like_numbers_stay_as_typed():
    table, _ = read_csv("sku\n0012\n1e3\n2025-1\n12.10\n", "x.csv", ["sku"])
    assert [row["sku"] for row in table.rows] == ["0012", "1e3", "2025-1", "12.10"]


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_con_06_byte_order_mark_line_ends_and_column_order_change_nothing(bom, line_end, last):
    text = bom + ('usd_hora,pais,regiao\n1.50,NA,"a,\nb"\n\n2.10,BR,x' + last).replace("\n", line_end)
    table, problems = read_csv(text, "x.csv", COLUMNS)
    assert problems == []
    assert table.rows[0] == {"pais": "NA", "regiao": f"a,{line_end}b", "usd_hora": "1.50"}
    assert table.lines == (2, 5)
    assert table.at(1, "regiao") == (5, 9)
    assert table.at(0, "regiao") == (2, 9)


BROKEN = [
    ("", 0, "cabeçalho"),
    ("pais;regiao;usd_hora\nBR;x;1\n", 1, "vírgulas"),
    ("pais,regiao\nBR,x\n", 1, "falta a coluna «usd_hora»"),
    ("pais,regiao,usd_hora,nota\nBR,x,1,y\n", 1, "coluna desconhecida «nota»"),
    ("pais,região,usd_hora\nBR,x,1\n", 1, "troque por «regiao»"),
    ("pais,pais,regiao,usd_hora\nBR,BR,x,1\n", 1, "coluna «pais» repetida"),
    ("pais,regiao,usd_hora\nBR,x,1,\nUS,y,2\n", 2, "4 células"),
    ("pais,regiao,usd_hora\nUS,y,2\nBR,x\n", 3, "2 células"),
    ("pais,regiao,usd_hora\nUS,y,2,49\n", 2, "entre aspas"),
    ('pais,regiao,usd_hora\nUS,"y"z,2\n', 2, "aspas"),
    ('pais,regiao,usd_hora\nUS,"y,2\nBR,x,1\n', 2, "aspas"),
]


@pytest.mark.parametrize(("text", "line", "words"), BROKEN)
def test_broken_form_is_reported_with_its_line(text, line, words):
    _, problems = read_csv(text, "x.csv", COLUMNS)
    assert [(problem.path, problem.line) for problem in problems] == [("x.csv", line)]
    assert words in str(problems[0])


def test_a_trailing_comma_leaves_out_its_own_row_and_shifts_nothing():
    table, problems = read_csv("pais,regiao,usd_hora\nBR,x,1,\nUS,y,2\n", "x.csv", COLUMNS)
    assert table.rows == ({"pais": "US", "regiao": "y", "usd_hora": "2"},)
    assert len(problems) == 1


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_what_a_csv_writer_wrote_is_read_back_and_each_cell_is_found(rows):
    rows = [row for row in rows if any(row)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("a", "b"), *rows])
    table, problems = read_csv(out.getvalue(), "x.csv", ["a", "b"])
    assert problems == []
    assert [tuple(row.values()) for row in table.rows] == rows
    lines = out.getvalue().split("\n")
    for number, row in enumerate(rows):
        line, column = table.at(number, "b")
        assert lines[line - 1][column - 2] == ","
        assert lines[line - 1][column - 1 :].lstrip('"').startswith(row[1].split("\n")[0].split('"')[0])
