"""Everything a page is made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from generator.dataset import Dataset


@dataclass(frozen=True)
class Site:
    """The dataset, the day on which it is read, and where the project is."""

    data: Dataset
    today: date
    root: Path
