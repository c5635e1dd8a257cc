"""The gate before any page is built: data and content are read, and everything wrong is said at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from generator import dataset
from generator.pages.markdown import leftovers
from generator.pages.publisher import Page, Publisher
from generator.problems import Problem, ProblemsError
from generator.views.site import Site

CONTENT = "content"


def open_publisher(root: Path, today: date) -> Publisher:
    """Return a publisher over data and content that passed every check.

    Raises:
        ProblemsError: with every problem of data and content.
    """
    publisher = Publisher(Site(dataset.load(root), today, root))
    pages = list(rendered(publisher))
    problems = [*publisher.problems, *_marks_left(pages)]
    if problems:
        raise ProblemsError(problems)
    return publisher


def sources(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the path below content/ and the text of every page."""
    folder = root / CONTENT
    for file in sorted(folder.rglob("*.md")):
        yield file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")


def rendered(publisher: Publisher) -> Iterator[Page]:
    """Yield every page rendered without MkDocs."""
    for path, source in sources(publisher.site.root):
        yield publisher.page(path, source)


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
