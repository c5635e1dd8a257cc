"""Prices over time as changes, not snapshots: one line when an offer appears, changes or goes, never rewritten.

Parquet files, one per day with news in one folder per month (`data/history/month=2026-11/day=30.parquet`), so that a
cluster engine reads the same files the day one machine is too small. A line holds from its `valid_from` until the next
line of the same offer; an empty price says that the offer is gone. DuckDB reads and writes them with bounded memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FOLDER = "data/history"
_TOLD = (
    "offer_id", "provider", "upstream", "gpu", "gpu_count", "country", "pricing_model", "tier", "price_hour",
    "currency", "price_usd_hour", "price_usd_gpu_hour", "availability", "source",
)  # fmt: skip
_NEWS = ("price_hour", "currency", "availability")  # what makes a line; the dollar price alone follows the rate
_PRICES = ("price_hour", "price_usd_hour", "price_usd_gpu_hour")
COLUMNS = (*_TOLD, "valid_from", "recorded_at")
_TYPES = ", ".join(
    f"{name} {'DOUBLE' if name in (*_PRICES, 'gpu_count') else 'TIMESTAMP' if name in COLUMNS[-2:] else 'VARCHAR'}"
    for name in COLUMNS
)
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": "2",
    "memory_limit": "512MB",
    "preserve_insertion_order": "true",
}


def path_of(moment: datetime) -> str:
    """Return the file of a day, in UTC."""
    day = moment.astimezone(UTC)
    return f"{FOLDER}/month={day:%Y-%m}/day={day:%d}.parquet"


def news(before: pd.DataFrame, after: pd.DataFrame, moment: datetime) -> pd.DataFrame:
    """Return the lines to add: what is new or changed, valid from its own date, and what is gone, from this moment."""
    was = before.set_index("offer_id").reindex(after["offer_id"]).reset_index(drop=True)
    now = after.reset_index(drop=True)
    changed = pd.Series(False, index=now.index)
    for name in _NEWS:
        changed |= now[name].ne(was[name])
    gone = before[~before["offer_id"].isin(after["offer_id"])]
    stamp = pd.Timestamp(moment.astimezone(UTC).replace(tzinfo=None))
    gone = gone.assign(**dict.fromkeys(_PRICES, float("nan")), valid_from=stamp)
    fresh = now[changed]
    fresh = fresh.assign(valid_from=fresh["collected_at"].dt.tz_convert(None))
    frames = [frame for frame in (fresh, gone) if len(frame)] or [fresh]
    lines = pd.concat(frames, ignore_index=True).assign(recorded_at=stamp)
    return lines[list(COLUMNS)].sort_values("offer_id").reset_index(drop=True)


def with_news(file: bytes, lines: pd.DataFrame) -> bytes:
    """Return the file of a day with lines added after those it has; `file` is empty for a new one."""
    with tempfile.TemporaryDirectory() as folder, _engine() as engine:
        old, new = Path(folder) / "old.parquet", Path(folder) / "new.parquet"
        engine.register("lines", lines.astype({name: "object" for name in _TOLD if lines[name].dtype == "str"}))
        engine.execute(f"CREATE TABLE whole ({_TYPES})")
        if file:
            old.write_bytes(file)
            engine.execute("INSERT INTO whole BY NAME SELECT * FROM read_parquet(?)", [str(old)])
        engine.execute("INSERT INTO whole BY NAME SELECT * FROM lines")
        engine.execute(f"COPY whole TO '{new}' (FORMAT parquet, COMPRESSION zstd)")
        return new.read_bytes()


def prices(files: Sequence[Path], gpu: str, since: datetime) -> pd.DataFrame:
    """Return the lines of a card's offers that hold at some time after `since`, with `valid_to` (empty: still)."""
    return _ask(
        files,
        """
        SELECT * FROM (
            SELECT *, lead(valid_from) OVER (PARTITION BY offer_id ORDER BY valid_from, recorded_at) AS valid_to
            FROM history WHERE gpu = ?
        ) WHERE price_hour IS NOT NULL AND (valid_to IS NULL OR valid_to > ?) ORDER BY offer_id, valid_from
        """,
        [gpu, _plain(since)],
    )


def lowest_by_day(
    files: Sequence[Path], gpu: str, pricing_model: str, since: datetime, until: datetime
) -> pd.DataFrame:
    """Return a row per day for a chart: `day`, the lowest `price_usd_gpu_hour` of that day, and how many `offers`."""
    return _ask(
        files,
        """
        WITH lines AS (
            SELECT offer_id, price_usd_gpu_hour AS price, valid_from,
                   lead(valid_from) OVER (PARTITION BY offer_id ORDER BY valid_from, recorded_at) AS valid_to
            FROM history WHERE gpu = ? AND pricing_model = ?
        ), days AS (SELECT unnest(generate_series(?::DATE, ?::DATE, INTERVAL 1 DAY))::DATE AS day)
        SELECT day, min(price) AS price_usd_gpu_hour, count(DISTINCT offer_id) AS offers
        FROM days JOIN lines ON valid_from < day + INTERVAL 1 DAY AND (valid_to IS NULL OR valid_to >= day)
        WHERE price IS NOT NULL GROUP BY day ORDER BY day
        """,
        [gpu, pricing_model, _plain(since), _plain(until)],
    )


def changed_since(files: Sequence[Path], moment: datetime) -> pd.DataFrame:
    """Return the lines recorded after a moment, oldest first, each with the price before it (`was_price_hour`)."""
    return _ask(
        files,
        """
        SELECT * FROM (
            SELECT *, lag(price_hour) OVER (PARTITION BY offer_id ORDER BY valid_from, recorded_at) AS was_price_hour
            FROM history WHERE offer_id IN (SELECT offer_id FROM history WHERE recorded_at > ?)
        ) WHERE recorded_at > ? ORDER BY recorded_at, offer_id
        """,
        [_plain(moment)] * 2,
    )


def _ask(files: Sequence[Path], question: str, values: list[Any]) -> pd.DataFrame:
    with _engine() as engine:
        if files:
            source = engine.read_parquet([str(file) for file in files], hive_partitioning=False)
            engine.register("history", source)
        else:
            engine.execute(f"CREATE TABLE history ({_TYPES})")
        return engine.execute(question, values).df()


def _engine() -> DuckDBPyConnection:
    import duckdb  # noqa: PLC0415 - only those who ask for the past wait for it

    return duckdb.connect(config=_SETTINGS)


def _plain(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
