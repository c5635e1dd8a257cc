"""Words: the terms of the project, spelling, accents, and words typed twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from generator.model import AvoidedForm, Term
from generator.problems import Problem
from generator.prose.document import Document
from generator.prose.rule import Finding, Project

_WORD = re.compile(r"(?<![\w@#/])[^\W\d_]+(?:['’-][^\W\d_]+)*(?![\w@])")
_TWICE = re.compile(r"(?<![\w-])([^\W\d_]+)[ \t]{1,3}\1(?![\w-])", re.IGNORECASE)
_FOREIGN = re.compile(r"(?<![*\w])\*[^*\n]+\*(?!\*)")
_ALWAYS = ("", "pt-PT")
_IN_PROSE = "em prosa"  # allowed in parentheses or in italics, beside the Portuguese term


def wrong_term(document: Document, project: Project) -> Iterator[Finding]:
    """Find forms that `data/terminologia.csv` tells to avoid; those with another condition are for a reviewer."""
    foreign = [match.span() for match in _FOREIGN.finditer(document.prose)]
    text, folded = document.prose, document.prose.lower()
    for term in project.terms:
        for avoided in term.avoid:
            if not _enforced(avoided) or avoided.form.lower().split(" ")[0] not in folded:
                continue
            for match in _pattern(avoided, term).finditer(text):
                beside = _is_beside(match, foreign, text) or _is_name(match, avoided, text)
                if avoided.when == "pt-PT" or not beside:
                    yield _term_finding(match, term, avoided)


def misspelled(document: Document, project: Project) -> Iterator[Finding]:
    """Find words that neither the dictionary nor the project knows, with the words that may have been meant."""
    if project.speller is None:
        return
    for at, word in words(document.prose):
        if not _is_known(word, project):
            close = " ou ".join(f"«{each}»" for each in list(project.speller.suggestions(word))[:3])
            yield Finding(
                at,
                f"«{word}» não está no dicionário",
                "português do Brasil com acentos, ou uma palavra de data/palavras.txt",
                f"quis dizer {close}?" if close else "corrija, ou acrescente a palavra a data/palavras.txt",
            )


def missing_accent(document: Document, project: Project) -> Iterator[Finding]:
    """Find words that exist without the accent, but in these guides almost always lack one."""
    for at, word in words(document.prose):
        accented = project.lists.missing_accents.get(word.lower())
        if accented and not (word.isupper() and len(word) > 1):
            yield Finding(at, f"«{word}» sem acento", f"«{accented}»", "ponha o acento; se for mesmo assim, silencie")


def repeated_word(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001 - the shape of a rule
    """Find the same word typed twice."""
    for match in _TWICE.finditer(document.prose):
        yield Finding(match.start(), f"«{match[0]}»", "cada palavra uma vez", "apague a repetida")


def words(text: str) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each word; what touches a digit (B200, 4bit) is a name."""
    for match in _WORD.finditer(text):
        yield match.start(), match[0].replace("’", "'")


def unused_words(project: Project, lines: Mapping[str, int], path: str) -> Iterator[Problem]:
    """Yield the words of the project that no page uses any more."""
    used = {form for page in project.documents for _, word in words(page.prose) for form in _forms(word)}
    for word, line in lines.items():
        if word not in used:
            found = f"palavra «{word}» que nenhuma página usa"
            yield Problem(path, line, 1, found, "palavras em uso", "apague a linha")


def _forms(word: str) -> set[str]:
    """Return the ways in which a word may be listed: as written, in small letters, and its parts."""
    parts = [word, *word.split("-")]
    return {form for part in parts for form in (part, part.lower())}


def _is_known(word: str, project: Project) -> bool:
    assert project.speller is not None
    if word in project.words or word in project.names or word.lower() in project.words or _is_acronym(word):
        return True
    if project.speller.knows(word):
        return True
    parts = word.split("-")
    return len(parts) > 1 and all(_is_known(part, project) for part in parts if part)


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.removesuffix("s").isupper()


def _enforced(avoided: AvoidedForm) -> bool:
    return avoided.when in _ALWAYS or avoided.when.startswith(_IN_PROSE)


@cache
def _pattern(avoided: AvoidedForm, term: Term) -> re.Pattern[str]:
    """Return a pattern for the form and its plural; where only capitals differ from the right form, they decide."""
    is_case = any(avoided.form.lower() == right.lower() for right in term.preferred)
    many = r"[ \u00a0]".join(re.escape(word) + _plural(word) for word in avoided.form.split(" "))
    return re.compile(rf"(?<![\w-]){many}(?![\w-])", 0 if is_case else re.IGNORECASE)


def _plural(word: str) -> str:
    return "(?:es)?" if word[-1] in "rz" else "" if word[-1] == "s" else "s?"


def _is_name(match: re.Match[str], avoided: AvoidedForm, text: str) -> bool:
    """Tell whether the form is part of a name, such as Google Cloud: a capital that begins no sentence."""
    before = text[: match.start()].rstrip(" ")
    is_capital = match[0][0].isupper() and not match[0].isupper() and avoided.form[0].islower()
    return is_capital and bool(before) and before[-1] not in '.!?:\n|#*(“"'


def _is_beside(match: re.Match[str], foreign: list[tuple[int, int]], text: str) -> bool:
    """Tell whether the form stands in italics or in parentheses, as the original beside the Portuguese term."""
    if any(start <= match.start() < end for start, end in foreign):
        return True
    before, after = text.rfind("(", 0, match.start()), text.find(")", match.end())
    return before >= 0 and after >= 0 and not set(text[before + 1 : match.start()]) & set(")\n")


def _term_finding(match: re.Match[str], term: Term, avoided: AvoidedForm) -> Finding:
    right = " ou ".join(f"«{each}»" for each in term.preferred)
    why = ", português de Portugal" if avoided.when == "pt-PT" else ""
    note = f" ({term.note.rstrip('.')})" if term.note else ""
    return Finding(match.start(), f"termo a evitar «{match[0]}»{why}", f"{right}{note}", "troque pelo termo do projeto")
