"""The built site as parsed pages, read once for every test of this folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.dataset import Dataset
from generator.views.atlas import Atlas
from generator.views.site import Site
from tests.conftest import BUILD_DAY


@dataclass
class Parsed:
    """What a page holds, as far as tests ask: texts by element, links, ids, rows of offers."""

    url: str
    html: str
    title: str = ""
    description: str = ""
    headings: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    prices: dict[str, str] = field(default_factory=dict)  # offer → machine value of its price for a GPU and hour
    words: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)  # the JSON-LD


class _Reader(HTMLParser):
    def __init__(self, page: Parsed) -> None:
        super().__init__()
        self.page, self.open, self.offer = page, "", ""

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        page = self.page
        page.ids += [found["id"]] if found.get("id") else []
        page.links += [found[name] for name in ("href", "src") if found.get(name)]
        if tag == "meta" and found.get("name") == "description":
            page.description = found["content"]
        if tag == "h1":
            page.headings.append("")
        self.offer = found.get("data-offer") or self.offer
        if tag == "td" and "preco" in (found.get("class") or "").split() and self.offer:
            page.prices[self.offer] = found["data-sort"]
        is_data = found.get("type") == "application/ld+json"
        if tag in {"title", "h1", "script", "style"} and not (tag == "title" and page.title):
            self.open = "data" if is_data else tag

    def handle_endtag(self, tag):
        if tag in {"title", "h1", "script", "style"}:
            self.open = ""

    def handle_data(self, data):
        if self.open == "title":
            self.page.title += data
        elif self.open == "data":
            self.page.scripts.append(data)
        elif self.open == "h1":
            self.page.headings[-1] += data
        elif not self.open:
            self.page.words.append(data)


@pytest.fixture(scope="session")
def site_pages(built_site: Path) -> dict[str, Parsed]:
    """Every published page by its address below the site."""
    found = {}
    for file in sorted(built_site.rglob("index.html")):
        url = file.parent.relative_to(built_site).as_posix().removeprefix(".")
        page = Parsed(f"{url}/" if url else "", file.read_text(encoding="utf-8"))
        if 'http-equiv="refresh"' in page.html:
            continue  # leads elsewhere, see test_redirects
        _Reader(page).feed(page.html)
        found[page.url] = page
    return found


@pytest.fixture(scope="session")
def atlas(data: Dataset, project: Path) -> Atlas:
    return Atlas.of(Site(data, BUILD_DAY, project))
