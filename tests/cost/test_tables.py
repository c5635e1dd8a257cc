"""Scenarios and countries that make no sense are told with file and line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.cross_checks import scenario_problems
from generator.tables.scenarios import parse_cost_rules, parse_scenarios
from generator.tables.taxes import parse_countries, unknown_countries

SCENARIO = """tarde:
  workload: ajuste-fino
  title: Uma tarde
  text: Quatro horas.
  model: llama-3.1-8b
  method: qlora
  context: 4096
  batch: 1
  gpus: 1
  pricing_model: on_demand
  provider_kinds: [neocloud]
  session_minutes: 240
  sessions: 1
  span_hours: 4
  storage_gb: 100
  egress_gb: 5
"""
COUNTRY = "country,lgpd,source,read_on,latency_min_ms,latency_max_ms,latency_route,latency_source\n"


def _known(data):
    return data.models, data.knowledge.methods, data.vocabularies["provider_kind"]


def test_a_complete_scenario_is_read_with_its_hours(data):
    scenarios, problems = parse_scenarios(SCENARIO, "data/scenarios.yml", *_known(data))
    assert problems == []
    assert scenarios["tarde"].hours == 4


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("model: llama-3.1-8b", "model: llama-3.1-8", 5, "quis dizer"),
        ("span_hours: 4", "span_hours: 3", 14, "menos que as de trabalho"),
        ("egress_gb: 5", "egress_gb: -5", 16, "maior ou igual a zero"),
        ("egress_gb: 5", "egress_gb: 5\n  occupancy: 10", 17, "0.10"),
        ("sessions: 1", "sessions: 1.5", 13, "inteiro"),
        ("  batch: 1\n", "", 2, "batch"),
    ],
)
def test_a_wrong_scenario_is_told_with_file_and_line(data, before, after, line, words):
    text = SCENARIO.replace(before, after)
    _, problems = parse_scenarios(text, "data/scenarios.yml", *_known(data))
    assert [(problem.path, problem.line) for problem in problems] == [("data/scenarios.yml", line)]
    assert words in str(problems[0])


def test_a_scenario_of_no_guide_is_told_with_its_line(data, project):
    text = (
        (project / "data" / "scenarios.yml").read_text("utf-8").replace("workload: ajuste-fino", "workload: ajuste", 1)
    )
    scenarios, _ = parse_scenarios(text, "data/scenarios.yml", *_known(data))
    broken = replace(data, cost=replace(data.cost, scenarios=scenarios))
    (problem,) = scenario_problems(broken, text)
    assert problem.line == text[: text.index("workload: ajuste\n")].count("\n") + 1
    assert "ajuste-fino" in problem.todo


def test_a_band_out_of_order_is_refused(project):
    text = (project / "data" / "cost.yml").read_text("utf-8").replace("[0.005, 1]", "[1, 0.005]")
    _, problems = parse_cost_rules(text, "data/cost.yml")
    assert "fora de ordem" in str(problems[0])


def test_half_a_latency_is_refused(data):
    _, problems = parse_countries(COUNTRY + "US,instrument,x,2026-11-30,130,,,\n", "p.csv", data.vocabularies)
    assert "latência pela metade" in str(problems[0])


def test_a_region_in_a_country_without_a_class_stops_the_build(data):
    (problem,) = unknown_countries("data/countries.csv", data.cost.countries, ["BR", "", "XX"])
    assert "XX" in problem.found
