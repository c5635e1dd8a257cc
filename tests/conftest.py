"""What every test may ask for: the project's own dataset, a small one to change, and the built site."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from generator import dataset
from generator.dataset import Dataset

ROOT = Path(__file__).resolve().parents[1]
BUILD_EPOCH = "1796040000"  # 30 November 2026, so that ages in the built pages never change
BUILD_DAY = date(2026, 11, 30)


@pytest.fixture(scope="session")
def project() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def data(project: Path) -> Dataset:
    return dataset.load(project)


@pytest.fixture(scope="session")
def built_site(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the committed dataset, built strictly at an address in a subfolder."""
    folder = tmp_path_factory.mktemp("built") / "site"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": BUILD_EPOCH, "SITE_URL": "https://exemplo.com.br/guia/"}
    done = subprocess.run(
        [sys.executable, "-m", "generator", "build", "--root", str(project), "--site-dir", str(folder)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return folder


@pytest.fixture
def with_offers(data: Dataset):
    """Return the project's dataset with only the given offers: each a dict of changes to one plain offer."""

    def make(*changes: dict[str, object]) -> Dataset:
        rows = [{**AN_OFFER, "offer_id": f"alfa--{i}", **change} for i, change in enumerate(changes)]
        for row in rows:
            row.setdefault("price_hour", row["price_usd_hour"])
        frame = pd.DataFrame(rows)[list(data.offers.columns)].astype(data.offers.dtypes.to_dict())
        return replace(data, offers=frame)

    return make


AN_OFFER: dict[str, object] = {
    "provider": "lambda",
    "upstream": "",
    "instance": "gpu_1x",
    "region": "",
    "country": "",
    "gpu": "h100-sxm",
    "gpu_count": 1.0,
    "gpu_interconnect": "",
    "node_network": "",
    "node_network_gbps": None,
    "vcpus": 26.0,
    "ram_gib": 200.0,
    "disk_gb": None,
    "disk_kind": "",
    "pricing_model": "on_demand",
    "tier": "",
    "price_hour": 3.0,
    "currency": "USD",
    "price_usd_hour": 3.0,
    "price_usd_gpu_hour": 3.0,
    "availability": "",
    "source": "curated",
    "source_url": "https://exemplo.com/precos",
    "collected_at": pd.Timestamp("2026-11-20", tz="UTC"),
    "flags": "",
}
