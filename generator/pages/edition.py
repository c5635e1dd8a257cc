"""Everything of one edition of the site that the theme does not write itself: pages from data and machine files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from generator.pages import all_offers, documents, listing, machine, shell, twins
from generator.pages.front_matter import FrontMatter
from generator.pages.listing import Listed
from generator.pages.publisher import Publisher
from generator.pages.search_index import SearchPage, as_json, search_page
from generator.pages.shell import Filling, Shell
from generator.pages.templating import render
from generator.views import news
from generator.views.atlas import Atlas
from generator.views.document import Document
from generator.views.gpu_pages import gpu_documents
from generator.views.model_pages import model_documents
from generator.views.pair_pages import pair_documents
from generator.views.provider_pages import provider_documents
from generator.views.redirects import redirects


class Edition:
    """The files of one edition; `shell` must be filled before pages can be asked for."""

    def __init__(self, publisher: Publisher, site_url: str) -> None:
        self._atlas = publisher.atlas
        self._freshness = publisher.freshness
        self._site_url = site_url
        self._shell: Shell | None = None
        self._written: dict[str, tuple[Listed, str]] = {}

    def keep_shell(self, html: str) -> None:
        """Take the page that the theme rendered around the marks."""
        self._shell = Shell(html)

    def keep_page(self, url: str, meta: FrontMatter, html: str) -> None:
        """Take a page that people wrote, with its finished body; it is as new as its text or the data in it."""
        newest = max(day for day in (meta.updated, self._freshness.day) if day)
        self._written[url] = (Listed(url, meta.title, meta.description, newest), html)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Return every page from data."""
        return _documents(self._atlas)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path below the site and content of every file."""
        if self._shell is None:
            raise RuntimeError(f"the theme did not render {shell.SOURCE}")
        yield from _document_files(self._atlas, self._shell, self._site_url)
        for url, target in redirects(self._atlas).items():
            yield f"{url}index.html", self._redirect(url, target).encode()
        for page, html in self._written.values():
            yield page.url + "index.md", _twin(html).encode()
        pages = [*(page for page, _ in self._written.values()), *map(listing.listed, self.documents)]
        yield from listing.files(pages, _feeds(self._atlas), self._site_url)
        yield "assets/guia/busca.json", self._search_index().encode()
        yield from _machine_files(self._atlas, self._site_url)

    def _search_index(self) -> str:
        """Return what the search of the site knows: pages that people wrote, and pages from data."""
        written = [search_page(page.url, page.title, page.description, html) for page, html in self._written.values()]
        return as_json([*written, *_searched(self._atlas)], self._atlas.catalogue.site.data)

    def _redirect(self, url: str, target: str) -> str:
        canonical = self._site_url + target if self._site_url else ""
        return str(render("redirect.html", target="../" * url.count("/") + target, canonical=canonical))


# The preview builds again at each change of a text; what comes from data alone is kept while the atlas is the same.
@lru_cache(maxsize=1)
def _documents(atlas: Atlas) -> tuple[Document, ...]:
    makers = (gpu_documents, provider_documents, model_documents, pair_documents)
    return tuple(chain.from_iterable(make(atlas) for make in makers))


@lru_cache(maxsize=1)
def _document_files(atlas: Atlas, outer: Shell, site_url: str) -> tuple[tuple[str, bytes], ...]:
    return tuple(
        file
        for document in _documents(atlas)
        for file in (
            (document.url + "index.html", outer.fill(_filling(document, site_url)).encode()),
            (document.url + "index.md", twins.twin(document).encode()),
        )
    )


@lru_cache(maxsize=64)
def _twin(html: str) -> str:
    return twins.from_html(html)


@lru_cache(maxsize=1)
def _feeds(atlas: Atlas) -> list[news.Feed]:
    return news.feeds(atlas)


@lru_cache(maxsize=1)
def _machine_files(atlas: Atlas, site_url: str) -> tuple[tuple[str, bytes], ...]:
    offers = all_offers.files(atlas.catalogue.site)
    return (*machine.files(atlas, site_url), *machine.answer_files(atlas), *offers)


@lru_cache(maxsize=1)
def _searched(atlas: Atlas) -> tuple[SearchPage, ...]:
    return tuple(map(listing.search_page, _documents(atlas)))


def _filling(document: Document, site_url: str) -> Filling:
    return Filling(
        document.url,
        document.parent[1],
        document.title,
        document.description,
        tuple((section.id, section.title) for section in document.sections),
        documents.body(document),
        documents.structured_data(document, site_url),
    )
