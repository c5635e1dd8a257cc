"""Faults that only some sources can have: of CSV, of archives, of GraphQL, of exchange rates."""

import csv
import io
import json
from dataclasses import replace

import pytest
from faults import ACCEPTED, FAILURE, ROW, outcome
from faults_in_the_data import DATA, PRICES
from faults_on_the_wire import WIRE
from replay import ANSWERS, zipped

from generator.sources.patience import Limits


def edited(file, change):
    return lambda name, content: change(content) if name == file else content


def lines(change):
    return lambda content: "".join(change(content.decode().splitlines(keepends=True))).encode()


def columns(order):
    def change(content):
        rows = list(csv.reader(io.StringIO(content.decode())))
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([[row[place] for place in order(len(row))] for row in rows])
        return out.getvalue().encode()

    return change


def without_records(parsed):
    return {replace(offer, record="") for offer in parsed.offers}


ANY_ORDER = "any order"
CSV_FILES = {"gpuhunt-aws": "gpuhunt/aws.csv", "ecb": "ecb/rates.csv"}
CSV = [
    ("columns shuffled", columns(lambda n: list(reversed(range(n)))), ACCEPTED),
    ("column of the price gone", columns(lambda n: [p for p in range(n) if p not in {2, 7}]), FAILURE),
    ("column renamed", lambda c: c.replace(b"price", b"usd", 1).replace(b"OBS_VALUE", b"VALUE", 1), FAILURE),
    ("column repeated", columns(lambda n: [*range(n), 2]), FAILURE),
    ("last line cut", lambda c: c[:-25], FAILURE),
    ("no end of line at the end", lambda c: c.rstrip(b"\n"), FAILURE),
    ("cell too many", lines(lambda rows: [*rows[:2], rows[2].rstrip("\n") + ",x\n", *rows[3:]]), FAILURE),
    ("only the header", lines(lambda rows: rows[:1]), FAILURE),
    ("quote left open", lambda c: c + b'"a,b\n', FAILURE),
    ("CRLF", lambda c: c.replace(b"\n", b"\r\n"), ACCEPTED),
    ("blank lines", lambda c: c + b"\n\n", ACCEPTED),
    ("charset of the rows", lambda c: c.replace(b"east", b"\xe3st", 1).replace(b"Euro", b"\xe3uro", 1), FAILURE),
    ("rows in another order (CSV)", lines(lambda rows: [rows[0], *reversed(rows[1:])]), ANY_ORDER),
]


@pytest.mark.parametrize("case", CSV, ids=[case[0] for case in CSV])
@pytest.mark.parametrize("source", CSV_FILES)
def test_fault_in_a_csv(case, source, replay, transport, judge, right):
    name, change, expected = case
    replay.edit = edited(CSV_FILES[source], change)
    found = outcome(source, transport)
    if expected is ANY_ORDER:  # the record is the line, so that it changes and nothing else
        if source == "gpuhunt-aws":
            assert without_records(found) == without_records(right[source])
        expected = ACCEPTED if source == "ecb" else ROW
    judge(name, source, expected, found)


GPUHUNT = [
    ("version without a date", "gpuhunt/version", lambda _: b"latest\n", FAILURE),
    ("version that is a path", "gpuhunt/version", lambda _: b"../../v2/20261129-1\n", FAILURE),
    ("version of a day that is none", "gpuhunt/version", lambda _: b"20261345-1\n", FAILURE),
    ("zip cut", "gpuhunt/aws.csv", lambda _: b"PK\x03\x04cut", FAILURE),
    ("zip without the file", "gpuhunt/aws.csv", None, FAILURE),
    ("price in words in one row", "gpuhunt/aws.csv", lambda c: c.replace(b",61.5,", b",call us,", 1), ROW),
    ("price empty in one row", "gpuhunt/aws.csv", lambda c: c.replace(b",61.5,", b",,", 1), ROW),
    ("count empty in one row", "gpuhunt/aws.csv", lambda c: c.replace(b"2048.0,8,", b"2048.0,,", 1), ROW),
    ("spot neither true nor false", "gpuhunt/aws.csv", lambda c: c.replace(b"False", b"maybe", 1), ROW),
    ("version that leads elsewhere", "gpuhunt/version", lambda _: b"20261129-1/../../x\n", FAILURE),
    ("version that is not there", "gpuhunt/version", lambda _: b"20200101-1\n", FAILURE),
]


@pytest.mark.parametrize(("name", "file", "change", "expected"), GPUHUNT, ids=[case[0] for case in GPUHUNT])
def test_fault_in_a_catalogue(name, file, change, expected, replay, transport, judge, right):
    replay.edit = edited(file, change or (lambda content: zipped(content, "other.csv")))
    found = outcome("gpuhunt-aws", transport)
    judge(name, "gpuhunt-aws", expected, found)
    if expected == ROW:
        assert found.rows_read == right["gpuhunt-aws"].rows_read


OPENING = b'{"value": [{"cotacaoVenda": 5, "dataHoraCotacao": "2026-11-27 10:00:00.0", "tipoBoletim": "Abertura"}]}'
ONE = [
    ("GraphQL error with 200", "runpod/types.json", b'{"errors": [{"message": "rate limited"}], "data": null}'),
    ("GraphQL error beside data", "runpod/types.json", b'{"errors": [{"message": "x"}], "data": {"gpuTypes": []}}'),
    ("no closing bulletin yet", "ptax/rates.json", b'{"value": []}'),
    ("only opening bulletins", "ptax/rates.json", OPENING),
    ("day unreadable", "ptax/rates.json", OPENING.replace(b"2026-11-27", b"27/11/2026").replace(b"Abertura", b"")),
]


@pytest.mark.parametrize(("name", "file", "content"), ONE, ids=[case[0] for case in ONE])
def test_fault_of_one_source(name, file, content, replay, transport, judge):
    source = file.partition("/")[0]
    replay.edit = edited(file, lambda _: content)
    judge(name, source, FAILURE, outcome(source, transport))


def test_rates_inside_a_comment_are_read(replay, transport, judge):
    replay.edit = edited("ptax/rates.json", lambda content: b"/*" + content + b"*/")
    judge("rates inside a comment", "ptax", ACCEPTED, outcome("ptax", transport))


def test_the_catalogue_of_another_subsidiary_is_refused(replay, transport, judge):
    replay.edit = edited("ovh/cloud.json", lambda content: content.replace(b'"FR"', b'"US"'))
    judge("another subsidiary", "ovh", FAILURE, outcome("ovh", transport))


def test_an_answer_as_long_as_the_limit_asked_for_is_refused(replay, transport, judge):
    row = json.loads((ANSWERS / "vast/offers.json").read_bytes())["offers"][0]
    many = json.dumps({"offers": [row | {"id": number} for number in range(20_000)]}).encode()
    replay.edit = edited("vast/offers.json", lambda _: many)
    found = outcome("vast", transport, limits=Limits())
    judge("as many rows as the limit", "vast", FAILURE, found)


def test_the_matrix_is_as_large_as_promised():
    assert len({fault.name for fault in [*WIRE, *DATA, *PRICES]}) + len(CSV) + len(GPUHUNT) + len(ONE) >= 60
