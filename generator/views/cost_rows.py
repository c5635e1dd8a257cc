"""Offers in reais for programs and spreadsheets: the numbers of the page, with the rate and the tax behind each."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from generator import formatting as fmt
from generator.cost.reais import in_reais, regime_of
from generator.dataset import Dataset
from generator.views.offer_rows import records
from generator.views.reais import offer_reais


def cost_rows(data: Dataset, today: date) -> list[dict[str, Any]]:
    """Return one row per offer, by `offer_id`: the columns of the table `costs`, amounts rounded as on the page."""
    return [_row(offer, data, today) for offer in records(data.offers.sort_values("offer_id"))]


def _row(offer: dict[str, Any], data: Dataset, today: date) -> dict[str, Any]:
    regime = regime_of(data.providers[offer["provider"]])
    machine = in_reais(Decimal(str(offer["price_hour"])), offer["currency"], regime, data, today)
    one_gpu = offer_reais(offer, data, today)
    rate = machine.rates[-1] if machine and machine.rates else None
    iof = machine.iof if machine else None
    country = data.cost.countries.get(offer["country"])
    return {
        "offer_id": offer["offer_id"],
        "price_brl_hour": _amount(machine.amount if machine else None),
        "price_brl_gpu_hour": _amount(one_gpu.amount if one_gpu else None),
        "billing_regime": regime or None,
        "usd_brl": float(rate.rate) if rate else None,
        "usd_brl_day": rate.day.isoformat() if rate else None,
        "iof_percent": float(iof.percent) if iof else None,
        "iof_checked_on": iof.checked_on.isoformat() if iof else None,
        "lgpd": country.lgpd if country else None,
    }


def _amount(value: Decimal | None) -> float | None:
    return None if value is None else float(fmt.money_value(value))
