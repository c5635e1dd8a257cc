"""A rule of prose, and what every rule may look at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from generator.model import Gpu, Term, Workload
from generator.prose.document import Document
from generator.tables.prose import Promises, ProseLists


class Speller(Protocol):
    """A Portuguese dictionary."""

    def knows(self, word: str) -> bool:
        """Return whether the word is spelled right."""

    def suggestions(self, word: str) -> Collection[str]:
        """Return words that may have been meant, the likeliest first."""


class Finding(NamedTuple):
    """What a rule found at an offset of a document: found, expected, what to do."""

    at: int
    found: str
    expected: str
    todo: str


@dataclass(frozen=True)
class Project:
    """Every page, and what the rules lean on.

    `words` are the project's own words, `names` the words of names in the tables; `anchors` are the ids of each
    rendered page by path. Without a `speller`, spelling is not checked.
    """

    documents: tuple[Document, ...]
    lists: ProseLists
    terms: tuple[Term, ...] = ()
    promises: Mapping[str, Promises] = field(default_factory=dict)
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    gpus: Mapping[str, Gpu] = field(default_factory=dict)
    words: Collection[str] = frozenset()
    names: Collection[str] = frozenset()
    anchors: Mapping[str, Collection[str]] = field(default_factory=dict)
    speller: Speller | None = None

    @property
    def guides(self) -> list[Document]:
        """Return the pages tied to a workload."""
        return [document for document in self.documents if document.workload]


Check = Callable[[Document, Project], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule: what it asks in one Portuguese sentence, and the function that finds where it is broken."""

    name: str
    asks: str
    check: Check
