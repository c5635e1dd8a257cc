"""What the search of the site knows: the words of every page and section, folded, and the words that stand for others.

The browser matches words; which words a page has, and which ones mean the same, is decided here at build time.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from html import unescape

from generator.dataset import Dataset
from generator.pages.structured import plain_text

_HEADING = re.compile(r'<h([23])\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</h\1>', re.DOTALL)
_TABLES = re.compile(r"<(table|form|svg|button)\b.*?</\1>", re.DOTALL)
_WORD = re.compile(r"[a-z0-9]+")
_LONG_ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page and the distinct words below it; the first section of a page has no anchor."""

    anchor: str
    heading: str
    words: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of the index; the address is relative to the root of the site."""

    url: str
    title: str
    description: str
    sections: tuple[Section, ...]


def fold(text: str) -> str:
    """Return the text in lower case without accents: `Memória` → `memoria`."""
    decomposed = unicodedata.normalize("NFD", text.lower())
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def words(text: str) -> list[str]:
    """Return the distinct folded words of a text, in order of appearance."""
    return list(dict.fromkeys(word for word in _WORD.findall(fold(text)) if len(word) >= _LONG_ENOUGH))


def search_page(url: str, title: str, description: str, html: str) -> SearchPage:
    """Return the entry of a page; tables stay out, because a price is found by sorting and not by reading."""
    prose = _TABLES.sub(" ", html)
    headings = list(_HEADING.finditer(prose))
    starts = [*(heading.start() for heading in headings), len(prose)]
    return SearchPage(
        url,
        title,
        description,
        (
            _section("", "", f"{description} {plain_text(prose[: starts[0]])}"),
            *(
                _section(heading[2], unescape(plain_text(heading[3])), plain_text(prose[heading.end() : end]))
                for heading, end in zip(headings, starts[1:], strict=True)
            ),
        ),
    )


def _section(anchor: str, heading: str, text: str) -> Section:
    return Section(anchor, heading, " ".join(words(text)))


def synonyms(data: Dataset) -> dict[str, str]:
    """Return the words the pages use for words people type: English, forms to avoid, and a short list of our own."""
    found: dict[str, set[str]] = {}
    for term in data.terms:
        preferred = {word for form in term.preferred for word in words(re.sub(r"\([^)]*\)", "", form))}
        for form in (term.english, *(avoided.form for avoided in term.avoid)):
            if len(alone := words(form)) == 1 and alone[0] not in preferred:
                found.setdefault(alone[0], set()).update(preferred)
    for word, others in data.vocabularies.get("search_synonyms", {}).items():
        found[word] = set(words(others))
    return {word: " ".join(sorted(others)) for word, others in sorted(found.items())}


def as_json(pages: list[SearchPage], data: Dataset) -> str:
    """Return the index that the browser loads when somebody opens the search."""
    found = [
        [page.url, page.title, page.description, [[s.anchor, s.heading, s.words] for s in page.sections]]
        for page in sorted(pages, key=lambda page: page.url)
    ]
    return json.dumps({"sinonimos": synonyms(data), "paginas": found}, ensure_ascii=False, separators=(",", ":"))
