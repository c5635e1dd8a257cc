"""How far the sizing is from published measurements: the tables of the methodology page, computed at every build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator import formatting as fmt
from generator.dataset import Dataset
from generator.sizing.bands import UNKNOWN_PROFILE
from generator.sizing.cases import Case
from generator.sizing.crossval import leave_one_source_out
from generator.sizing.predict import Library
from generator.sizing.rows import Band, Constant, MoneyConstant, Profile
from generator.sizing.score import SCORED, Scored, Summary, score, summaries
from generator.views.offer_rows import Cell, sort_key
from generator.views.score_report import CATEGORIES

METHODS = {"full": "completo", "lora": "LoRA", "qlora": "QLoRA", "inference": "inferência", "": "todos"}
TASKS = {"training": "treino", "inference": "inferência", "pipeline": "imagem, vídeo e áudio", "": "todos"}
READINGS = {
    "allocated": "pico alocado pelo PyTorch",
    "reserved": "memória reservada pelo alocador",
    "process": "memória do processo",
    "log": "registro do próprio motor",
    "need": "planejamento",
}
BANDS_OF = ("train_memory", "infer_memory", "diffusion_memory", "audio_memory", "kv_capacity")


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """Errors of a group of measurements; `held_out` are the same without what their own source taught."""

    name: str
    method: str
    profile: str
    numbers: tuple[Cell, ...]  # n, median, p90, worst, within 10%, in band, half-width
    held_out: tuple[Cell, ...]  # median, p90, within 10%


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Everything the methodology page says about errors."""

    summary: str
    categories: tuple[AccuracyRow, ...]
    groups: tuple[AccuracyRow, ...]
    reasons: tuple[tuple[str, str], ...]  # how many rows with their names, and why they cannot be computed


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A profile, what it is for, what it supposes, and its error band."""

    name: str
    task: str
    description: str
    reading: str
    band: str


def accuracy(data: Dataset) -> Accuracy:
    """Return predictions against every published measurement of quality A and B. Takes about a second."""
    library = Library(data.models, data.knowledge, data.gpus)
    cases = [case for case in data.cases if case.quality in SCORED]
    rows = score(cases, library)
    every, apart = summaries(rows), _held_out(cases, library)
    return Accuracy(
        summary=_in_words(rows, every),
        categories=tuple(_row(each, data, apart[each.category]) for each in every if _whole(each)),
        groups=tuple(_row(each, data, None) for each in sorted(every, key=_order) if not _whole(each)),
        reasons=tuple(_reasons(rows)),
    )


def _whole(each: Summary) -> bool:
    return not each.method and not each.profile


def _order(each: Summary) -> tuple[int, str, str]:
    return (list(CATEGORIES).index(each.category), each.method, each.profile)


def _held_out(cases: Sequence[Case], library: Library) -> dict[str, Summary]:
    found = summaries(leave_one_source_out(cases, library))
    return {each.category: each for each in found if _whole(each)}


def _in_words(rows: Sequence[Scored], every: Sequence[Summary]) -> str:
    done = sum(row.error is not None for row in rows)
    training = next(each for each in every if each.category == "train_memory" and _whole(each))
    memory = [row for row in rows if row.error is not None and row.category in BANDS_OF and row.half_width]
    inside = sum(abs(row.error or 0) <= (row.half_width or 0) for row in memory) / len(memory)
    return (
        f"De {fmt.count(len(rows), 'medição publicada', 'medições publicadas')}, {fmt.number(done)} puderam ser "
        f"calculadas. Na memória de treino, o erro mediano é de {_share(training.median)} e nove em cada dez ficam "
        f"abaixo de {_share(training.p90)}. Das {fmt.number(len(memory))} medições de memória de todo tipo, "
        f"{fmt.percent(inside)} caem dentro da faixa impressa ao lado do número."
    )


def _row(each: Summary, data: Dataset, held_out: Summary | None) -> AccuracyRow:
    profile = data.knowledge.profiles.get(each.profile)
    shares = (each.median, each.p90, each.worst, each.within_10, each.in_band, each.half_width)
    apart = (held_out.median, held_out.p90, held_out.within_10) if held_out else ()
    return AccuracyRow(
        name=CATEGORIES.get(each.category, each.category),
        method=METHODS.get(each.method, each.method),
        profile=profile.name if profile else "todos",
        numbers=(Cell(fmt.number(each.n), str(each.n)), *map(_cell, shares)),
        held_out=tuple(map(_cell, apart)),
    )


def _cell(value: float | None) -> Cell:
    return Cell(_share(value), "" if value is None else sort_key(value))


def _share(value: float | None) -> str:
    return "—" if value is None else fmt.percent(value, 1)


def _reasons(rows: Sequence[Scored]) -> list[tuple[str, str]]:
    missing = [row for row in rows if row.predicted is None]
    counted = Counter(row.reason for row in missing).most_common()
    return [(", ".join(row.case_id for row in missing if row.reason == why), why) for why, _ in counted]


def profiles(data: Dataset) -> list[ProfileRow]:
    """Return every profile that a sizing may name."""
    known = data.knowledge.profiles.values()
    return [_profile(profile, data) for profile in known if profile.task]


def _profile(profile: Profile, data: Dataset) -> ProfileRow:
    bands = [data.knowledge.bands.get((category, profile.id)) for category in BANDS_OF]
    return ProfileRow(
        name=profile.name,
        task=TASKS[profile.task],
        description=profile.description,
        reading=READINGS.get(profile.reading, profile.reading),
        band=next((_band(band) for band in bands if band), "") or _unmeasured(profile),
    )


def _band(band: Band) -> str:
    rows = fmt.count(band.rows, "medição", "medições")
    return f"±{fmt.percent(band.half_width, 1)} ({rows} de {fmt.count(band.sources, 'fonte', 'fontes')})"


def _unmeasured(profile: Profile) -> str:
    if profile.task == "training":
        return f"±{fmt.percent(UNKNOWN_PROFILE)} (suposição: sem medição que sirva)"
    return "memória sem medição própria: vale a faixa de todas"


def assumptions(data: Dataset) -> list[tuple[str, str]]:
    """Return each number that nobody measured and no document gives, and where it is used."""
    knowledge = data.knowledge
    used: dict[str, list[str]] = {}
    for row in (row for group in knowledge.constants.values() for row in group if row.basis == "assumption"):
        used.setdefault(f"{row.source}: {_amount(row)}", []).append(knowledge.profiles[row.profile].name)
    money = [
        (row.source.removeprefix("suposição: ") + _share_of(row), row.label)
        for row in knowledge.money.values()
        if row.basis == "assumption"
    ]
    return [(text, fmt.words(names)) for text, names in used.items()] + money


def _share_of(row: MoneyConstant) -> str:
    return f": {fmt.percent(row.value)}" if row.unit == "fração" else ""


def _amount(row: Constant) -> str:
    return fmt.percent(row.value) if row.key.endswith(("ratio", "headroom")) else fmt.quantity(row.value, "GiB", 2)
