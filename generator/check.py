"""The gate before any page is built: data and content are read, and everything wrong is said at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from generator import cross_checks, dataset, spelling
from generator.dataset import Dataset, Editorial
from generator.folder import Folder
from generator.memory import FOLDER, PROGRAM, Memory, edition
from generator.pages import front_matter
from generator.pages.markdown import leftovers
from generator.pages.publisher import Page, Publisher
from generator.problems import Problem, ProblemsError
from generator.prose.document import Document
from generator.prose.names import words_of_names
from generator.prose.readability import readability
from generator.prose.rule import Project, Speller
from generator.prose.rules import prose_problems
from generator.prose.words import unused_words
from generator.sources import curated
from generator.sources.raw import RawOffer
from generator.stale_offers import stale_offers
from generator.views.site import Site

CONTENT = "content"
T = TypeVar("T")
_ID = re.compile(r'\b(?:id|name)="([^"]+)"')


@dataclass(frozen=True)
class Inspection:
    """What the gate saw: the pages as documents, every problem, and a publisher if the data could be read."""

    documents: tuple[Document, ...]
    problems: list[Problem]
    publisher: Publisher | None
    is_spelling_checked: bool

    def summary(self, *, with_figures: bool) -> str:
        """Return what to tell when nothing is wrong: what was not checked, and how hard each page is to read."""
        lines = ["Dados e conteúdo: nenhum problema."]
        if not self.is_spelling_checked:
            lines.append("Ortografia não conferida: instale o dicionário (Debian: apt install hunspell-pt-br).")
        if with_figures:
            lines.append("Leiturabilidade (0 difícil, 100 fácil), palavras por frase, palavras:")
            figures = map(readability, self.documents)
            lines += [f"  {f.ease:4.0f} {f.words_per_sentence:5.1f} {f.words:6d}  content/{f.path}" for f in figures]
        return "\n".join(lines)


def open_publisher(root: Path, today: date) -> Publisher:
    """Return a publisher over data and content that passed every check.

    Raises:
        ProblemsError: with every problem of data and content.
    """
    found = inspect(root, today)
    if found.problems or found.publisher is None:
        raise ProblemsError(found.problems)
    return found.publisher


def inspect(root: Path, today: date) -> Inspection:
    """Return everything wrong with data and content; a broken table does not keep the content from being checked."""
    folder = Folder(root)
    sources = folder.texts(CONTENT, "*.md")
    problems = [*folder.problems]
    documents = tuple(read_page(path, text, today, problems) for path, text in sources.items())
    data, editorial = read_data(root, today, documents, problems)
    memory = Memory(root / FOLDER / "shortcodes.json", _edition(root, today))
    publisher = Publisher(Site(data, today, root), memory.values) if data else None
    pages = [publisher.page(_below(path), text) for path, text in sources.items()] if publisher else []
    problems += [*(publisher.problems if publisher else []), *_marks_left(pages)]
    speller = spelling.find(root) if data else None  # the tables' names are words too
    if editorial:
        project = project_of(documents, editorial, data, pages, speller)
        problems += [*prose_problems(project), *unused_words(project, editorial.words, dataset.WORDS)]
    if speller:
        speller.remember()
    memory.keep()
    return Inspection(documents, sorted(set(problems)), publisher, speller is not None)


def read_data(
    root: Path, today: date, documents: tuple[Document, ...], problems: list[Problem]
) -> tuple[Dataset | None, Editorial | None]:
    """Return what `data/` holds, after noting what is wrong; nothing where a page could not be shown with it."""
    folder = Folder(root)
    texts = folder.texts("data", "*.csv", "*.yml")
    data = _attempt(lambda: _dataset(root, _edition(root, today)), problems)
    editorial = _attempt(lambda: dataset.load_editorial(root), problems)
    wrong = [*folder.problems, *cross_checks.future_dates(texts, today)]
    references = list(_references(data, texts, documents, editorial))
    if data and not (wrong or references):  # otherwise the same fault would be told twice
        wrong += stale_offers(_hand_kept(texts), data, today)
    problems += [*wrong, *references]
    return (None if references else data), editorial


def _hand_kept(texts: Mapping[str, str]) -> Iterator[RawOffer]:
    for path, text in texts.items():
        if path.startswith(f"{dataset.CURATED}/"):
            yield from curated.parse(text.encode(), path)


def _edition(root: Path, today: date) -> str:
    """Return what everything computed from data depends on: the data, the program and the day."""
    return edition([root / "data", PROGRAM], today.isoformat())


@lru_cache(maxsize=1)
def _dataset(root: Path, edition_now: str) -> Dataset:  # noqa: ARG001 - loaded again when the edition changes
    return dataset.load(root)


def rendered(publisher: Publisher) -> Iterator[Page]:
    """Yield every page rendered without MkDocs."""
    for path, source in Folder(publisher.site.root).texts(CONTENT, "*.md").items():
        yield publisher.page(_below(path), source)


def _below(path: str) -> str:
    return path.removeprefix(f"{CONTENT}/")


def _attempt(load: Callable[[], T], problems: list[Problem]) -> T | None:
    """Return what could be loaded, or nothing after noting the problems."""
    try:
        return load()
    except ProblemsError as error:
        problems += error.problems
        return None


def read_page(path: str, text: str, today: date, problems: list[Problem]) -> Document:
    """Return a page as a document after noting what is wrong with its front matter."""
    meta, wrong = front_matter.read(text, path)
    problems += wrong
    document = Document.read(_below(path), text, meta.workload or "")
    if meta.updated and meta.updated > today:
        at = max(document.text.find("updated:"), 0)
        found, expected = f"«updated» no futuro: {meta.updated.isoformat()}", f"um dia até hoje, {today.isoformat()}"
        problems.append(document.problem(at, found, expected, "corrija a data"))
    return document


def _references(
    data: Dataset | None, texts: Mapping[str, str], documents: tuple[Document, ...], editorial: Editorial | None
) -> Iterator[Problem]:
    """Yield what the tables and the pages say of each other that does not hold."""
    yield from _curated_problems(tuple(each for each in texts.items() if each[0].startswith(dataset.CURATED)), data)
    if data is None:
        return
    guides = {document.path: document.workload for document in documents}
    yield from cross_checks.workload_problems(data, texts[cross_checks.WORKLOADS], guides)
    yield from cross_checks.scenario_problems(data, texts[cross_checks.SCENARIOS])
    yield from cross_checks.guide_problems(data, guides)
    yield from cross_checks.gpu_problems(data, texts["data/gpus.csv"])
    yield from cross_checks.model_problems(data, texts["data/models.csv"])
    yield from cross_checks.method_problems(data, texts[cross_checks.METHODS])
    if editorial:
        yield from cross_checks.promise_problems(editorial.promises, data)


@lru_cache(maxsize=1)
def _curated_problems(files: tuple[tuple[str, str], ...], data: Dataset | None) -> tuple[Problem, ...]:
    """Return what is wrong with the hand-kept offers; the preview asks again at each change of a text."""
    return tuple(cross_checks.curated_problems(dict(files), data))


def project_of(
    documents: tuple[Document, ...],
    editorial: Editorial,
    data: Dataset | None,
    pages: list[Page],
    speller: Speller | None,
) -> Project:
    """Return what the rules of prose look at; without data they look at less."""
    words = frozenset(editorial.words)
    project = Project(documents, editorial.lists, promises=editorial.promises, words=words, speller=speller)
    if data is None:
        return project
    return replace(
        project,
        terms=data.terms,
        workloads=data.workloads,
        gpus=data.gpus,
        names=words_of_names(data),
        anchors={page.path: frozenset(_ID.findall(page.html)) for page in pages},
    )


def _marks_left(pages: list[Page]) -> Iterator[Problem]:
    """Yield a problem for template marks that no rule caught, for instance inside raw HTML."""
    for page in pages:
        for mark in leftovers(page.html):
            yield Problem(
                f"{CONTENT}/{page.path}",
                0,
                0,
                f"“{mark}” sobrou na página pronta",
                "esperado nenhum sinal de shortcode fora de código",
                "tire o shortcode de dentro do HTML, ou ponha o texto entre crases",
            )
