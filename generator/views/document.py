"""What a page from data says: blocks free of markup, which `pages` turns into HTML and into Markdown.

Sentences may carry `**bold**` and `[words](~/path/)`, nothing else. Addresses that start with `~/` are below the site.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from generator.views.offer_rows import Cell, OfferRow


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of a table: its text, the value that orders it, where it leads and a remark in small print."""

    text: str
    sort: str = ""
    href: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column and whether its cells are numbers."""

    title: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs."""

    kind: ClassVar[str] = "text"
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A remark in small print: sources, limits, how to read."""

    kind: ClassVar[str] = "note"
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of sentences."""

    kind: ClassVar[str] = "bullets"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first cell of each row names the row."""

    kind: ClassVar[str] = "table"
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """Offers of one pricing model."""

    id: str
    title: str
    note: str
    rows: tuple[OfferRow, ...]


@dataclass(frozen=True, slots=True)
class Offers:
    """The table of offers, by pricing model; `name` is the id of what they are of."""

    kind: ClassVar[str] = "offers"
    name: str
    caption: str
    rank_label: str
    groups: tuple[OfferGroup, ...]

    @property
    def count(self) -> int:
        """Return how many offers there are."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar: what it is, its size, and the size in words."""

    name: str
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars made of parts, one unit for all; `summary` says in words what they show."""

    kind: ClassVar[str] = "bars"
    title: str
    summary: str
    bars: tuple[tuple[str, tuple[Part, ...], str], ...]  # label, parts, total in words
    table: Table


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a map: its name, place on both axes, and where it leads."""

    name: str
    x: float
    y: float
    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Dots:
    """A map of points over two logarithmic axes."""

    kind: ClassVar[str] = "dots"
    title: str
    summary: str
    x_label: str
    y_label: str
    dots: tuple[Dot, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Moment:
    """A day of a history: median, lowest and highest of some providers."""

    day: date
    median: float
    low: float
    high: float
    providers: int

    @property
    def values(self) -> tuple[float, float, float, int]:
        """Return all that can change from a day to the next."""
        return self.median, self.low, self.high, self.providers


@dataclass(frozen=True, slots=True)
class History:
    """Median and range over days; a day without prices is a gap."""

    kind: ClassVar[str] = "history"
    title: str
    summary: str
    moments: tuple[Moment, ...]
    table: Table


Block = Text | Note | Bullets | Table | Offers | Bars | Dots | History


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a page, reachable by its id."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A page from data; `day` is the newest date of the data it shows, nothing where none is dated."""

    url: str
    title: str  # of the window and of search results
    heading: str
    description: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    parent: tuple[str, str]  # name and address of the index it belongs to
    day: date | None = None
    search_words: tuple[str, ...] = field(default=())


def entry(cell: Cell, note: str = "", href: str = "") -> Entry:
    """Return a cell of the comparison as an entry."""
    return Entry(cell.text, cell.sort, href, note)


def fitted(sentences: list[str], most: int = 158) -> str:
    """Return as many of the sentences as fit a search result, in order; the first one always."""
    text = sentences[0]
    for sentence in sentences[1:]:
        if len(text) + 1 + len(sentence) <= most:
            text = f"{text} {sentence}"
    return text
