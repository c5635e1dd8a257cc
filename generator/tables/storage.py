"""What disks and outgoing data cost: `data/storage_prices.csv` and `data/egress_prices.csv`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from decimal import Decimal
from typing import Any

from generator import cells
from generator.cost_model import HOURS_IN_MONTH, CostRules, EgressTier, StoragePrice
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records
from generator.tables.taxes import within
from generator.tables.vocabularies import Vocabularies

STORAGE_COLUMNS = tuple(field.name for field in fields(StoragePrice))
EGRESS_COLUMNS = tuple(field.name for field in fields(EgressTier))
UNLIMITED = ("ilimitado", "unlimited", "sem limite")


def parse_storage_prices(
    text: str, path: str, providers: Collection[str], vocabularies: Vocabularies, rules: CostRules
) -> tuple[dict[tuple[str, str], StoragePrice], list[Problem]]:
    """Return the price of one kind of disk by provider and region; an empty region stands for all others."""
    records, problems = csv_records(text, path, STORAGE_COLUMNS)

    def make(row: Record) -> StoragePrice:
        price = StoragePrice(
            provider=row.need("provider", cells.one_of(providers)),
            region=row.maybe("region", cells.text, ""),
            product=row.need("product", cells.text),
            running=row.need("running", _price),
            stopped=row.maybe("stopped", _price),
            currency=row.need("currency", cells.one_of(vocabularies["currency"])),
            unit=row.need("unit", cells.one_of(vocabularies["storage_unit"])),
            source=row.need("source", cells.text),
            source_date=row.maybe("source_date", cells.day),
        )
        for name in ("running", "stopped"):
            within(row, name, _per_month(getattr(price, name), price.unit), rules.storage_gb_month, "por GB por mês")
        return price

    prices, more = build_keyed(records, make, lambda price: (price.provider, price.region), "provider")
    return prices, problems + more


def _per_month(price: Decimal | None, unit: str | None) -> Decimal | None:
    """Return the price of a month, only to judge whether it is plausible: GiB and GB are close enough for that."""
    return price * HOURS_IN_MONTH if price is not None and unit == "gb_hour" else price


def parse_egress_prices(
    text: str, path: str, providers: Collection[str], vocabularies: Vocabularies, rules: CostRules
) -> tuple[dict[tuple[str, str], tuple[EgressTier, ...]], list[Problem]]:
    """Return the tiers by provider and region, lowest volume first; each list begins at zero."""
    records, problems = csv_records(text, path, EGRESS_COLUMNS)
    lines: dict[tuple[str, str], int] = {}

    def make(row: Record) -> EgressTier:
        price = row.need("price_gb", _price_or_zero)
        within(row, "price_gb", price, rules.egress_gb, "por GB")
        tier = EgressTier(
            provider=row.need("provider", cells.one_of(providers)),
            region=row.maybe("region", cells.text, ""),
            from_gb=row.need("from_gb", _price_or_zero),
            price_gb=price,
            currency=row.need("currency", cells.one_of(vocabularies["currency"])),
            source=row.need("source", cells.text),
            source_date=row.maybe("source_date", cells.day),
        )
        lines.setdefault((tier.provider, tier.region), row.place()[0])
        return tier

    rows, more = build_keyed(records, make, lambda tier: (tier.provider, tier.region, str(tier.from_gb)), "from_gb")
    tiers: dict[tuple[str, str], tuple[EgressTier, ...]] = {}
    for tier in sorted(rows.values(), key=lambda tier: tier.from_gb):
        tiers[tier.provider, tier.region] = (*tiers.get((tier.provider, tier.region), ()), tier)
    headless = [_headless(path, lines[key], key) for key, found in tiers.items() if found[0].from_gb and not more]
    return tiers, problems + more + headless


def _headless(path: str, line: int, key: tuple[str, str]) -> Problem:
    name = " / ".join(part for part in key if part)
    return Problem(
        path, line, 1, f"{name} sem a faixa que começa em 0 GB", "from_gb 0 na primeira faixa", "acrescente-a"
    )


def _price(raw: Any) -> Decimal:
    """Return a price above zero, exactly as written."""
    cells.positive(raw)
    return cells.decimal(raw)


def _price_or_zero(raw: Any) -> Decimal:
    """Return an amount that may be zero; “unlimited” is a word for a price of zero from the first GB on."""
    if cells.text(raw).lower() in UNLIMITED:
        raise cells.RefusedError(f"«{raw}»", "um número", "sem tarifa se escreve 0 em price_gb, na faixa from_gb 0")
    cells.not_negative(raw)
    return cells.decimal(raw)
