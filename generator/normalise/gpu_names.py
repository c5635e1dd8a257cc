"""From the name that a source writes to the id of `data/gpus.csv`, by whole words, never by a piece of one.

What the machine's name says comes first, the memory second. A name without its form factor becomes the id that says
so; a name that could be two different cards, or that holds a word nobody knows, stays out for a person to look at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache

from generator.tables.gpu_aliases import Alias

_FORM_WORDS = {
    "sxm": "sxm",
    "hgx": "sxm",
    "oam": "oam",
    "pcie": "pcie",
    "pci": "pcie",
    "nvl": "nvl",
    "nvlink": "nvlink",
}
_NOISE = frozenset({"nvidia", "amd", "intel", "tesla", "geforce", "instinct", "gpu", "tensor", "core", "hbm2", "hbm2e",
                    "hbm3", "hbm3e", "gddr6", "gddr6x", "gddr7", "mod", "ac"})  # fmt: skip
_GLUED = (
    (re.compile(r"\b(rtx|gtx)(?=[a-z0-9])"), r"\1 "),
    (re.compile(r"\bpro(?=a?\d)"), "pro "),
    (re.compile(r"(?<=\d)ada\b"), " ada"),
    (re.compile(r"\b(\d+) ?(?:gb|gib|g)\b"), r"\1gb"),
    (re.compile(r"\bsxm\d"), "sxm"),
    (re.compile(r"\b(sxm|pcie|[a-z]\d+)x(\d+)\b"), r"\1 x\2"),
    (re.compile(r"\b(\d+)x(?=[a-z])"), r"\1x "),
)
_MEMORY = re.compile(r"(\d+)gb")
_MIG = re.compile(r"\d+g\.(\d+)gb")
_TOLERANCE = 0.08  # drivers report up to 7 % less than the maker prints, and GiB are written as GB
_NEAR = (-_TOLERANCE, _TOLERANCE)
_EXACT = (-0.02, 0.01)  # where the memory is all that tells two cards apart, it has to be that of one of them
_SLICES = tuple(1 / parts for parts in (2, 3, 4, 6, 7, 8, 12, 16, 24))
_MODIFIED_FROM = 1.3
_NO_CARD = {"not_gpu": "not_gpu", "not_tracked": "gpu_not_tracked"}


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a row says about its card."""

    name: str
    provider: str = ""
    instance: str = ""
    memory: Decimal | None = None
    memory_unit: str = "gb"
    count: Decimal = Decimal(1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The card and how many of it, or the reason why no card is named."""

    gpu: str = ""
    count: Decimal | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class GpuNames:
    """The alias table, with the nominal memory in GB of each card."""

    aliases: tuple[Alias, ...]
    memory_gb: Mapping[str, float]
    modifiable: frozenset[str] = frozenset()  # cards that some sellers offer with memory added
    _by_name: dict[str, list[Alias]] = field(default_factory=dict)
    _machines: dict[str, list[Alias]] = field(default_factory=dict)
    _patterns: list[Alias] = field(default_factory=list)
    _no_cards: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for alias in self.aliases:
            if alias.status in _NO_CARD:
                self._patterns.append(alias)
            index, key = (self._machines, alias.provider) if alias.instance else (self._by_name, alias.name)
            index.setdefault(key, []).append(alias)

    def resolve(self, seen: Sighting) -> Verdict:
        """Return the card that the row speaks of."""
        words = _taken_apart(seen.name)
        machine = self._machine(seen)
        if machine:
            return self._with_memory(machine, seen, words)
        if not words.model:
            return Verdict(reason="gpu_unknown" if seen.name.strip() else "gpu_missing", detail=seen.name)
        if reason := self._no_card(words.model):
            return Verdict(reason=reason, detail=seen.name)
        rows = self._by_name.get(words.model, [])
        return self._variant(rows, seen, words) if rows else Verdict(reason="gpu_unknown", detail=seen.name)

    def _machine(self, seen: Sighting) -> str:
        rows = self._machines.get(seen.provider, ())
        return next((row.gpu for row in rows if fnmatchcase(seen.instance, row.instance)), "")

    def _no_card(self, model: str) -> str:
        if model not in self._no_cards:
            found = (_NO_CARD[row.status] for row in self._patterns if fnmatchcase(model, row.name))
            self._no_cards[model] = next(found, "")
        return self._no_cards[model]

    def _variant(self, rows: list[Alias], seen: Sighting, words: _Words) -> Verdict:
        """Choose between the variants of one name: form factor first, as the machine's name tells it, memory next."""
        form = _form(_taken_apart(seen.instance).forms, words.forms)
        told = _told_memory(seen, words)
        ids = [row.gpu for row in rows if form in row.forms and row.status == "gpu"]
        every = [row.gpu for row in rows] if form == "-" and ids else []
        choices = ((ids, Decimal(1), _NEAR), (ids, seen.count, _NEAR), (every, Decimal(1), _EXACT))
        fitting = next((fit for among, share, how in choices if (fit := self._fitting(among, told, share, how))), [])
        if len(set(fitting)) == 1:
            return self._with_memory(fitting[0], seen, words)
        if len(ids) == 1:
            return self._with_memory(ids[0], seen, words)
        return Verdict(
            reason="gpu_variant_unknown", detail=f"{seen.name}: {', '.join(sorted(row.gpu for row in rows if row.gpu))}"
        )

    def _fitting(
        self, gpus: list[str], told: tuple[Decimal, str] | None, count: Decimal, within: tuple[float, float]
    ) -> list[str]:
        return [gpu for gpu in gpus if self._fits(gpu, told, count, within)]

    def _fits(
        self, gpu: str, told: tuple[Decimal, str] | None, count: Decimal, within: tuple[float, float] = _NEAR
    ) -> bool:
        if told is None:
            return True
        nominal = self.memory_gb[gpu]
        return any(within[0] <= value / nominal - 1 <= within[1] for value in _readings(told, count))

    def _with_memory(self, gpu: str, seen: Sighting, words: _Words) -> Verdict:
        """Return the card with its count, a slice where the memory is that of one, or the contradiction."""
        told = _told_memory(seen, words)
        count = seen.count
        if told is None or self._fits(gpu, told, count):
            if words.mig and told is None:
                return Verdict(reason="gpu_variant_unknown", detail=seen.name)
            if count <= 0 or (count > 1 and count % 1):
                return Verdict(reason="count_unreadable", detail=str(count))
            return Verdict(gpu, count, ("fraction",) if count < 1 else ())
        return self._contradicted(gpu, told, count)

    def _contradicted(self, gpu: str, told: tuple[Decimal, str], count: Decimal) -> Verdict:
        nominal = self.memory_gb[gpu]
        value = _readings(told, Decimal(1))[0]
        share = min(_SLICES, key=lambda part: abs(part - value / nominal))
        if abs(share * nominal / value - 1) <= _TOLERANCE and count <= 1:
            return Verdict(gpu, Decimal(repr(round(share, 6))), ("fraction",))
        if value >= nominal * _MODIFIED_FROM and gpu in self.modifiable:
            return Verdict(gpu, count, ("modified",))
        return Verdict(reason="gpu_memory_mismatch", detail=f"{gpu}: {float(value):g} GB, e não {nominal:g}")


@dataclass(frozen=True, slots=True)
class _Words:
    """A name taken apart: the words of the model, the form factors, the memory written in it."""

    model: str
    forms: tuple[str, ...]
    memory: Decimal | None
    mig: bool


@lru_cache(maxsize=100_000)
def _taken_apart(name: str) -> _Words:
    text = name.casefold()
    mig = _MIG.search(text)
    text = _MIG.sub(" ", text) if mig else text
    text = re.sub(r"[^a-z0-9]+", " ", text)
    for pattern, into in _GLUED:
        text = pattern.sub(into, text)
    words = text.split()
    memory = next((_MEMORY.fullmatch(word) for word in words if _MEMORY.fullmatch(word)), None) or mig
    forms = tuple(_FORM_WORDS[word] for word in words if word in _FORM_WORDS)
    plain = (word for word in words if word not in _FORM_WORDS and not _MEMORY.fullmatch(word))
    model = " ".join(word for word in plain if word not in _NOISE and word != "mig")
    return _Words(model, forms, Decimal(memory[1]) if memory else None, bool(mig) or "mig" in words)


def _form(of_machine: tuple[str, ...], of_card: tuple[str, ...]) -> str:
    """Return the form factor; a link between cards is only a weak hint of it."""
    plain = [form for form in (*of_machine, *of_card) if form != "nvlink"]
    return plain[0] if plain else "nvlink" if "nvlink" in (*of_machine, *of_card) else "-"


def _told_memory(seen: Sighting, words: _Words) -> tuple[Decimal, str] | None:
    """Return the memory of one card as its name says, else as its field says; GB in a machine's name may be RAM."""
    if words.memory is not None:
        return words.memory, "gb"
    if seen.memory is None or seen.memory <= 0:
        return None
    mislabelled = seen.memory_unit == "mib" and seen.memory < 1000  # some sources write GB under a MiB label
    return seen.memory, "gb" if mislabelled else seen.memory_unit


def _readings(told: tuple[Decimal, str], count: Decimal) -> list[float]:
    """Return what the number may mean, in GB: as GB, as GiB, and each as the total of all cards of the machine."""
    value, unit = told
    gb = float(value) * 1.048576 / 1000 if unit == "mib" else float(value)
    single = [gb, gb / 1.073741824 if unit == "mib" else gb * 1.073741824]
    return single + [reading / float(count) for reading in single if count > 1]
