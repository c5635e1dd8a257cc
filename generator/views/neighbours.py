"""Which GPUs people weigh against each other: popular ones, and neighbours in memory or price."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import log

from generator.model import Gpu
from generator.views.catalogue import Catalogue

NEAR = 6  # alternatives on the page of a card
POPULAR = 14  # cards that most providers rent: every two of them have a page
CLOSE = 7  # neighbours of each card with which it has a page


@dataclass(frozen=True)
class Rivals:
    """The cards of a catalogue that can be compared, and the pairs that have a page."""

    catalogue: Catalogue
    _ranked: dict[str, list[Gpu]] = field(default_factory=dict, repr=False, compare=False)  # asked for many times

    @cached_property
    def known(self) -> list[Gpu]:
        """Return the cards whose form factor, bandwidth and price on demand are known, most memory first."""
        found = [
            gpu
            for gpu in self.catalogue.gpus.values()
            if not gpu.is_variant_unknown and gpu.bandwidth_gb_s and self.catalogue.price(gpu.id) is not None
        ]
        return sorted(found, key=_capability)

    def distance(self, one: Gpu, other: Gpu) -> float:
        """Return how far apart two cards are: near in memory or in price is near; sellers break ties."""
        memory = abs(log(one.memory_gb / other.memory_gb))
        prices = self.catalogue.price(one.id), self.catalogue.price(other.id)
        price = abs(log(prices[0] / prices[1])) if prices[0] and prices[1] else 2.0
        return min(memory, price) + 0.3 * max(memory, price) + 0.5 / self.catalogue.sellers.get(other.id, 1)

    def near(self, gpu: Gpu, most: int = NEAR) -> list[Gpu]:
        """Return the cards nearest to one, nearest first."""
        if gpu.id not in self._ranked:
            others = [card for card in self.known if card.id != gpu.id]
            self._ranked[gpu.id] = sorted(others, key=lambda card: (self.distance(gpu, card), card.id))
        return self._ranked[gpu.id][:most]

    @cached_property
    def pairs(self) -> dict[frozenset[str], tuple[Gpu, Gpu]]:
        """Return the pairs with a page by their ids, the card with more memory first."""
        popular = sorted(self.known, key=lambda gpu: (-self.catalogue.sellers[gpu.id], gpu.id))[:POPULAR]
        wanted = {frozenset((one.id, other.id)) for one, other in combinations(popular, 2)}
        wanted |= {frozenset((gpu.id, card.id)) for gpu in self.known for card in self.near(gpu, CLOSE)}
        every = {frozenset((one.id, other.id)): (one, other) for one, other in combinations(self.known, 2)}
        return {key: pair for key, pair in every.items() if key in wanted}

    def pair_url(self, one: Gpu, other: Gpu) -> str:
        """Return where two cards are side by side, or nothing when that page is not made."""
        found = self.pairs.get(frozenset((one.id, other.id)))
        return f"comparar/{found[0].id}-vs-{found[1].id}/" if found else ""


def _capability(gpu: Gpu) -> tuple[float, float, float, str]:
    return (-gpu.memory_gb, -(gpu.bandwidth_gb_s or 0), -(gpu.bf16_dense_tflops or 0), gpu.id)
