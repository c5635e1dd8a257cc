"""The whole cost of a piece of work on one machine: hours as billed, disk, outgoing data; unknown is never zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from typing import Any

from generator.cost.reais import Reais, in_reais, regime_of
from generator.cost_model import HOURS_IN_MONTH, EgressTier, Scenario, StoragePrice
from generator.dataset import Tables
from generator.exchange import convert
from generator.model import Provider
from generator.sizing.money import spot_lost_share

USD = "USD"
FREE_EGRESS = "free"
SPOT_ASSUMPTIONS = ("interruptions_per_hour", "checkpoint_hours", "restart_hours")
LONGEST_INCREMENT_MINUTES = 60  # whole hours cost the same under every granularity that providers use
BESIDE = "gpu_only_price"  # the flag of offers whose CPU and memory are sold apart
_GB_PER_GIB = Decimal(2**30) / Decimal(10**9)


@dataclass(frozen=True, slots=True)
class Part:
    """A line of the bill in its own currency, with where its price was read; `amount` is `None` when unknown."""

    kind: str  # compute, storage, egress
    amount: Decimal | None
    currency: str = USD
    source: str = ""
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Bill:
    """The lines, their sum as far as they are known, and what is missing from it.

    `reais` goes along with `parts`; `unknown` holds codes: storage, egress, granularity, stopped, ip, beside.
    """

    scenario: Scenario
    repeated_share: Decimal  # of the hours of work, done again after spot interruptions
    billed_hours: Decimal
    parts: tuple[Part, ...]
    reais: tuple[Reais | None, ...]
    total_usd: Decimal | None
    total: Reais | None
    unknown: tuple[str, ...]


def billed_hours(minutes: Decimal, sessions: int, increment_seconds: Decimal) -> Decimal:
    """Return the hours charged: each session is rounded up to whole increments."""
    increments = (minutes * 60 / increment_seconds).to_integral_value(ROUND_CEILING)
    return increments * increment_seconds * sessions / 3600


def storage_amount(price: StoragePrice, size_gb: Decimal, running: Decimal, stopped: Decimal) -> Decimal | None:
    """Return what a disk of `size_gb` (10⁹ bytes) costs over hours with the machine running and stopped.

    A month has 730 hours. `None` where the disk stays while the machine is stopped and nobody told that price.
    """
    if stopped and price.stopped is None:
        return None
    size = size_gb / _GB_PER_GIB if price.unit == "gib_month" else size_gb
    hours_in_unit = 1 if price.unit == "gb_hour" else HOURS_IN_MONTH
    return size * (price.running * running + (price.stopped or 0) * stopped) / hours_in_unit


def egress_amount(tiers: Iterable[EgressTier], volume_gb: Decimal) -> Decimal:
    """Return what leaving data costs in a month, each tier charging only the part of the volume that falls in it."""
    steps = list(tiers)
    ends = [tier.from_gb for tier in steps[1:]] + [max(volume_gb, steps[-1].from_gb)]
    inside = [max(Decimal(0), min(volume_gb, end) - tier.from_gb) for tier, end in zip(steps, ends, strict=True)]
    return sum((gb * tier.price_gb for gb, tier in zip(inside, steps, strict=True)), Decimal(0))


def repeated_share(scenario: Scenario, tables: Tables) -> Decimal:
    """Return the share of the hours that spot is expected to take twice; the assumptions are in the sizing tables."""
    if scenario.pricing_model != "spot":
        return Decimal(0)
    assumed = (tables.knowledge.money[name].value for name in SPOT_ASSUMPTIONS)
    return Decimal(str(spot_lost_share(*assumed)))


def bill(scenario: Scenario, offer: dict[str, Any], tables: Tables, today: date) -> Bill:
    """Return the cost of a scenario on one offer of the dataset.

    compute = hours billed × price, with the hours that spot interruptions repeat; storage = the disk over the whole
    span; egress = the data that leave. The price is the one of the offer's own currency.
    """
    provider = tables.providers[offer["provider"]]
    unknown: list[str] = []
    share = repeated_share(scenario, tables)
    hours = _hours(scenario, share, provider, tables, unknown)
    idle = scenario.span_hours - scenario.hours
    compute = Part(
        "compute",
        Decimal(str(offer["price_hour"])) * (hours + _stopped_hours(provider, idle, unknown)),
        offer["currency"],
        offer["source_url"],
        offer["collected_at"].date(),
    )
    parts = (compute, _storage(scenario, share, offer, tables), _egress(scenario, offer, provider, tables))
    unknown = [*(part.kind for part in parts if part.amount is None), *unknown]
    if BESIDE in offer["flags"].split(";"):
        unknown.append("beside")
    regime = regime_of(provider)
    reais = tuple(
        None if part.amount is None else in_reais(part.amount, part.currency, regime, tables, today) for part in parts
    )
    return Bill(
        scenario,
        share,
        hours,
        parts,
        reais,
        _total_usd(parts, tables, today),
        _total(parts, reais, regime),
        tuple(unknown),
    )


def _hours(scenario: Scenario, share: Decimal, provider: Provider, tables: Tables, unknown: list[str]) -> Decimal:
    minutes = scenario.session_minutes * (1 + share)
    granularity = provider.facts.get("billing_granularity")
    increment = tables.cost.rules.increment_seconds.get(granularity.value) if granularity else None
    if increment is None:
        if minutes % LONGEST_INCREMENT_MINUTES:
            unknown.append("granularity")
        return minutes * scenario.sessions / 60
    return billed_hours(minutes, scenario.sessions, increment)


def _stopped_hours(provider: Provider, idle: Decimal, unknown: list[str]) -> Decimal:
    """Return the hours charged with the machine off; who deletes it at the end has none."""
    if not idle:
        return Decimal(0)
    fact = provider.facts.get("billed_while_stopped")
    if fact is None or not fact.value:
        unknown.append("stopped")
    elif fact.value == "storage_and_ip":
        unknown.append("ip")
    return idle if fact is not None and fact.value == "yes" else Decimal(0)


def _storage(scenario: Scenario, share: Decimal, offer: dict[str, Any], tables: Tables) -> Part:
    prices = tables.cost.storage
    price = prices.get((offer["provider"], offer["region"])) or prices.get((offer["provider"], ""))
    if price is None:
        return Part("storage", None)
    running, stopped = scenario.hours * (1 + share), scenario.span_hours - scenario.hours
    amount = storage_amount(price, scenario.storage_gb, running, stopped)
    return Part("storage", amount, price.currency, price.source, price.source_date)


def _egress(scenario: Scenario, offer: dict[str, Any], provider: Provider, tables: Tables) -> Part:
    fact = provider.facts.get("egress")
    if fact is not None and fact.value == FREE_EGRESS:
        return Part("egress", Decimal(0), USD, fact.source, fact.source_date)
    tiers = tables.cost.egress.get((provider.id, offer["region"])) or tables.cost.egress.get((provider.id, ""))
    if not tiers:
        return Part("egress", None)
    amount = egress_amount(tiers, scenario.egress_gb)
    return Part("egress", amount, tiers[0].currency, tiers[0].source, tiers[0].source_date)


def _total_usd(parts: tuple[Part, ...], tables: Tables, today: date) -> Decimal | None:
    """Return the sum of the known parts in dollars; nothing where one of them has no rate."""
    known = [(part.amount, part.currency) for part in parts if part.amount is not None]
    dollars = [convert(amount, currency, USD, tables.rates, today) for amount, currency in known]
    if None in dollars:
        return None
    return sum((each.amount for each in dollars if each), Decimal(0))


def _total(parts: tuple[Part, ...], reais: tuple[Reais | None, ...], regime: str) -> Reais | None:
    """Return the sum of the known parts in reais; nothing where one of them has no rate."""
    if any(part.amount is not None and each is None for part, each in zip(parts, reais, strict=True)):
        return None
    found = [each for each in reais if each]
    rates = tuple(dict.fromkeys(rate for each in found for rate in each.rates))
    iof = next((each.iof for each in found if each.iof), None)
    return Reais(sum((each.amount for each in found), Decimal(0)), regime, rates, iof)
