"""How large the history grows and how long it takes to read: 3 years × 8,000 offers × 24 runs a day, simulated.

Run alone with `python tests/history_bench.py`; `make bench` runs a shorter time of it.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from generator import history

OFFERS = 8000
CHANGED = 0.004  # of the offers, at each run: every price changes about every ten days
START = datetime(2024, 1, 1, tzinfo=UTC)
GPUS = [f"gpu-{number}" for number in range(40)]


def offers_at_start() -> pd.DataFrame:
    """Return a made-up table as large as a large one of ours."""
    number = np.arange(OFFERS)
    words = {
        "offer_id": [f"provedor-{n % 60}--maquina-{n}--regiao-{n % 25}--on-demand" for n in number],
        "provider": [f"provedor-{n % 60}" for n in number],
        "gpu": [GPUS[n % len(GPUS)] for n in number],
        "country": [f"C{n % 25}" for n in number],
        "pricing_model": ["spot" if n % 3 == 0 else "on_demand" for n in number],
        "currency": ["USD"] * OFFERS,
        "availability": ["listed"] * OFFERS,
        "source": [f"fonte-{n % 12}" for n in number],
    }
    price = 1 + (number * 7919 % 1000) / 100
    return pd.DataFrame(
        {
            **{name: pd.Series(values, dtype="str") for name, values in words.items()},
            "upstream": pd.Series([""] * OFFERS, dtype="str"),
            "tier": pd.Series([""] * OFFERS, dtype="str"),
            "gpu_count": 1.0,
            **dict.fromkeys(("price_hour", "price_usd_hour", "price_usd_gpu_hour"), price),
            "collected_at": pd.Series([pd.Timestamp(START)] * OFFERS).astype("datetime64[us, UTC]"),
        }
    )


def simulate(root: Path, days: int, runs: int) -> tuple[list[Path], int]:
    """Write the history of some days, the runs of each as one addition; return its files and lines."""
    rng = np.random.default_rng(7)
    offers = offers_at_start()
    table = history.news(offers[:0], offers, START)
    price = table["price_hour"].to_numpy().copy()
    files, count = [], 0
    for day in range(days):
        hit = rng.random((runs, OFFERS)) < CHANGED if day else np.ones((1, OFFERS), bool)
        run, row = np.nonzero(hit)
        price[row] = (price[row] * rng.uniform(0.9, 1.1, len(row))).round(4)
        moment = pd.Timestamp(START.replace(tzinfo=None)) + pd.to_timedelta(day * 24 + run * 24 / runs, unit="h")
        told = dict.fromkeys(("price_hour", "price_usd_hour", "price_usd_gpu_hour"), price[row])
        lines = table.iloc[row].assign(**told, valid_from=moment, recorded_at=moment).reset_index(drop=True)
        file = root / history.path_of(START + timedelta(days=day))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(history.with_news(b"", lines))
        files.append(file)
        count += len(lines)
    return files, count


def measure(days: int = 3 * 365, runs: int = 24) -> str:
    """Return size and seconds in one line."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        files, lines = simulate(Path(folder), days, runs)
        written = time.perf_counter() - begin
        size = sum(file.stat().st_size for file in files)
        end = START + timedelta(days=days)
        chart, charted = _timed(lambda: history.lowest_by_day(files, "gpu-3", "on_demand", START, end))
        news, told = _timed(lambda: history.changed_since(files, end - timedelta(days=1)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    snapshots = days * runs * OFFERS
    return (
        f"history: {days} days × {runs} runs × {OFFERS} offers: {lines} lines for {snapshots} snapshot rows, "
        f"{size / 2**20:.1f} MiB in {len(files)} files; chart of one GPU {chart:.1f} s ({charted} days), "
        f"«what changed since yesterday» {news:.1f} s ({told} lines); written in {written:.0f} s; peak {peak} MiB"
    )


def _timed(work) -> tuple[float, int]:
    begin = time.perf_counter()
    found = work()
    return time.perf_counter() - begin, len(found)


if __name__ == "__main__":
    days, runs = (int(text) for text in (sys.argv[1:] or ["1095", "24"]))
    sys.stdout.write(measure(days, runs) + "\n")
