"""The nouns of a bill: rates with their dates, prices of what is sold beside the machine, scenarios to compute."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

HOURS_IN_MONTH = 730  # 8,760 hours of a year by 12 months, as the providers that print both do


@dataclass(frozen=True, slots=True)
class IofRate:
    """The tax on international card purchases from a day on, as a percentage (`data/iof.csv`)."""

    in_force_from: date
    percent: Decimal
    checked_on: date  # the day on which somebody last confirmed it
    source: str


@dataclass(frozen=True, slots=True)
class Country:
    """What a country means for personal data of Brazilians, and how far it is (`data/countries.csv`)."""

    code: str  # ISO 3166-1 alpha-2
    lgpd: str  # brazil, adequate, instrument
    source: str
    read_on: date
    latency_min_ms: float | None
    latency_max_ms: float | None
    latency_route: str  # between which cities it was told; empty when unknown
    latency_source: str


@dataclass(frozen=True, slots=True)
class CompanyTax:
    """A tax that a company may owe on an imported service; told, never computed (`data/company_taxes.csv`)."""

    tax: str
    rate: str  # as a reader should see it
    until: str  # when a law already ends it, in words; empty when none does
    source: str
    read_on: date


@dataclass(frozen=True, slots=True)
class StoragePrice:
    """What a disk that survives the machine costs at a provider (`data/storage_prices.csv`).

    `running` and `stopped` are per unit of `unit` (gb_month, gib_month, gb_hour); `stopped` is `None` when not told.
    """

    provider: str
    region: str  # empty: every region
    product: str
    running: Decimal
    stopped: Decimal | None
    currency: str
    unit: str
    source: str
    source_date: date | None


@dataclass(frozen=True, slots=True)
class EgressTier:
    """What a GB that leaves the provider costs, from a monthly volume on (`data/egress_prices.csv`)."""

    provider: str
    region: str  # empty: every region
    from_gb: Decimal
    price_gb: Decimal
    currency: str
    source: str
    source_date: date | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A piece of work whose whole cost is computed (`data/scenarios.yml`, where each field is explained)."""

    id: str
    workload: str
    title: str
    text: str
    model: str
    method: str
    context: int
    batch: int
    gpus: int
    pricing_model: str
    provider_kinds: tuple[str, ...]
    session_minutes: Decimal
    sessions: int
    span_hours: Decimal
    storage_gb: Decimal
    egress_gb: Decimal
    occupancy: Decimal | None  # `None`: not an endpoint

    @property
    def hours(self) -> Decimal:
        """Return the hours of work with the machine on, before what spot repeats and what granularity rounds up."""
        return self.session_minutes * self.sessions / 60


@dataclass(frozen=True, slots=True)
class CostRules:
    """What judges and combines the prices (`data/cost.yml`)."""

    iof_check_days: int
    ptax_page: str  # where a person can check a rate
    chart_points: int
    storage_gb_month: tuple[Decimal, Decimal]
    egress_gb: tuple[Decimal, Decimal]
    iof_percent: tuple[Decimal, Decimal]
    rate_step: Decimal
    baseline_regions: dict[str, str]
    increment_seconds: dict[str, Decimal]


@dataclass(frozen=True, slots=True)
class CostTables:
    """Everything a cost is computed from, besides the offers and the rates."""

    rules: CostRules
    iof: tuple[IofRate, ...]  # oldest first
    countries: dict[str, Country]
    company_taxes: tuple[CompanyTax, ...]
    storage: dict[tuple[str, str], StoragePrice]  # by provider and region
    egress: dict[tuple[str, str], tuple[EgressTier, ...]]  # by provider and region, lowest volume first
    scenarios: dict[str, Scenario]
