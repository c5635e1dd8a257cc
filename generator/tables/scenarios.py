"""`data/scenarios.yml` and `data/cost.yml`: the work whose cost is computed, and the rules of the computation."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from generator import cells
from generator.cost_model import CostRules, Scenario
from generator.problems import Problem
from generator.records import Record, yaml_record

PRICING = ("on_demand", "spot", "reserved_1y")


def parse_cost_rules(text: str, path: str) -> tuple[CostRules, list[Problem]]:
    """Return the rules, and every problem of the file."""
    root = yaml_record(text, path)
    regions, increments = root.child("baseline_regions"), root.child("increment_seconds")
    rules = CostRules(
        iof_check_days=root.need("iof_check_days", cells.integer),
        ptax_page=root.need("ptax_page", cells.https_url),
        chart_points=root.need("chart_points", cells.integer),
        storage_gb_month=root.need("storage_gb_month", _band),
        egress_gb=root.need("egress_gb", _band),
        iof_percent=root.need("iof_percent", _band),
        rate_step=root.need("rate_step", _positive),
        baseline_regions={name: regions.need(name, cells.text) for name in regions.keys},
        increment_seconds={code: increments.need(code, _positive) for code in increments.keys},
    )
    return rules, root.problems


def parse_scenarios(text: str, path: str, *known: Collection[str]) -> tuple[dict[str, Scenario], list[Problem]]:
    """Return the scenarios by id, in the order of the file, and every problem.

    `known` holds the ids of models, methods and kinds of provider, in that order; workloads are checked
    with the guides.
    """
    root = yaml_record(text, path)
    found = {name: _scenario(name, root.child(name), *known) for name in root.keys}
    return found, root.problems


def _scenario(
    name: str,
    entry: Record,
    models: Collection[str],
    methods: Collection[str],
    kinds: Collection[str],
) -> Scenario:
    scenario = Scenario(
        id=name,
        workload=entry.need("workload", cells.identifier),
        title=entry.need("title", cells.text),
        text=entry.need("text", cells.text),
        model=entry.need("model", cells.one_of(models)),
        method=entry.need("method", cells.one_of(methods)),
        context=entry.need("context", cells.integer),
        batch=entry.need("batch", cells.integer),
        gpus=entry.need("gpus", cells.integer),
        pricing_model=entry.need("pricing_model", cells.one_of(PRICING)),
        provider_kinds=tuple(entry.need("provider_kinds", cells.list_of(cells.one_of(kinds))) or ()),
        session_minutes=entry.need("session_minutes", _positive),
        sessions=entry.need("sessions", cells.integer),
        span_hours=entry.need("span_hours", _positive),
        storage_gb=entry.need("storage_gb", _positive),
        egress_gb=entry.need("egress_gb", _not_negative),
        occupancy=entry.maybe("occupancy", _share),
    )
    if not entry.problems:
        _hold_together(entry, scenario)
    return scenario


def _hold_together(entry: Record, scenario: Scenario) -> None:
    """Note hours that do not fit in the time between the first start and the end."""
    if scenario.hours > scenario.span_hours:
        entry.note(
            "span_hours",
            f"{scenario.span_hours} horas do começo ao fim, menos que as de trabalho",
            "span_hours maior ou igual a sessões × minutos",
            "aumente span_hours",
        )


def _positive(raw: Any) -> Decimal:
    cells.positive(raw)
    return cells.decimal(raw)


def _not_negative(raw: Any) -> Decimal:
    cells.not_negative(raw)
    return cells.decimal(raw)


def _share(raw: Any) -> Decimal:
    value = _positive(raw)
    if value > 1:
        raise cells.RefusedError(f"«{raw}»", "uma parte de 1, como 0.10", "escreva 10 % como 0.10")
    return value


def _band(raw: Any) -> tuple[Decimal, Decimal]:
    values = cells.list_of(cells.decimal)(raw)
    if len(values) != 2 or values[0] >= values[1]:
        raise cells.RefusedError("uma faixa fora de ordem", "[mínimo, máximo]", "acerte os dois valores")
    return values[0], values[1]
