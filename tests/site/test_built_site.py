"""The built site, read with a real HTML parser: whole without scripts, true to the dataset, closed in itself."""

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

from generator import formatting as fmt
from generator.pages.markdown import leftovers

GUIDES = ("treinamento", "ia-generativa", "ajuste-fino")


@cache
def _read(file: Path, parser: str = "lxml") -> BeautifulSoup:
    return BeautifulSoup(file.read_bytes(), parser)


@cache
def _ids(file: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in _read(file).find_all(id=True))


def _pages(site: Path) -> list[Path]:
    """Every page but those that only lead to another, which have tests of their own."""
    return [file for file in sorted(site.rglob("*.html")) if b'http-equiv="refresh"' not in file.read_bytes()]


def _guide(site: Path, name: str) -> BeautifulSoup:
    """A guide as a browser would read it."""
    return _read(site / "guias" / name / "index.html", "html5lib")


def test_every_entry_of_the_menu_is_a_page(built_site, project):
    nav = yaml.load((project / "mkdocs.yml").read_text(encoding="utf-8"), yaml.BaseLoader)["nav"]
    workloads = yaml.safe_load((project / "data" / "workloads.yml").read_text(encoding="utf-8"))
    sources = [source for entry in nav if entry != "guias" for source in entry.values()]
    for source in [*sources, *(workload["guide"] for workload in workloads.values())]:
        page = "" if source == "index.md" else source.removesuffix(".md") + "/"
        assert (built_site / page / "index.html").is_file(), source


def test_each_page_has_one_h1_a_title_a_description_and_the_language(built_site):
    seen = set()
    for file in _pages(built_site):
        page = _read(file)
        assert page.html["lang"] == "pt-BR", file
        assert page.title.get_text(strip=True), file
        if file.name == "404.html":
            continue
        assert len(page.find_all("h1")) == 1, file
        description = page.find("meta", attrs={"name": "description"})["content"]
        assert 50 <= len(description) <= 160, (file, description)
        seen.add((page.title.get_text(), description))
    assert len(seen) == len(_pages(built_site)) - 1


def test_guides_have_their_titles(built_site):
    titles = {name: _guide(built_site, name).h1.get_text() for name in GUIDES}
    assert all(title.startswith("Melhores GPUs na nuvem para ") for title in titles.values()), titles


@pytest.mark.parametrize("name", GUIDES)
def test_the_comparison_is_in_the_html_and_equals_the_dataset(built_site, data, name):
    tables = _guide(built_site, name).select(f'table.ofertas[data-workload="{name}"]')
    rows = [row for table in tables for row in table.select("tr[data-offer]")]
    assert 60 <= len(rows) <= 100
    offers = data.offers.set_index("offer_id")
    for row in rows:
        offer = offers.loc[row["data-offer"]]
        per_gpu, per_machine = row.select("td[data-rotulo='Por GPU-hora'], td[data-rotulo='Por instância']")
        assert float(per_gpu["data-sort"]) == pytest.approx(offer["price_usd_gpu_hour"])
        assert per_gpu.find(string=True).strip() == fmt.money(offer["price_usd_gpu_hour"])
        assert float(per_machine["data-sort"]) == pytest.approx(offer["price_usd_hour"])
        assert row.find("time")["datetime"] == offer["collected_at"].date().isoformat()
        assert row.find("a")["href"] == offer["source_url"]


@pytest.mark.parametrize("name", GUIDES)
def test_tables_are_whole_and_labelled(built_site, name):
    for table in _guide(built_site, name).find_all("table"):
        if not table.get("class"):
            continue
        assert table.caption.get_text(strip=True), table.get("class")
        width = len(table.thead.find_all(["th", "td"]))
        for row in table.find_all("tr"):
            assert sum(int(cell.get("colspan", 1)) for cell in row.find_all(["th", "td"])) == width, row
        assert all(cell.get("scope") for cell in table.find_all("th"))
        assert all("data-sort" in cell.attrs for row in table.select("tbody tr") for cell in row.select("td.num"))


