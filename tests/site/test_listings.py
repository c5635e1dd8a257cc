"""Feeds, twins, sitemap, robots, llms.txt and search: what the site says of itself to programs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pandas as pd
import pytest

from generator.pages import twins
from generator.refresh.report import RefreshReport, changes
from generator.views import news
from generator.views.atlas import Atlas
from generator.views.site import Site
from tests.conftest import BUILD_DAY, ROOT

TABLE = (
    "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td><td>x <small></small></td></tr>"
    "<tr class='mais'><td>detalhe</td></tr></tbody></table>"
)
ATOM = "{http://www.w3.org/2005/Atom}"
ADDRESS = "https://exemplo.com.br/guia/"
FEEDS = ["feed.xml", "guias/treinamento/feed.xml", "guias/ia-generativa/feed.xml", "guias/ajuste-fino/feed.xml"]


def _atlas(data) -> Atlas:
    return Atlas.of(Site(data, BUILD_DAY, ROOT))


@pytest.mark.parametrize("path", FEEDS)
def test_feeds_obey_atom(built_site: Path, path: str):
    root = ET.fromstring((built_site / path).read_bytes())
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        assert [len(element.findall(ATOM + name)) for name in ("id", "title", "updated")] == [1, 1, 1]
        assert element.find(f"{ATOM}id").text.startswith("urn:uuid:")
        datetime.strptime(element.find(f"{ATOM}updated").text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        assert [link for link in element.findall(f"{ATOM}link") if link.get("rel") == "alternate"]
    assert root.find(f"{ATOM}author/{ATOM}name").text
    assert [link.get("href") for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"] == [ADDRESS + path]
    moments = [entry.find(f"{ATOM}updated").text for entry in root.findall(f"{ATOM}entry")]
    assert moments == sorted(moments, reverse=True)
    assert root.find(f"{ATOM}updated").text == moments[0]


def test_entries_keep_their_ids_and_never_share_them(built_site: Path, data):
    ids = [entry.find(f"{ATOM}id").text for path in FEEDS for entry in ET.parse(built_site / path).iter(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    assert ids == [item.id for feed in news.feeds(_atlas(data)) for item in feed.items if feed.path in FEEDS]


def _report(before: pd.DataFrame, after: pd.DataFrame, last: dict) -> RefreshReport:
    return RefreshReport(
        now=datetime(2026, 11, 30, 12, tzinfo=UTC), sources=(), offers=after, quarantine=after.head(0),
        changes=changes(before, after), unknown_gpus={}, untracked_gpus={}, reviews=(),
        waiting=(), expired=(), last_quality=last, reasons={},
    )  # fmt: skip


def test_a_refresh_becomes_news_in_words(with_offers):
    before = with_offers({"price_hour": 4.0})
    after = with_offers({"price_hour": 3.0}, {"gpu": "l40s"})
    quality = _report(before.offers, after.offers, {}).quality
    feed = news.feeds(_atlas(replace(after, quality={**quality, "sources": {}})))[0]
    text = " ".join(feed.items[0].paragraphs).replace("\u00a0", " ")
    assert feed.items[0].title.replace("\u00a0", " ").startswith("1 oferta nova e 1 preço mudou")
    assert "Lambda: 1 × H100 SXM5, sob demanda, caiu 25%, de US$ 4,00 para US$ 3,00 por hora." in text


def test_a_refresh_that_changed_nothing_is_no_news(with_offers):
    offers = with_offers({}).offers
    last = {"news": [{"moment": "2026-11-01T00:00:00Z", "added": [], "removed": 1, "repriced": []}]}
    assert _report(offers, offers, last).quality["news"] == last["news"]


def test_every_page_has_a_twin_in_markdown(site_pages, built_site: Path):
    for url, page in site_pages.items():
        text = (built_site / url / "index.md").read_text(encoding="utf-8")
        assert text.startswith("# "), url
        assert text.split("\n")[0][2:].strip() == " ".join(page.headings[0].removesuffix("#").split()), url
        assert not re.search(
            r"\{\{|casca-|<(div|table|span|small)\b", re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
        )


def test_tables_of_twins_keep_their_columns(built_site: Path):
    for file in (
        "gpus/h100-sxm/index.md",
        "comparar/h100-sxm-vs-a100-80-sxm/index.md",
        "modelos/llama-3.1-70b/index.md",
    ):
        lines = (built_site / file).read_text(encoding="utf-8").split("\n")
        blocks = "\n".join(line if line.startswith("|") else "" for line in lines).split("\n\n")
        for block in filter(None, (block.strip("\n") for block in blocks)):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.split("\n")}) == 1, block[:200]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Preço<a class='headerlink' href='#p'>#</a></h2><p>Um <b>dois</b> <a href='x/'>três</a>.</p>",
         "## Preço\n\nUm **dois** [três](x/).\n"),
        ("<ul><li>um</li><li>dois<ul><li>três</li></ul></li></ul>", "- um\n- dois\n\n  - três\n"),
        ("<ol><li>um</li><li>dois</li></ol>", "1. um\n2. dois\n"),
        ("<pre><code>a |  b\n  c</code></pre>", "```\na |  b\n  c\n```\n"),
        (TABLE, "| A | B |\n| --- | --- |\n| 1\\|2 | x |\n"),
        ("<nav>menu</nav><svg><path d=''/><text>x</text></svg><p>fica</p>", "fica\n"),
    ],
)  # fmt: skip
def test_html_becomes_markdown(html: str, expected: str):
    assert twins.from_html(html) == expected


def test_the_sitemap_lists_every_page_with_the_day_of_its_data(site_pages, built_site: Path, data):
    name = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    entries = ET.parse(built_site / "sitemap.xml").getroot().findall(f"{name}url")
    listed = {entry.find(f"{name}loc").text: getattr(entry.find(f"{name}lastmod"), "text", "") for entry in entries}
    assert set(listed) == {ADDRESS + url for url in site_pages}
    newest = data.offers.loc[data.offers["gpu"].eq("rtx-3090"), "collected_at"].max().date().isoformat()
    assert listed[f"{ADDRESS}gpus/rtx-3090/"] == newest
    assert listed[f"{ADDRESS}gpus/gb200/"] == ""  # no offer, no date


def test_robots_and_the_index_for_language_models_point_at_the_site(site_pages, built_site: Path):
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (built_site / "robots.txt").read_text()
    text = (built_site / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# Guia GPU na Nuvem\n\n> ")
    twins_listed = {link.removesuffix("index.md") for link in re.findall(rf"\({ADDRESS}([^)]*index\.md)\)", text)}
    assert twins_listed == set(site_pages)


def test_the_search_knows_every_page(site_pages, built_site: Path):
    pages = json.loads((built_site / "assets" / "guia" / "busca.json").read_text(encoding="utf-8"))["paginas"]
    assert {page[0] for page in pages} == set(site_pages)
    words = {page[0]: page[3][0][2].split() for page in pages}
    assert {"h100", "sxm", "hopper"} <= set(words["gpus/h100-sxm/"])


def test_a_site_without_an_address_makes_no_sitemap_and_no_absolute_link(data):
    from generator.pages import listing

    made = dict(listing.files([listing.Listed("gpus/", "GPUs", "d", None)], news.feeds(_atlas(data)), ""))
    assert "sitemap.xml" not in made
    assert b"Sitemap" not in made["robots.txt"]
    assert b"<link" not in made["feed.xml"]
