"""What the hours of a scenario yield: tokens trained, or the price of a million generated tokens."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from generator import formatting as fmt
from generator.cost.bill import Bill
from generator.cost_model import Scenario
from generator.dataset import Dataset
from generator.sizing.money import serving_cost_per_million
from generator.sizing.rates import Rate, over_weeks, serving_rate, training_rate
from generator.sizing.resolve import CannotComputeError
from generator.views.offer_rows import Cell, sort_key

LONG_RUN_HOURS = 168  # from a week on, plans take the lower rate of long runs
SECONDS_PER_HOUR = 3600
MILLION, BILLION = 1e6, 1e9


def occupancy(scenario: Scenario) -> Decimal:
    """Return the share of the hours with requests; hours without a server are all in use."""
    if scenario.occupancy is None or "serverless" in scenario.provider_kinds:
        return Decimal(1)
    return scenario.occupancy


def yields(data: Dataset, found: Bill, offer: dict[str, Any]) -> Cell:
    """Return the tokens that the hours train, with their range, or reais for a million generated tokens."""
    try:
        rate = _rate(data, found.scenario, offer)
    except CannotComputeError:
        return Cell(fmt.NOT_INFORMED)
    return _trained(found.scenario, rate) if found.scenario.occupancy is None else _served(found, rate)


def _rate(data: Dataset, scenario: Scenario, offer: dict[str, Any]) -> Rate:
    """Return the tokens per second of the machine."""
    gpu, count = data.gpus[offer["gpu"]], int(offer["gpu_count"])
    model, method = data.models[scenario.model], data.knowledge.methods[scenario.method]
    if scenario.occupancy is None:
        rate = training_rate(model, method, gpu, count, scenario.context, data.knowledge)
        return over_weeks(rate) if scenario.hours >= LONG_RUN_HOURS else rate
    half = scenario.context // 2
    return serving_rate(model, method, gpu, count, (half, scenario.context - half), data.knowledge)


def _trained(scenario: Scenario, rate: Rate) -> Cell:
    seconds = float(scenario.hours) * SECONDS_PER_HOUR
    low, likely, high = (speed * seconds for speed in (rate.low, rate.likely, rate.high))
    unit, words = (BILLION, ("bilhão", "bilhões")) if likely >= BILLION else (MILLION, ("milhão", "milhões"))
    most, least, usual = (_two_digits(amount / unit) for amount in (high, low, likely))
    return Cell(f"{usual} {words[likely / unit >= 2]} ({least} a {most})", sort_key(likely))


def _two_digits(amount: float) -> str:
    """Return a number with the two digits that mean something in an estimate."""
    return fmt.number(float(f"{amount:.2g}"), 1)


def _served(found: Bill, rate: Rate) -> Cell:
    """Return reais for a million tokens, of a server full of requests during the hours in use."""
    if found.total is None:
        return Cell(fmt.NOT_INFORMED)
    hourly, share = float(found.total.amount / found.scenario.hours), float(occupancy(found.scenario))
    slow, likely, fast = (
        serving_cost_per_million(hourly, speed, share) for speed in (rate.low, rate.likely, rate.high)
    )
    text = f"{fmt.money(likely, 'BRL')} ({fmt.money(fast, 'BRL')} a {fmt.money(slow, 'BRL')})"
    return Cell(text, sort_key(likely))
