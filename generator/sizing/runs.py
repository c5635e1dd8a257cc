"""A whole training run on a machine: hours and money, with what failures and interruptions repeat."""

from __future__ import annotations

from dataclasses import dataclass

from generator.sizing.knowledge import Knowledge
from generator.sizing.money import SECONDS_PER_HOUR, spot_lost_share
from generator.sizing.rates import Rate, over_weeks

WEEK = 168.0  # hours; longer runs reach three quarters of the speed, which already holds their restarts


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """Hours of work at the likely speed, the share of them done again, and US$ over the range of speeds."""

    hours: float
    repeated_share: float
    usd_low: float
    usd: float
    usd_high: float


def run_estimate(tokens: float, rate: Rate, price_hour: float, pricing_model: str, knowledge: Knowledge) -> RunEstimate:
    """Return what training on `tokens` takes: hours × price × (1 + share done again), without disk and data transfer.

    Restarts are a share of the hours (assumption), and spot adds the loss expected between checkpoints (assumption).
    """
    is_long = tokens / (rate.likely * SECONDS_PER_HOUR) > WEEK
    speeds = over_weeks(rate) if is_long else rate
    share = 0.0 if is_long else knowledge.money["restart_share"].value
    if pricing_model == "spot":
        names = ("interruptions_per_hour", "checkpoint_hours", "restart_hours")
        share += spot_lost_share(*(knowledge.money[name].value for name in names))
    hours = [tokens / (speed * SECONDS_PER_HOUR) for speed in (speeds.high, speeds.likely, speeds.low)]
    low, likely, high = (each * price_hour * (1 + share) for each in hours)
    return RunEstimate(hours[1], share, low, likely, high)
