"""What the tests of costs share: a rate and an offer to change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from generator.model import ExchangeRate
from generator.views.site import Site

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="session")
def rules(data):
    return data.cost.rules


@pytest.fixture(scope="session")
def site(data, project):
    return Site(data, TODAY, project)


@pytest.fixture(scope="session")
def pinned(data):
    """The committed tables with the rate of 16 April 2026 and the tax of that day, whatever was read since."""
    in_force = tuple(rate for rate in data.cost.iof if rate.in_force_from <= date(2026, 4, 16))
    return replace(data, rates=(a_rate("5.0007"),), cost=replace(data.cost, iof=in_force))


def a_rate(rate, day=date(2026, 4, 16), base="USD", quote="BRL", kind=""):
    return ExchangeRate(base, quote, day, Decimal(str(rate)), kind, "uma fonte")


def an_offer(**changes):
    """Return an offer as a record of the table."""
    offer = {
        "offer_id": "x--1",
        "provider": "runpod",
        "instance": "maquina",
        "region": "",
        "gpu": "l4",
        "gpu_count": 1.0,
        "price_hour": 1.0,
        "currency": "USD",
        "price_usd_hour": 1.0,
        "price_usd_gpu_hour": 1.0,
        "source_url": "https://exemplo.example/",
        "collected_at": datetime(2026, 9, 6, tzinfo=UTC),
        "flags": "",
    }
    return offer | changes
