"""A page as an editor wrote it: its prose apart from code, data and addresses, every part with its place.

The masks have the length of the text, with spaces where something was taken out, so that an offset in a mask is an
offset in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from generator.pages import front_matter
from generator.problems import Problem

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_SHORTCODE = re.compile(r"\{\{.*?(?:\}\}|$)", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\{[: ]*[#.][^{}\n]*\}")
_TARGET = re.compile(r"(?<=\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_AUTOLINK = re.compile(r"<https?://[^>\s]*>|\bhttps?://[^\s)>]*")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_SEEN = re.compile(r"^(?:title|description):[ \t]*([^\n]*)", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)(?:[ \t]*\{[: ]*#([^\s{}]+)[^{}\n]*\})?[ \t]*$", re.MULTILINE)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?(?P<target>[^)\s>]*)>?(?:\s+[\"'][^)]*)?\s*\)"
)
_MARK = re.compile(r"<!--[ \t]*(?P<kind>pauta|silenciar):[ \t]*(?P<body>[^\n]*?)[ \t]*-->")
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: where it starts, its level, its words and its explicit id, empty when there is none."""

    at: int
    level: int
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image: where it starts, its words and its target as written."""

    at: int
    text: str
    target: str
    is_image: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A comment for the gate: `pauta` ties a paragraph to points, `silenciar` lets a line break a rule."""

    at: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the FAQ with its answer, and the offset and anchor of its heading."""

    at: int
    id: str
    text: str
    answer: str
    answer_at: int


@dataclass(frozen=True)
class Document:
    """One file of `content/`; `path` is relative to that folder."""

    path: str
    text: str
    workload: str = ""

    @classmethod
    def read(cls, path: str, source: str, workload: str = "") -> Document:
        """Return the page, however it was saved (BOM, CRLF)."""
        return cls(path, source.removeprefix("\ufeff").replace("\r\n", "\n"), workload)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset."""
        line = bisect_right(self._line_starts, at)
        return line, at - self._line_starts[line - 1] + 1

    def problem(self, at: int, found: str, expected: str, todo: str, rule: str = "") -> Problem:
        """Return a problem at an offset of this page."""
        return Problem(f"content/{self.path}", *self.place(at), found, expected, todo, rule)

    @cached_property
    def body_at(self) -> int:
        """Return the offset where the front matter ends."""
        return len(self.text) - len(front_matter.split(self.text)[1])

    @cached_property
    def _summary(self) -> str:
        """Return the front matter with only the words that readers see: title and description."""
        kept = [" "] * self.body_at
        for match in _SEEN.finditer(self.text, 0, self.body_at):
            kept[match.start(1) : match.end(1)] = match[1]
        starts = (at - 1 for at in self._line_starts[1:] if at <= self.body_at)
        for line_end in starts:
            kept[line_end] = "\n"
        return "".join(kept)

    @cached_property
    def uncoded(self) -> str:
        """Return the text without front matter and code; comments stay."""
        return _blank(_blank(" " * self.body_at + self.text[self.body_at :], _FENCE), _CODE)

    @cached_property
    def markup(self) -> str:
        """Return the text without front matter, code and comments; links, headings and shortcodes stay."""
        return _blank(self.uncoded, _COMMENT)

    @cached_property
    def prose(self) -> str:
        """Return what a reader reads of what the editor typed: no code, data, addresses, ids or tags."""
        text = self._summary + self.markup[self.body_at :]
        for pattern in (_SHORTCODE, _ATTRIBUTES, _TARGET, _AUTOLINK, _TAG):
            text = _blank(text, pattern)
        return text

    @cached_property
    def headings(self) -> list[Heading]:
        """Return every heading in order."""
        return [Heading(m.start(), len(m[1]), m[2].strip(), m[3] or "") for m in _HEADING.finditer(self.markup)]

    @cached_property
    def links(self) -> list[Link]:
        """Return every link and image in order."""
        return [Link(m.start(), m["text"], m["target"], bool(m["image"])) for m in _LINK.finditer(self.markup)]

    @cached_property
    def marks(self) -> list[Mark]:
        """Return every comment for the gate outside code, in order."""
        return [Mark(m.start(), m["kind"], m["body"]) for m in _MARK.finditer(self.uncoded)]

    @cached_property
    def blocks(self) -> list[tuple[int, str]]:
        """Return offset and text of each run of lines between blank lines, comments included."""
        return [(m.start(), m[0].rstrip("\n")) for m in _BLOCK.finditer(self.uncoded) if m[0].strip()]

    @cached_property
    def questions(self) -> list[Question]:
        """Return the questions under the heading `perguntas-frequentes`."""
        return list(self._questions())

    def _questions(self) -> Iterator[Question]:
        is_faq = False
        for number, heading in enumerate(self.headings):
            if heading.level <= 2:
                is_faq = heading.id == "perguntas-frequentes"
            elif is_faq and heading.level == 3:
                end = self.text.find("\n", heading.at)
                start = len(self.text) if end < 0 else end
                stop = self.headings[number + 1].at if number + 1 < len(self.headings) else len(self.text)
                answer = self.prose[start:stop]
                answer_at = start + len(answer) - len(answer.lstrip())
                yield Question(heading.at, heading.id, heading.text, " ".join(answer.split()), answer_at)


def _blank(text: str, pattern: re.Pattern[str]) -> str:
    """Return the text with spaces in place of what the pattern finds; line ends stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
