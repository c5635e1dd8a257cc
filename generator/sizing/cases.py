"""Published measurements as typed rows (`data/sizing/reference_cases.csv` and any file with its columns)."""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass
from io import StringIO

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
    value: float
    run: dict[str, str]

    def number(self, column: str) -> float | None:
        """Return a column as a number, or nothing where the source does not say."""
        text = self.run[column]
        try:
            return float(text)
        except ValueError:
            return None

    def at_least_one(self, column: str) -> float:
        """Return a column as a number of GPUs or sequences; empty means one."""
        return self.number(column) or 1.0


def parse_cases(text: str) -> list[Case]:
    """Return the measurements, in file order; a column that the file lacks counts as empty.

    Raises:
        ValueError: a row has no number in `value`.
    """
    rows = csv.DictReader(StringIO(text.removeprefix("\ufeff")))
    return [_case(line, row) for line, row in enumerate(rows, start=2)]


def _case(line: int, row: dict[str, str]) -> Case:
    known = {name: plain(row.get(name) or "") for name in COLUMNS}
    try:
        value = float(known["value"])
    except ValueError as error:
        raise ValueError(f"linha {line}: a coluna value não tem um número") from error
    run = {name: text for name, text in known.items() if name not in MEASURED}
    return Case(known["case_id"], known["category"], known["metric"], known["unit"], known["quality"], value, run)


def plain(text: str) -> str:
    """Return the text without accents, so that tables match either spelling."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).strip()
