"""How hard a page is to read: figures for who edits, never a reason to refuse a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.prose.document import Document
from generator.prose.words import words

_SENTENCE_END = re.compile(r"[.!?…:](?=\s|$)|\n\s*\n")
_VOWELS = re.compile(r"[aeiouáéíóúâêôãõàü]+", re.IGNORECASE)
_HIATUS = re.compile(r"[íú]|[aeo][aeo]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Readability:
    """Words, words per sentence and the Flesch ease of reading for Portuguese (0 hard, 100 easy)."""

    path: str
    words: int
    words_per_sentence: float
    ease: float


def readability(document: Document) -> Readability:
    """Return the figures of a page.

    The ease is Flesch's, with the constant that Martins, Ghiraldelo, Nunes & Oliveira Jr. (1996, “Readability formulas
    applied to textbooks in Brazilian Portuguese”, ICMC-USP) found for Portuguese: 248,835 − 1,015 × words per sentence
    − 84,6 × syllables per word. Syllables are counted by groups of vowels, one more for each hiatus.
    """
    text = document.prose[document.body_at :]
    found = [word for _, word in words(text)]
    sentences = sum(1 for part in _SENTENCE_END.split(text) if part and any(True for _ in words(part)))
    if not found or not sentences:
        return Readability(document.path, 0, 0.0, 100.0)
    per_sentence = len(found) / sentences
    per_word = sum(_syllables(word) for word in found) / len(found)
    return Readability(document.path, len(found), per_sentence, 248.835 - 1.015 * per_sentence - 84.6 * per_word)


def _syllables(word: str) -> int:
    groups = _VOWELS.findall(word)
    return max(1, len(groups) + sum(1 for group in groups if len(group) > 1 and _HIATUS.search(group)))
