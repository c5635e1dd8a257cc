"""What normalising leans on: the curated tables, already read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from generator.model import ExchangeRate, Gpu
from generator.normalise.gpu_names import GpuNames
from generator.normalise.money import Rates
from generator.normalise.places import Regions
from generator.tables.corrections import Correction
from generator.tables.gpu_aliases import Alias
from generator.tables.regions import Region
from generator.tables.rules import Rules


@dataclass(frozen=True, slots=True)
class Reference:
    """The tables in the form that the steps ask them."""

    names: GpuNames
    memory_gb: Mapping[str, float]
    regions: Regions
    rates: Rates
    rules: Rules
    providers: frozenset[str]
    corrections: tuple[Correction, ...] = ()
    today: date | None = None  # no fact is of a later day; nothing is asked of the dates where it is not told

    @classmethod
    def of(
        cls,
        gpus: Mapping[str, Gpu],
        aliases: tuple[Alias, ...],
        regions: Mapping[tuple[str, str], Region],
        rates: tuple[ExchangeRate, ...],
        rules: Rules,
        providers: Collection[str],
        currencies: Collection[str],
        corrections: tuple[Correction, ...] = (),
    ) -> Reference:
        """Return the reference made of the curated tables."""
        memory = {gpu.id: gpu.memory_gb for gpu in gpus.values()}
        return cls(
            names=GpuNames(aliases, memory, rules.modifiable),
            memory_gb=memory,
            regions=Regions(regions, rules.countries),
            rates=Rates(rates, frozenset(currencies)),
            rules=rules,
            providers=frozenset(providers),
            corrections=corrections,
        )
