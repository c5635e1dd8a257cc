"""Everything of one edition of the site that the theme does not write itself: pages from data and machine files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from generator.pages import documents, listing, machine, shell, twins
from generator.pages.listing import Listed
from generator.pages.search_index import as_json, search_page
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

    def __init__(self, atlas: Atlas, site_url: str) -> None:
        self._atlas = atlas
        self._site_url = site_url
        self._shell: Shell | None = None
        self._written: dict[str, tuple[Listed, str]] = {}

    def keep_shell(self, html: str) -> None:
        """Take the page that the theme rendered around the marks."""
        self._shell = Shell(html)

    def keep_page(self, page: Listed, html: str) -> None:
        """Take a page that people wrote, with its finished body."""
        self._written[page.url] = (page, html)

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """Return every page from data."""
        makers = (gpu_documents, provider_documents, model_documents, pair_documents)
        return tuple(chain.from_iterable(make(self._atlas) for make in makers))

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path below the site and content of every file."""
        for document in self.documents:
            yield document.url + "index.html", self._page(document).encode()
            yield document.url + "index.md", twins.twin(document).encode()
        for url, target in redirects(self._atlas).items():
            yield f"{url}index.html", self._redirect(url, target).encode()
        for page, html in self._written.values():
            yield page.url + "index.md", twins.from_html(html).encode()
        pages = [*(page for page, _ in self._written.values()), *map(listing.listed, self.documents)]
        yield from listing.files(pages, news.feeds(self._atlas), self._site_url)
        yield "assets/guia/busca.json", self._search_index().encode()
        yield from machine.files(self._atlas, self._site_url)
        yield from machine.answer_files(self._atlas)

    def _search_index(self) -> str:
        """Return what the search of the site knows: pages that people wrote, and pages from data."""
        written = [search_page(page.url, page.title, page.description, html) for page, html in self._written.values()]
        return as_json([*written, *map(listing.search_page, self.documents)], self._atlas.catalogue.site.data)

    def _redirect(self, url: str, target: str) -> str:
        canonical = self._site_url + target if self._site_url else ""
        return str(render("redirect.html", target="../" * url.count("/") + target, canonical=canonical))

    def _page(self, document: Document) -> str:
        if self._shell is None:
            raise RuntimeError(f"the theme did not render {shell.SOURCE}")
        filling = Filling(
            document.url,
            document.parent[1],
            document.title,
            document.description,
            tuple((section.id, section.title) for section in document.sections),
            documents.body(document),
            documents.structured_data(document, self._site_url),
        )
        return self._shell.fill(filling)
