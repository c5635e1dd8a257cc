"""No violation of WCAG 2.2 A and AA that axe can see, on any page, in any state a reader may bring it to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.reader import DATA, GUIDE, Reader, control, more_filters

PAGES = ["", GUIDE, "calculadora/", "metodologia/", "glossario/", "404.html"]
RULES = """() => axe.run(document, { runOnly: { type: "tag", values: [
  "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }, resultTypes: ["violations"] })"""


@pytest.fixture
def violations(node_modules: Path) -> Callable[[Page], list[str]]:
    script = (node_modules / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def run(page: Page) -> list[str]:
        page.evaluate(script)
        found = page.evaluate(RULES)["violations"]
        return [
            f"{v['id']}: {v['help']}: {n['html'][:160]} {n['failureSummary'][:200]}"
            for v in found
            for n in v["nodes"][:3]
        ]

    return run


@pytest.mark.parametrize(
    ("width", "scheme", "paths"),
    [(320, "light", PAGES), (320, "dark", PAGES + DATA), (1280, "light", PAGES + DATA), (1280, "dark", PAGES)],
)
def test_pages_as_they_come(
    reader: Reader, violations: Callable[[Page], list[str]], width: int, scheme: str, paths: list[str]
):
    page = reader.open(width=width, color_scheme=scheme)
    for path in paths:
        page.goto(reader.site + path)
        assert violations(page) == [], path


def _filtered(page: Page) -> None:
    control(page, "busca").fill("h100")
    page.locator("th[data-coluna=oferta] button").dispatch_event("click")


def _empty(page: Page) -> None:
    control(page, "busca").fill("nada assim")


def _details(page: Page) -> None:
    for at in (0, 3):
        page.locator("tr[data-offer] summary").nth(at).click()
    more_filters(page)
    page.locator(".menu--colunas summary").click()


def _side_by_side(page: Page) -> None:
    for at in (0, 1, 2):
        page.locator(".escolher").nth(at).check()
    page.get_by_role("button", name="Comparar lado a lado").click()
    page.get_by_role("dialog", name="Lado a lado").wait_for()


def _searching(page: Page) -> None:
    page.locator(".busca-abrir").click()
    page.locator("#busca-termo").fill("memoria")
    page.locator(".busca__lista a").first.wait_for()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
@pytest.mark.parametrize("bring", [_filtered, _empty, _details, _side_by_side, _searching])
def test_a_guide_in_use(
    reader: Reader,
    violations: Callable[[Page], list[str]],
    bring: Callable[[Page], None],
    width: int,
    scheme: str,
):
    page = reader.open(GUIDE, width=width, color_scheme=scheme)
    bring(page)
    assert violations(page) == []
