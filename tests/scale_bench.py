"""A million raw rows normalised, judged and merged; the same work row by row in pandas; gpuhunt's own reader.

`python tests/scale_bench.py [rows]`; all in one run and in seconds of this
process's own work, so that the machine's speed and load drop out of the ratios.
"""

from __future__ import annotations

import csv
import io
import resource
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from gpuhunt._internal.storage import load as gpuhunt_load

from generator import dataset
from generator.normalise import normalise
from generator.normalise.across import Past
from generator.normalise.gpu_names import Sighting
from generator.normalise.merge import offer_id
from generator.normalise.money import machine_hour, per_gpu
from generator.normalise.numbers import UnreadableError, read_count, read_decimal
from generator.normalise.reference import Reference
from generator.sources.raw import RawOffer

ROOT = Path(__file__).resolve().parents[1]
GPUS = [("H100 SXM", 2.5), ("A100-SXM4-80GB", 1.6), ("L4", 0.6), ("L40S", 1.2), ("RTX 4090", 0.45), ("H200", 3.2)]
SAMPLE = 20_000


def raw_offers(rows: int, providers: list[str]) -> Iterator[RawOffer]:
    """Yield made-up rows: most of them good, one in twenty wrong in some way, one in ten said twice."""
    for number in range(rows):
        n = number - 1 if number % 10 == 9 else number
        gpu, price = GPUS[n % len(GPUS)]
        wrong = {3: "0", 7: "", 11: "9999"}.get(n % 60)
        yield RawOffer(
            source=f"fonte-{n % 12}",
            record=f"linha:{number}",
            source_url="https://exemplo.com/precos",
            observed_on="2026-11-30",
            provider=providers[n % len(providers)],
            price=wrong if wrong is not None else f"{price * (1 + n % 97 / 400):.4f}",
            currency="USD",
            instance=f"maquina-{n // 200}",
            gpu="Z900 UltraTurbo" if n % 60 == 13 else gpu,
            gpu_count=str(2 ** (n % 4)),
            price_for="gpu",
            vcpus=str(8 * 2 ** (n % 4)),
            ram_gib="128",
            pricing_model="spot" if n % 3 == 0 else "on_demand",
            availability="listed",
        )


def row_by_row(raws: list[RawOffer], reference: Reference) -> pd.DataFrame:
    """Do the core of the work as plain pandas row operations: resolve, convert, judge, name, keep the dearest."""

    def one(row: pd.Series) -> pd.Series:
        empty = pd.Series({"offer_id": "", "usd": float("nan"), "reason": "unreadable"})
        try:
            count = read_count(row["gpu_count"])
            found = reference.names.resolve(Sighting(row["gpu"], row["provider"], row["instance"], count=count))
            price = machine_hour(
                read_decimal(row["price"]), count, row["price_for"], row["price_every"], read_decimal("1")
            )
        except UnreadableError:
            return empty
        if found.reason or price <= 0:
            return empty
        band = reference.rules.bands[found.gpu]
        each = per_gpu(price, count)
        least = band.on_demand if row["pricing_model"] == "on_demand" else band.discounted
        reason = "" if each is not None and least <= each <= band.most else "price_implausible"
        name = (
            row["provider"],
            "",
            row["instance"],
            found.gpu,
            count,
            row["region"],
            row["pricing_model"],
            row["tier"],
        )
        return pd.Series({"offer_id": offer_id(name), "usd": float(price), "reason": reason})

    frame = pd.DataFrame(raws).astype("str")
    done = pd.concat([frame, frame.apply(one, axis=1)], axis=1)
    good = done[done["reason"].eq("")].sort_values(["offer_id", "usd"])
    return good.drop_duplicates("offer_id", keep="last")


def gpuhunt_rows(raws: list[RawOffer]) -> int:
    """Read the same rows with gpuhunt's own reader, from its own format; it neither judges nor merges."""
    names = ("instance_name", "location", "price", "cpu", "memory", "gpu_count", "gpu_name", "gpu_memory", "spot",
             "disk_size", "gpu_vendor", "flags", "cpu_arch", "provider_data")  # fmt: skip
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(names)
    writer.writerows(
        (raw.instance, "us-1", raw.price or "0", raw.vcpus, raw.ram_gib, raw.gpu_count, raw.gpu, "80",
         str(raw.pricing_model == "spot"), "", "nvidia", "", "x86", "{}")
        for raw in raws
    )  # fmt: skip
    lines.seek(0)
    return sum(1 for _ in gpuhunt_load(lines, provider="aws"))


def rate(rows: int, seconds: float) -> str:
    return f"{rows / seconds:,.0f} rows/s"


def main(rows: int) -> None:
    """Print the three rates, and the peak of memory of ours, which runs first."""
    tables = dataset.load_tables(ROOT)
    reference, providers = tables.reference, sorted(tables.providers)
    nothing = dataset.load(ROOT).offers[:0]
    past = Past(nothing, {}, datetime(2026, 11, 30, tzinfo=UTC), frozenset())
    begin = time.process_time()
    outcome = normalise(raw_offers(rows, providers), reference, (), past)
    ours = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    assert len(outcome.fates) == rows
    assert len(outcome.offers) + len(outcome.quarantine) <= rows
    sample = list(raw_offers(min(rows, SAMPLE), providers))
    begin = time.process_time()
    row_by_row(sample, reference)
    plain = (time.process_time() - begin) / len(sample)
    begin = time.process_time()
    gpuhunt_rows(sample)
    theirs = (time.process_time() - begin) / len(sample)
    sys.stdout.write(
        f"normalise, judge and merge {rows:,} rows: {rate(rows, ours)}, peak {peak:.2f} GiB, "
        f"{len(outcome.offers):,} offers; plain pandas row operations {rate(1, plain)}, "
        f"{plain / (ours / rows):.1f} times "
        f"slower; gpuhunt's reader, which only reads: {rate(1, theirs)}\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
