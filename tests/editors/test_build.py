"""The strict build: each defect alone stops it, and a new guide needs a page and an entry in a table, nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import yaml
from bs4 import BeautifulSoup

from tests.editors.mini_project import ROOT, make_buildable

FORM = ROOT / ".github" / "ISSUE_TEMPLATE" / "preco-errado.yml"
ENVIRONMENT = {
    **os.environ,
    "SOURCE_DATE_EPOCH": "1796040000",
    "PYTHONPATH": str(ROOT),
    "SITE_URL": "https://guia.example/",
}


def _build(project: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", "build", "--root", str(project), "--site-dir", str(project / "site")]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT | more, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_buildable(tmp_path_factory.mktemp("build"))


@pytest.mark.parametrize(
    ("page", "old", "new", "says"),
    [
        ("index.md", "metodologia.md#ordem", "metodologia.md#nao-existe", "nao-existe"),
        ("index.md", "metodologia.md#ordem", "/metodologia/", "/metodologia/"),
        ("index.md", "metodologia.md#ordem", "metodologia", "metodologia"),
        ("solta.md", "", "", "solta.md"),
        ("index.md", "{{ guias() }}", "{{ guas() }}", "guas"),
        ("index.md", "title: Guia de teste", "title: Guia: de teste", "index.md:2"),
    ],
    ids=["anchor", "absolute link", "link without .md", "page out of the menu", "shortcode", "invalid YAML"],
)
def test_each_defect_alone_stops_the_strict_build(project: Path, page: str, old: str, new: str, says: str):
    file = project / "content" / page
    before = file.read_text("utf-8") if file.exists() else ""
    source = before or (project / "content" / "metodologia.md").read_text("utf-8")
    file.write_text(source.replace(old, new, 1) if old else source, "utf-8")
    done = _build(project)
    if before:
        file.write_text(before, "utf-8")
    else:
        file.unlink()
    assert done.returncode == 1
    assert says in done.stdout + done.stderr
    assert not (project / "site" / "index.html").exists()


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    """Build the project with one more guide: its page, and an entry in the table."""
    guide = (project / "content" / "guias" / "treinamento.md").read_text("utf-8")
    guide = re.sub(r"<!-- pauta.*?-->\n\n", "", guide).replace("treinamento", "agentes").replace("em spot", "longe")
    guide = guide.replace("Quanta memória preciso?", "Quanta memória um agente pede?")
    (project / "content" / "guias" / "agentes.md").write_text(guide, "utf-8")
    table = project / "data" / "workloads.yml"
    entry = table.read_text("utf-8").replace("treinamento:", "agentes:").replace("guias/treinamento", "guias/agentes")
    table.write_text(table.read_text("utf-8") + "\n" + entry.replace("label: Treinamento", "label: Agentes"), "utf-8")
    done = _build(project)
    assert done.returncode == 0, done.stdout + done.stderr
    return project / "site"


def _page(site: Path, path: str) -> BeautifulSoup:
    return BeautifulSoup((site / path).read_text("utf-8"), "html.parser")


class TestNewGuide:
    def test_it_is_in_the_menu_after_the_others(self, site: Path):
        links = [link.get_text(strip=True) for link in _page(site, "index.html").select("header nav a")]
        assert links == ["Início", "Treinamento", "Agentes", "Metodologia"]

    def test_it_has_offers_and_sizing(self, site: Path):
        page = _page(site, "guias/agentes/index.html")
        assert len(page.select("#comparacao tbody tr, table tbody tr")) > 5
        assert page.find(string=re.compile("Llama 3.1 8B"))

    def test_its_questions_are_structured_data(self, site: Path):
        scripts = _page(site, "guias/agentes/index.html").select('script[type="application/ld+json"]')
        faq = next(data for script in scripts if (data := json.loads(script.string))["@type"] == "FAQPage")
        assert faq["mainEntity"][0]["name"] == "Quanta memória um agente pede?"

    def test_the_home_page_has_a_card_that_leads_to_it(self, site: Path):
        assert _page(site, "index.html").select('article a[href$="guias/agentes/"]')

    def test_it_is_in_the_sitemap_and_in_the_search(self, site: Path):
        assert "https://guia.example/guias/agentes/" in (site / "sitemap.xml").read_text("utf-8")
        assert "guias/agentes/" in (site / "assets" / "guia" / "busca.json").read_text("utf-8")


class TestReports:
    def test_a_wrong_price_opens_the_form_filled_in_with_the_row(self, project: Path, site: Path):
        assert "Informar preço errado" not in (site / "guias" / "agentes" / "index.html").read_text("utf-8")
        done = _build(project, REPO_URL="https://repositorio.example/guia")
        assert done.returncode == 0, done.stdout + done.stderr
        page = _page(project / "site", "guias/agentes/index.html")
        links = [link["href"] for link in page.select("table.ofertas p.informar a")]
        assert len(links) == len(page.select("table.ofertas tr[data-offer]"))
        address, query = links[0].split("?")
        assert address == "https://repositorio.example/guia/issues/new"
        asked = parse_qs(query)
        assert asked["template"] == ["preco-errado.yml"]
        fields = {field["id"] for field in yaml.safe_load(FORM.read_text("utf-8"))["body"]}
        assert set(asked) - {"template", "title"} <= fields
        assert "US$" in asked["mostrado"][0]

    def test_a_page_leads_to_its_own_source(self, project: Path, site: Path):  # noqa: ARG002 - after the build above
        links = _page(project / "site", "guias/agentes/index.html").select('a[rel="edit"]')
        assert [link["href"].removeprefix("https://repositorio.example/guia/") for link in links] == [
            "edit/main/content/guias/agentes.md"
        ]
