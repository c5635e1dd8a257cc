"""The pages of one site, for whoever lays them out: MkDocs through `hooks/`, the content gate, any other renderer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import markdown

from generator.pages import front_matter, structured
from generator.pages.blocks import Blocks
from generator.pages.cost_blocks import CostBlocks
from generator.pages.data_blocks import DataBlocks
from generator.pages.front_matter import FrontMatter
from generator.pages.inline import Inline
from generator.pages.markdown import ShortcodeExtension, renderer
from generator.pages.shortcodes import Evaluator, Shortcode
from generator.problems import Problem
from generator.views import summary
from generator.views.atlas import Atlas
from generator.views.site import Site

_REPORT = re.compile(r'<p class="informar">.*?</p>')
ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page: its body with data in place, and the structured data that mirrors it."""

    path: str
    url: str
    meta: FrontMatter
    html: str
    structured_data: tuple[str, ...]


def shortcodes(site: Site, atlas: Atlas | None = None) -> list[Shortcode]:
    """Return every shortcode an editor can use: the public methods of the classes that hold them."""
    found = []
    data_blocks = DataBlocks(atlas or Atlas.of(site))
    holders = ((Blocks(site), True), (CostBlocks(site), True), (data_blocks, True), (Inline(site), False))
    for holder, is_block in holders:
        names = [name for name in vars(type(holder)) if not name.startswith("_")]
        found += [Shortcode(name, getattr(holder, name), is_block) for name in names]
    return found


def url_of(path: str) -> str:
    """Return where a source file is published below the site: `guias/treinamento.md` → `guias/treinamento/`."""
    stem = path.removesuffix(".md")
    return "" if stem == "index" else stem.removesuffix("/index") + "/"


def finish(html: str, url: str, repo_url: str = "") -> str:
    """Return the body with addresses that start with `~/` made relative to the page, so that a subfolder works.

    Links that report a wrong price lead to the form of the repository; without one, there is no link.
    """
    if repo_url:
        html = html.replace('="~informar?', f'="{repo_url.rstrip("/")}/issues/new?template=preco-errado.yml&amp;')
    else:
        html = _REPORT.sub("", html)
    return html.replace('="~/', '="' + "../" * url.count("/"))


class Publisher:
    """Renders the pages of a site and collects the problems of their shortcodes."""

    def __init__(self, site: Site, memory: dict[str, str] | None = None) -> None:
        """Take the site, and the HTML of its shortcodes by expression where it is already known."""
        self.site = site
        self.atlas = Atlas.of(site)
        self.extension = ShortcodeExtension(Evaluator(shortcodes(site, self.atlas), memory))

    @property
    def freshness(self) -> summary.Freshness:
        """Return what the top of every page says about the age of the data."""
        return summary.freshness(self.site.data, self.site.today)

    @property
    def problems(self) -> list[Problem]:
        """Return the shortcode problems found so far."""
        return self.extension.problems

    def page(self, path: str, source: str) -> Page:
        """Return one page rendered without MkDocs; links stay as written, relative to the source file."""
        meta, problems = front_matter.read(source, f"content/{path}")
        self.problems.extend(problems)
        _, body = front_matter.split(source)
        self.extension.start(f"content/{path}", source)
        html = finish(self._markdown().convert(body), url_of(path))
        return Page(path, url_of(path), meta, html, self.structured_data(meta, html, ""))

    def structured_data(self, meta: FrontMatter, html: str, canonical_url: str) -> tuple[str, ...]:
        """Return the JSON-LD of a page, ready for script elements: guides are articles with a FAQ."""
        if not meta.workload:
            return ()
        updated = meta.updated.isoformat() if meta.updated else ""
        article = structured.article(meta.title, meta.description, updated, canonical_url)
        faq = structured.faq_page(structured.questions(html))
        return (structured.json_ld(article), structured.json_ld(faq))

    def _markdown(self) -> markdown.Markdown:
        return renderer(self.extension)
