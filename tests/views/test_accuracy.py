"""The error of the sizing is printed beside it, from the measurements of the day."""

from dataclasses import replace

import pytest

from generator.sizing.bands import UNKNOWN_PROFILE, half_width
from generator.sizing.score import SCORED
from generator.views.accuracy import accuracy, assumptions, profiles


@pytest.fixture(scope="module")
def report(data):
    return accuracy(data)


def test_every_scored_measurement_is_counted_once(report, data):
    scored = [case for case in data.cases if case.quality in SCORED]
    missing = sum(len(cases.split(", ")) for cases, _ in report.reasons)
    counted = sum(int(row.numbers[0].sort) for row in report.categories)
    assert counted + missing == len(scored)
    assert sum(int(row.numbers[0].sort) for row in report.groups) == counted
    assert all(reason for _, reason in report.reasons)


def test_a_source_never_seen_is_predicted_no_better(report):
    for row in report.categories:
        seen, unseen = float(row.numbers[1].sort), float(row.held_out[0].sort)
        assert unseen >= seen - 0.002, row.name


def test_the_table_follows_the_measurements(data):
    """Fewer measurements in, fewer out: nothing on the page is stored."""
    fewer = replace(data, cases=tuple(case for case in data.cases if case.category == "train_memory"))
    assert [row.name for row in accuracy(fewer).categories] == ["memória de treino"]


def test_every_profile_says_its_band_or_that_it_has_none(data):
    rows = profiles(data)
    assert {row.name for row in rows} == {p.name for p in data.knowledge.profiles.values() if p.task}
    assert all("medição" in row.band or "medições" in row.band for row in rows)
    assert half_width("train_memory", "unsloth", data.knowledge) == UNKNOWN_PROFILE


def test_every_assumption_is_named_as_one(data):
    listed = " ".join(text for text, _ in assumptions(data))
    constants = [row for group in data.knowledge.constants.values() for row in group if row.basis == "assumption"]
    assert constants
    assert all(row.source in listed for row in constants)
