"""What a million tokens costs and what spot repeats, from tokens per second and prices per hour.

Prices are of the whole machine, in any one currency; nothing here converts or rounds.
"""

from __future__ import annotations

MILLION = 1e6
SECONDS_PER_HOUR = 3600.0
OCCUPANCIES = (0.1, 0.5, 1.0)  # shown together, because they move the price of serving more than the GPU does


def spot_lost_share(interruptions_per_hour: float, checkpoint_hours: float, restart_hours: float) -> float:
    """Share of the time that spot is expected to lose: at each interruption half an interval, and the way back."""
    return interruptions_per_hour * (checkpoint_hours / 2 + restart_hours)


def training_cost_per_million(price_hour: float, tokens_per_second: float) -> float:
    """Price of a million training tokens: price_hour × 10⁶ ÷ (3600 × tokens/s of the whole machine).

    Raises:
        ValueError: the speed is not above zero.
    """
    return serving_cost_per_million(price_hour, tokens_per_second, 1.0)


def serving_cost_per_million(price_hour: float, tokens_per_second: float, occupancy: float) -> float:
    """Price of a million generated tokens at a share of the full speed: an idle machine costs the same.

    Raises:
        ValueError: speed or occupancy is not above zero, or occupancy is above one.
    """
    if tokens_per_second <= 0 or not 0 < occupancy <= 1:
        raise ValueError("velocidade e ocupação precisam ser positivas, e a ocupação no máximo 1")
    return price_hour * MILLION / (SECONDS_PER_HOUR * tokens_per_second * occupancy)
