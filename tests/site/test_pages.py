"""What every published page promises: found, read and linked by people and machines alike."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urldefrag, urlsplit

import html5lib
import pytest

KINDS = {"gpus": 40, "provedores": 25, "modelos": 60, "comparar": 150}
MARKS = re.compile(r"\bNone\b|\bnan\b|\{\{|\{%|\bTraceback\b|\bcasca-|<NA>")
SAMPLES = ("gpus/h100-sxm/", "gpus/gb200/", "provedores/aws/", "provedores/magalu/", "modelos/llama-3.1-70b/",
           "comparar/h100-sxm-vs-a100-80-sxm/", "gpus/", "comparar/", "modelos/", "provedores/")  # fmt: skip


@pytest.mark.parametrize(("folder", "least"), KINDS.items())
def test_every_kind_of_page_from_data_is_there(site_pages, folder: str, least: int):
    assert sum(url.startswith(f"{folder}/") and url != f"{folder}/" for url in site_pages) >= least


def test_each_page_has_one_heading_and_a_title_of_its_own(site_pages):
    assert {url: page.headings for url, page in site_pages.items() if len(page.headings) != 1} == {}
    titles = Counter(page.title for page in site_pages.values())
    assert [title for title, count in titles.items() if count > 1 or not title] == []


def test_each_page_describes_itself_in_the_length_a_search_result_shows(site_pages):
    assert [url for url, page in site_pages.items() if not 50 <= len(page.description) <= 160] == []
    descriptions = Counter(page.description for page in site_pages.values())
    assert [text for text, count in descriptions.items() if count > 1] == []


def test_no_missing_value_and_no_template_mark_reaches_a_reader(site_pages):
    found = {url: MARKS.search(" ".join(page.words)) for url, page in site_pages.items()}
    assert {url: match[0] for url, match in found.items() if match and not url.startswith("guias/")} == {}


def test_no_id_appears_twice_on_a_page(site_pages):
    repeated = {url: [i for i, n in Counter(page.ids).items() if n > 1] for url, page in site_pages.items()}
    assert {url: ids for url, ids in repeated.items() if ids} == {}


def _internal(page) -> list[tuple[str, str]]:
    """Return path below the site and anchor of the links that stay on it."""
    found = []
    for link in page.links:
        if not urlsplit(link).scheme and not link.startswith("//"):
            path, anchor = urldefrag(unquote(link))
            found.append((normpath(f"/{page.url}{path}").strip("/") if path else page.url.strip("/"), anchor))
    return found


def test_every_internal_link_and_anchor_leads_somewhere(site_pages, built_site: Path):
    pages = {url.strip("/"): set(page.ids) | {"__top", "__skip"} for url, page in site_pages.items()}
    broken = [
        (page.url, path, anchor)
        for page in site_pages.values()
        for path, anchor in _internal(page)
        if (anchor and anchor not in pages.get(path, ())) or (path not in pages and not (built_site / path).is_file())
    ]
    assert broken == []


def test_prices_on_pages_equal_those_of_the_dataset(site_pages, data):
    known = dict(zip(data.offers["offer_id"], data.offers["price_usd_gpu_hour"], strict=True))
    pages = [page for url, page in site_pages.items() if url != "custo-no-brasil/"]  # its prices are costs of a month
    shown = [(page.url, offer, text) for page in pages for offer, text in page.prices.items()]
    assert len(shown) > 500
    assert [row for row in shown if float(row[2]) != pytest.approx(known[row[1]], rel=1e-9)] == []


@pytest.mark.parametrize("url", SAMPLES)
def test_pages_are_well_formed_html(site_pages, url: str):
    parser = html5lib.HTMLParser()
    parser.parse(site_pages[url].html)
    assert [error for _, error, _ in parser.errors] == []


@pytest.mark.parametrize("folder", KINDS)
def test_pages_from_data_say_where_they_stand_in_structured_data(site_pages, folder: str):
    for url, page in site_pages.items():
        if url.startswith(f"{folder}/") and url != f"{folder}/":
            graph = json.loads("".join(page.scripts))["@graph"]
            trail, dataset = graph
            assert trail["@type"] == "BreadcrumbList"
            assert trail["itemListElement"][-1]["item"].endswith(url)
            assert dataset["@type"] == "Dataset"
            assert dataset["description"] == page.description
