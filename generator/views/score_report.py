"""The answer of `score` for people and for programs, and the accuracy table of the methodology page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from generator import formatting as fmt
from generator.sizing.score import SCORED, Scored, Summary, as_json, summaries

CATEGORIES = {
    "train_memory": "memória de treino",
    "infer_memory": "memória de inferência",
    "weights_memory": "pesos",
    "kv_capacity": "capacidade do cache KV",
    "train_throughput": "vazão de treino",
    "train_time": "horas de treino",
    "decode_speed": "velocidade de uma resposta",
    "serving_throughput": "vazão de servidor",
    "diffusion_memory": "memória de difusão",
    "diffusion_time": "tempo de difusão",
    "audio_memory": "memória de áudio",
}
HEADER = ("medida", "método", "perfil", "n", "sem cálculo", "mediana", "p90", "pior", "até 10%", "na banda", "banda")


def json_text(rows: Sequence[Scored]) -> str:
    """Return rows and summaries as JSON."""
    return json.dumps(as_json(rows), ensure_ascii=False)


def cells(summary: Summary) -> tuple[str, ...]:
    """Return a summary as the cells of a table."""
    shares = (summary.within_10, summary.in_band)
    return (
        CATEGORIES.get(summary.category, summary.category or "sem categoria"),
        summary.method or "todos",
        summary.profile or "todos",
        fmt.number(summary.n),
        fmt.number(summary.not_computed),
        *(_share(value, 1) for value in (summary.median, summary.p90, summary.worst)),
        *(_share(value, 0) for value in shares),
        f"±{_share(summary.half_width, 1)}",
    )


def _share(value: float | None, places: int) -> str:
    return "—" if value is None else fmt.percent(value, places)


def as_text(rows: Sequence[Scored]) -> str:
    """Return the summaries as a table, how many rows were left out of them, and each row without a prediction."""
    table = [HEADER, *(cells(each) for each in summaries(rows))]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    return "\n".join([*lines, "", *_left_out(rows), *_not_computed(rows)])


def _left_out(rows: Sequence[Scored]) -> list[str]:
    unscored = sum(row.quality not in SCORED for row in rows)
    return [f"{fmt.count(unscored, 'linha', 'linhas')} de qualidade C ou X fora do resumo."] if unscored else []


def _not_computed(rows: Sequence[Scored]) -> list[str]:
    missing = [row for row in rows if row.predicted is None]
    if not missing:
        return ["Todas as linhas foram calculadas."]
    reasons = Counter(row.reason for row in missing)
    title = f"{fmt.count(len(missing), 'linha sem cálculo', 'linhas sem cálculo')}:"
    ids = {why: ", ".join(row.case_id for row in missing if row.reason == why) for why in reasons}
    return [title, *(f"  {count} — {why}: {ids[why]}" for why, count in reasons.most_common())]
