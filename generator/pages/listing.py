"""The files that list the site: sitemap, robots, feeds, the index for language models, the entries of the search."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from generator.pages.search_index import SearchPage, Section, words
from generator.pages.templating import render
from generator.views.document import Document
from generator.views.news import Feed

_MARK = re.compile(r"\*\*|\]\(~/[^)]*\)|\[(?=[^\]]+\]\(~/)")
_ABOUT = (
    "> Comparação independente, em português, de GPUs na nuvem: preço com data e fonte, e a memória de cada modelo. "
    "Dados sob CC BY 4.0. Cada página tem uma versão em Markdown no mesmo endereço, com index.md no fim."
)
KINDS = {"gpus/": "GPUs", "provedores/": "Provedores", "modelos/": "Modelos", "comparar/": "Comparações"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A page as lists name it; `day` is the newest of its data or of its text."""

    url: str
    title: str
    description: str
    day: date | None


def listed(document: Document) -> Listed:
    """Return a page from data as lists name it."""
    return Listed(document.url, document.title, document.description, document.day)


def files(pages: list[Listed], feeds: Iterable[Feed], site_url: str) -> Iterator[tuple[str, bytes]]:
    """Yield sitemap, robots, feeds and llms.txt; a sitemap only when the site knows its own address."""
    if site_url:
        sitemap = str(render("sitemap.xml", pages=pages, site_url=site_url)).encode()
        yield "sitemap.xml", sitemap
        yield "sitemap.xml.gz", gzip.compress(sitemap, mtime=0)
    yield "robots.txt", _robots(site_url).encode()
    yield "llms.txt", _llms(pages, site_url).encode()
    for feed in feeds:
        yield feed.path, str(render("feed.xml", feed=feed, site_url=site_url)).encode()


def _robots(site_url: str) -> str:
    return "User-agent: *\nAllow: /\n" + (f"\nSitemap: {site_url}sitemap.xml\n" if site_url else "")


def _llms(pages: list[Listed], site_url: str) -> str:
    """Return the index of the Markdown twins: guides and indexes first, pages from data by kind after them."""
    written = [page for page in pages if not any(page.url.startswith(kind) and page.url != kind for kind in KINDS)]
    data = (
        ("API", "api/v1/index.json", "arquivos JSON, com esquema"),
        ("Ofertas", "dados/ofertas.csv", "CSV completo"),
    )
    downloads = [f"- [{name}]({site_url}{path}): {text}" for name, path, text in data]
    parts = ["# Guia GPU na Nuvem", _ABOUT, "## Guias e páginas principais", _list(written, site_url)]
    parts += ["## Dados", "\n".join(downloads)]
    for kind, title in KINDS.items():
        mine = [page for page in pages if page.url.startswith(kind) and page.url != kind]
        parts += [f"## {title}", _list(mine, site_url)]
    return "\n\n".join(parts) + "\n"


def _list(pages: list[Listed], site_url: str) -> str:
    return "\n".join(f"- [{page.title}]({site_url}{page.url}index.md): {page.description}" for page in pages)


def search_page(document: Document) -> SearchPage:
    """Return what the search knows of a page from data: its heading, its words without marks, its sections."""
    text = " ".join((*document.search_words, *document.lead, document.description))
    sections = (Section(each.id, each.title, " ".join(words(each.title))) for each in document.sections)
    top = Section("", "", " ".join(words(_MARK.sub("", text))))
    return SearchPage(document.url, document.heading, document.description, (top, *sections))
