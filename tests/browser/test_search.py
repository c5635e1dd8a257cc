"""The search finds the useful page first, in the words and with the slips of the people who type."""

from __future__ import annotations

from pathlib import Path

import yaml
from playwright.sync_api import Page

from tests.browser.reader import Reader

QUERIES: dict[str, str | list[str]] = yaml.safe_load(
    Path(__file__).with_name("queries.yml").read_text(encoding="utf-8")
)


def results(page: Page, text: str) -> list[str]:
    page.locator("#busca-termo").fill(str(text))
    return page.eval_on_selector_all(".busca__lista a", "links => links.map(link => link.href)")


def open_search(reader: Reader) -> Page:
    page = reader.open("metodologia/")
    page.locator(".busca-abrir").click()
    page.locator("#busca-termo").fill("gpu")
    page.locator(".busca__lista a").first.wait_for()
    return page


def test_there_are_enough_queries_to_mean_something():
    assert len(QUERIES) >= 60


def test_each_query_finds_its_page_first(reader: Reader):
    page = open_search(reader)
    wrong = {}
    for text, answer in QUERIES.items():
        wanted = [answer] if isinstance(answer, str) else answer
        first = next((each.removeprefix(reader.site) for each in results(page, text)), "")
        if not any(first == each or (each.endswith("#") and first.startswith(each[:-1])) for each in wanted):
            wrong[text] = first
    assert wrong == {}


def test_small_words_do_not_bring_the_whole_site(reader: Reader):
    page = open_search(reader)
    with_them, without = (
        results(page, "o preço da placa de vídeo para o treino"),
        results(page, "preço placa vídeo treino"),
    )
    assert with_them == without


def test_nonsense_finds_nothing_and_says_so(reader: Reader):
    page = open_search(reader)
    assert results(page, "xyzzyq") == []
    assert "Nada encontrado" in page.locator(".busca__estado").inner_text()


def test_a_result_leads_to_its_section(reader: Reader):
    page = open_search(reader)
    results(page, "quantizacao")
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossario/#quantizacao")
    assert page.locator("#quantizacao").is_visible()


def test_markup_in_the_index_is_shown_as_text(reader: Reader):
    page = reader.open("")
    page.route(
        "**/busca.json",
        lambda route: route.fulfill(
            json={
                "sinonimos": {},
                "paginas": [["x/", "<img src=x onerror=alert(1)> título", "d", [["", "", "título"]]]],
            }
        ),
    )
    page.locator(".busca-abrir").click()
    page.locator("#busca-termo").fill("título")
    assert "<img" in page.locator(".busca__lista strong").inner_text()