@pytest.mark.parametrize("name", GUIDES)
def test_structured_data_mirrors_the_page(built_site, name):
    page = _guide(built_site, name)
    blocks = [json.loads(script.string) for script in page.find_all("script", type="application/ld+json")]
    by_type = {block["@type"]: block for block in blocks}
    assert by_type["Article"]["headline"] == page.h1.get_text().removesuffix("#")
    assert by_type["Article"]["mainEntityOfPage"] == f"https://exemplo.com.br/guia/guias/{name}/"
    visible = " ".join(page.get_text(" ").split())
    questions = by_type["FAQPage"]["mainEntity"]
    assert len(questions) >= 4
    for question in questions:
        assert question["name"] in visible
        assert question["acceptedAnswer"]["text"][:40] in visible


def test_every_question_has_an_anchor_written_by_hand(built_site):
    for name in GUIDES:
        faq = _guide(built_site, name).find(id="perguntas-frequentes")
        ids = [h3["id"] for h3 in faq.find_all_next("h3")]
        assert ids
        assert all(each.startswith("faq-") for each in ids), ids


def test_no_technical_residue_reaches_a_reader(built_site):
    residue = re.compile(r"\b(nan|None|NaT|undefined|Traceback|SyntaxError)\b|<NA>|Ã[£§©]|\ufffd")
    for file in _pages(built_site):
        text = file.read_text(encoding="utf-8")
        assert leftovers(text) == [], file
        code = {"code", "pre", "script", "style"}
        told = (text for text in _read(file).find_all(string=True) if text.parent.name not in code)
        found = residue.search(" ".join(told))
        assert found is None, (file, found)


def test_no_path_of_the_machine_is_published(built_site, project):
    for file in built_site.rglob("*"):
        if file.suffix in {".html", ".json", ".xml", ".txt", ".css", ".js"}:
            text = file.read_text(encoding="utf-8", errors="ignore")
            assert str(project) not in text, file
            assert not re.search(r"(?<![\w.])/(home|root|tmp|Users|usr)/", text), file


def test_every_internal_link_and_anchor_resolves(built_site):
    for file in _pages(built_site):
        base = built_site if file.name == "404.html" else file.parent
        for tag in _read(file).find_all(["a", "link", "script", "img"]):
            target = urlsplit(tag.get("href") or tag.get("src") or "")
            if target.scheme or target.netloc or not (target.path or target.fragment):
                continue
            if file.name == "404.html" and target.path.startswith("/guia/"):
                path = built_site / unquote(target.path.removeprefix("/guia/"))
            else:
                path = (base / unquote(target.path)).resolve() if target.path else file
            path = path / "index.html" if path.is_dir() else path
            assert path.is_file(), (file, target.geturl())
            if target.fragment and path.suffix == ".html":
                assert unquote(target.fragment) in _ids(path), (file, target.geturl())


def test_nothing_is_loaded_from_other_hosts(built_site):
    for file in _pages(built_site):
        page = _read(file)
        loaded = [tag.get("src") or tag.get("href") for tag in page.select("script[src], img, link, iframe, source")]
        foreign = [each for each in loaded if each and urlsplit(each).netloc]
        canonical = [each for each in foreign if each.startswith("https://exemplo.com.br/guia/")]
        assert foreign == canonical, file
    for style in built_site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_outgoing_links_to_sources_are_https_and_marked(built_site):
    for name in GUIDES:
        for link in _guide(built_site, name).select("table.ofertas a"):
            assert link["href"].startswith("https://")
            assert {"nofollow", "noopener"} <= set(link["rel"])


def test_each_page_says_how_old_the_data_are(built_site):
    for file in _pages(built_site):
        assert "6 de setembro de 2026" in _read(file).select_one(".frescor").get_text(), file


def test_sizing_links_lead_to_rows_of_the_comparison(built_site):
    for name in GUIDES:
        page = _guide(built_site, name)
        links = page.select("table.dimensionamento a")
        assert len(links) > 20
        for link in links:
            row = page.find(id=link["href"].removeprefix("#"))
            assert row is not None
            assert row.get("data-offer")
