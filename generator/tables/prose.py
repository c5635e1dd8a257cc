"""What the rules of prose lean on: `data/prosa.yml`, `data/palavras.txt` and `data/pauta.yml`."""

from __future__ import annotations

from dataclasses import dataclass

from generator import cells
from generator.problems import Problem
from generator.records import Record, yaml_record

_LISTS = (
    "currency_words", "number_words", "price_phrases", "stock_phrases", "counted_words", "vague_links",
    "weak_openings",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProseLists:
    """Closed lists of words by name, the accents that are often forgotten, and how many words a guide has."""

    words: dict[str, tuple[str, ...]]
    missing_accents: dict[str, str]
    guide_words: range


@dataclass(frozen=True, slots=True)
class Promises:
    """What a guide promises to say: its points by id, and those that its FAQ answers."""

    points: dict[str, str]
    questions: tuple[str, ...]


def parse_prose_lists(text: str, path: str) -> tuple[ProseLists, list[Problem]]:
    """Return the lists, and every problem of the file."""
    root = yaml_record(text, path)
    accents = root.child("missing_accents")
    lists = ProseLists(
        words={name: root.need(name, cells.list_of(cells.text)) or () for name in _LISTS},
        missing_accents={name: accents.need(name, cells.text) for name in accents.keys},
        guide_words=root.need("guide_words", _between),
    )
    return lists, root.problems


def parse_promises(text: str, path: str) -> tuple[dict[str, Promises], list[Problem]]:
    """Return what each guide promises, by guide."""
    root = yaml_record(text, path)
    promises = {guide: _promises(root.child(guide)) for guide in root.keys}
    return promises, root.problems


def parse_words(text: str, path: str) -> tuple[dict[str, int], list[Problem]]:
    """Return the words of the project with their lines; one a line, `#` begins a remark."""
    words: dict[str, int] = {}
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.partition("#")[0].strip()
        if word in words:
            found = f"«{word}» repetida (já na linha {words[word]})"
            problems.append(Problem(path, number, 1, found, "cada palavra uma vez", "apague uma das duas"))
        elif word:
            words[word] = number
    return words, problems


def _promises(entry: Record) -> Promises:
    points = entry.child("points")
    return Promises(
        {point: points.need(point, cells.text) for point in points.keys},
        entry.need("questions", cells.list_of(cells.one_of(points.keys))) or (),
    )


def _between(raw: object) -> range:
    limits = cells.list_of(cells.integer)(raw)
    if len(limits) != 2 or limits[0] >= limits[1]:
        raise cells.RefusedError("limites fora de ordem", "[mínimo, máximo]", "acerte os dois números")
    return range(limits[0], limits[1] + 1)
