"""Every trap as a small case: rows that a source could give, and what becomes of each (`cases/*.yml`)."""

from pathlib import Path

import pytest

from generator.normalise.csv_files import offers_csv, parse_offers
from generator.strict_yaml import read_yaml

FOLDER = Path(__file__).parent / "cases"


def _cases():
    for file in sorted(FOLDER.glob("*.yml")):
        document, problems = read_yaml(file.read_text(encoding="utf-8"), file.name)
        assert not problems
        for case in document.value:
            yield pytest.param(case, id=f"{file.stem}: {case['case']}")


def _as_published(outcome):
    """Return the published rows as the file has them, by key."""
    lines = offers_csv(outcome.offers).decode().splitlines()
    table, problems = parse_offers("\n".join(lines), "offers.csv")
    assert not problems
    header = lines[0].split(",")
    import csv

    rows = [dict(zip(header, row, strict=True)) for row in csv.reader(lines[1:])]
    assert len(table) == len(rows)
    return {row["offer_id"]: row for row in rows}


@pytest.mark.parametrize("case", list(_cases()))
def test_every_row_meets_its_fate(outcome_of, case):
    rows = [{name: value or "" for name, value in row.items()} for row in case["rows"]]
    outcome = outcome_of(*rows)
    fates = outcome.fates.set_index("record").loc[[f"teste:{number}" for number in range(1, len(rows) + 1)]]
    published = _as_published(outcome)
    for expected, (record, fate) in zip(case["expect"], fates.iterrows(), strict=True):
        if "reason" in expected:
            assert fate["reason"] == expected["reason"], record
        else:
            assert fate["reason"] == "", (record, fate["detail"])
            row = published[fate["offer_id"]]
            assert {name: row[name] for name in expected} == {name: value or "" for name, value in expected.items()}
    assert [review.kind for review in outcome.reviews] == case.get("reviews", [])
