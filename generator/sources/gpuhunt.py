"""Catalogues that the gpuhunt project publishes, one source per provider, USD per hour of the whole machine.

Format, as `gpuhunt/_internal/catalog.py` and `storage.py` of the PyPI package gpuhunt 0.1.34 read it: under the base
address, `<provider>/version` is text (`20261130-4127`: day and run) and `<provider>/<version>/catalog.zip` holds
`<provider>.csv`. Columns: instance_name, location, price, cpu, memory (GiB), gpu_count, gpu_name, gpu_memory (GB of one
card), spot (True or False, a row of its own), disk_size (GB), gpu_vendor, flags, cpu_arch, provider_data (JSON). Older
files lack gpu_vendor and write TPUs as `tpu-v3`. The package's own download (urllib, no limits, no retries) cannot be
given our fetcher, and its reader skips bad rows and turns prices into floats: only its format is used here.

Rows counted: those with a GPU; machines without one (gpu_count 0) are not offers of the guide.
"""

from __future__ import annotations

import json
import re
from datetime import date

from generator.sources.answers import Parsed, fail, read_csv, read_json, text, under
from generator.sources.http import Fetcher
from generator.sources.raw import RawOffer
from generator.sources.unpacking import UnpackError, unzip

ID = "gpuhunt"
PAGE = "https://github.com/dstackai/gpuhunt"
_NAMES = {"lambdalabs": "lambda"}  # where the catalogue calls a provider otherwise
_NEEDED = ("instance_name", "location", "price", "cpu", "memory", "gpu_count", "gpu_name", "gpu_memory", "spot")
_VERSION = re.compile(r"(\d{4})(\d{2})(\d{2})-\d+", re.ASCII)
_UNDATED = "versão de catálogo sem data"
_CSV_BYTES = 64 * 2**20


def download(fetcher: Fetcher) -> bytes:
    """Return `{"provider": ..., "version": ..., "csv": ...}` as JSON; the provider ends the source's address."""
    base = fetcher.source.url.rstrip("/")
    provider = base.rpartition("/")[2]
    version = fetcher.get(f"{base}/version", form="text").decode().strip()
    _day(version)
    packed = fetcher.get(f"{base}/{version}/catalog.zip")
    try:
        content = unzip(packed, f"{provider}.csv", _CSV_BYTES).decode("utf-8-sig")
    except (UnpackError, UnicodeDecodeError) as error:
        fail(ID, f"catálogo de {provider}: {error}")
    return json.dumps({"provider": provider, "version": version, "csv": content}).encode()


def parse(payload: bytes) -> Parsed:
    """Return every row with a GPU, dated by its catalogue's version."""
    catalogue = read_json(ID, payload)
    provider, version = text(under(catalogue, "provider")), text(under(catalogue, "version"))
    day = _day(version)
    rows = read_csv(ID, text(under(catalogue, "csv")), _NEEDED)
    if not rows:
        fail(ID, f"catálogo de {provider} vazio")
    return Parsed.of(
        _offer(provider, row, f"{provider}/{version}:{line}", day)
        for line, row in enumerate(rows, start=2)
        if row["gpu_count"] != "0"
    )


def _offer(provider: str, row: dict[str, str], record: str, day: str) -> RawOffer:
    tpu = row.get("gpu_vendor") == "google" and not row["gpu_name"].startswith("tpu-")
    return RawOffer(
        source=f"{ID}-{provider}",
        record=record,
        source_url=PAGE,
        observed_on=day,
        provider=_NAMES.get(provider, provider),
        price=row["price"],
        currency="USD",
        instance=row["instance_name"],
        region=row["location"],
        gpu=f"tpu-{row['gpu_name']}" if tpu else row["gpu_name"],
        gpu_count=row["gpu_count"],
        gpu_memory=row["gpu_memory"],
        vcpus=row["cpu"],
        ram_gib=row["memory"],
        disk_gb=row.get("disk_size", ""),
        pricing_model={"False": "on_demand", "True": "spot"}.get(row["spot"], row["spot"]),
        availability="listed",
    )


def _day(version: str) -> str:
    found = _VERSION.fullmatch(version)
    try:
        return (
            date(*(int(part) for part in found.groups())).isoformat() if found else fail(ID, _UNDATED, version.encode())
        )
    except ValueError:
        fail(ID, _UNDATED, version.encode())
