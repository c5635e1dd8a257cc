"""Published measurements as typed rows (`data/sizing/reference_cases.csv` and any file with its columns)."""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass
from io import StringIO
from math import isfinite

COLUMNS = (
    "case_id", "category", "metric", "value", "unit", "value_gib", "quality", "model_id", "method", "weight_dtype",
    "quant_scheme", "optimizer", "grad_dtype", "lora_rank", "lora_targets", "micro_batch", "seq_len", "gen_tokens",
    "grad_accum", "packed", "attention", "checkpointing", "loss_impl", "compiled", "kv_dtype", "framework", "gpu",
    "n_gpus", "zero_stage", "tp", "pp", "vpp", "ep", "cp", "dp", "seq_parallel", "offload", "image_shape", "steps",
    "measure", "source_title", "source_where", "source_date", "notes",
)  # fmt: skip
MEASURED = ("value", "value_gib", "unit", "measure")  # columns that only comparing with a prediction may read


@dataclass(frozen=True, slots=True)
class Case:
    """One measured run: `run` holds every column that describes it, as text without accents; empty when unknown."""

    case_id: str
    category: str
    metric: str
    unit: str
    quality: str
    value: float | None  # as measured; nothing where the row has no number
    run: dict[str, str]
    reading: str  # what was read and how; only the global batch of an iteration is taken from it

    def number(self, column: str) -> float | None:
        """Return a column as a number, or nothing where the source does not say."""
        return number(self.run[column])

    def at_least_one(self, column: str) -> float:
        """Return a column as a number of GPUs or sequences; empty means one."""
        return self.number(column) or 1.0


def parse_cases(text: str) -> list[Case]:
    """Return the measurements, in file order; a column that the file lacks counts as empty."""
    return [_case(row) for row in csv.DictReader(StringIO(text.removeprefix("\ufeff")))]


def _case(row: dict[str, str]) -> Case:
    known = {name: plain(row.get(name) or "") for name in COLUMNS}
    run = {name: text for name, text in known.items() if name not in MEASURED}
    return Case(
        case_id=known["case_id"],
        category=known["category"],
        metric=known["metric"],
        unit=known["unit"],
        quality=known["quality"],
        value=number(known["value"]),
        run=run,
        reading=known["measure"],
    )


def number(text: str) -> float | None:
    """Return the number a cell holds, or nothing."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def plain(text: str) -> str:
    """Return the text without accents, so that tables match either spelling."""
    if text.isascii():  # most cells are, and a score reads thousands
        return text.strip()
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).strip()
