"""`data/history/*.csv`: what a GPU cost at a provider from one day to another, when the price was seen every day."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import date

from generator import cells
from generator.folder import Folder
from generator.problems import Problem
from generator.records import Record, build_keyed, csv_records
from generator.tables.rules import Rules


@dataclass(frozen=True, slots=True)
class PricePeriod:
    """One price that did not change between two days, both included, and was seen on each of them."""

    provider: str
    gpu: str
    pricing_model: str
    region: str  # empty: one price for all, or not said
    first_day: date
    last_day: date
    price_usd_gpu_hour: float
    source: str


FOLDER = "data/history"
COLUMNS = tuple(field.name for field in fields(PricePeriod))


def parse_history(
    text: str, path: str, providers: Collection[str], gpus: Collection[str], pricing_models: Collection[str]
) -> tuple[tuple[PricePeriod, ...], list[Problem]]:
    """Return the periods in the order of the file."""
    records, problems = csv_records(text, path, COLUMNS)
    known = cells.one_of(providers), cells.one_of(gpus), cells.one_of(pricing_models)
    periods, more = build_keyed(records, lambda row: _period(row, *known), _key, "first_day")
    return tuple(periods.values()), problems + more


def _key(period: PricePeriod) -> tuple[str, str, str, str, date]:
    return period.provider, period.gpu, period.pricing_model, period.region, period.first_day


def _period(
    row: Record, provider: cells.Cell[str], gpu: cells.Cell[str], pricing_model: cells.Cell[str]
) -> PricePeriod:
    first, last = row.need("first_day", cells.day), row.need("last_day", cells.day)
    if first and last and last < first:
        row.note("last_day", f"fim em {last}, antes do começo", f"{first} ou depois", "confira as datas na fonte")
    return PricePeriod(
        provider=row.need("provider", provider),
        gpu=row.need("gpu", gpu),
        pricing_model=row.need("pricing_model", pricing_model),
        region=row.maybe("region", cells.text, ""),
        first_day=first,
        last_day=last,
        price_usd_gpu_hour=row.need("price_usd_gpu_hour", cells.positive),
        source=row.need("source", cells.text),
    )


def read_history(
    folder: Folder, providers: Collection[str], gpus: Collection[str], rules: Rules, needs: Collection[str]
) -> tuple[PricePeriod, ...]:
    """Return the periods of every year, in order; a project may have none. `needs`: the tables the lists are from."""
    paths = sorted(file.relative_to(folder.root).as_posix() for file in (folder.root / FOLDER).glob("*.csv"))
    lists = providers, gpus, rules.pricing_models if rules else ()
    years = [folder.parse(parse_history, path, *lists, needs=needs) for path in paths]
    return tuple(period for year in years for period in year or ())
