"""What every page promises to every reader: no other host, no sideways scroll, keyboard, zoom, themes, paper."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.reader import DATA, GUIDE, GUIDES, Reader

PAGES = ["", *GUIDES, "calculadora/", "metodologia/", "glossario/", "404.html", *DATA]
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("path", ["", GUIDE, "404.html", "gpus/h100-sxm/"])
def test_only_our_host_is_asked_and_nothing_is_missing(reader: Reader, path: str):
    page = reader.open(path)
    page.get_by_role("button", name="Buscar").click()
    page.locator("#busca-termo").fill("h100")
    page.locator(".busca__lista li").first.wait_for()
    hosts = {urlsplit(url).netloc for url in reader.requests if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(reader.site).netloc}


@pytest.mark.parametrize("width", [320, 360, 768, 1024, 1280, 1440])
def test_no_page_scrolls_sideways(reader: Reader, width: int):
    page = reader.open(width=width)
    for path in PAGES:
        page.goto(reader.site + path)
        assert page.evaluate(OVERFLOW) <= 0, path


def test_a_page_at_200_percent_zoom_fits_even_with_larger_text(reader: Reader):
    """1280 px at 200 % are 640 CSS pixels; twice the text size is tried on top."""
    page = reader.open(GUIDE, width=640)
    page.add_style_tag(content="html { font-size: 250% }")
    assert page.evaluate(OVERFLOW) <= 0


@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone_each_offer_is_a_card_with_its_price_beside_its_name(reader: Reader, width: int):
    page = reader.open(GUIDE, width=width, height=700)
    card = page.locator("tr[data-offer]").first
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    name, price = card.locator("th").bounding_box(), card.locator(".preco").bounding_box()
    assert name is not None
    assert price is not None
    assert abs(name["y"] - price["y"]) < 12
    assert "VRAM por GPU" in card.evaluate("row => getComputedStyle(row.cells[2], '::before').content")
    assert box["height"] < 330


def test_the_filters_of_a_phone_open_when_asked(reader: Reader):
    page = reader.open(GUIDE, width=360)
    assert page.locator("[name=busca]").is_visible()
    assert page.locator("[name=vram]").is_hidden()
    page.locator(".filtros__mais > summary").click()
    page.locator("[name=vram]").select_option("80")
    assert " de " in page.locator(".contagem").inner_text()


@pytest.mark.parametrize("width", [1280, 1440])
def test_header_and_name_stay_in_sight_while_scrolling(reader: Reader, width: int):
    page = reader.open(GUIDE, width=width)
    row = page.locator("tr[data-offer]").nth(30)
    row.scroll_into_view_if_needed()
    heading = page.locator("th[data-coluna=preco]")
    box = heading.bounding_box()
    assert box is not None
    assert -1 <= box["y"] < page.viewport_size["height"]


@pytest.mark.parametrize("width", [1200, 1280, 1380, 1440, 1920])
def test_where_the_table_is_not_framed_it_fits_beside_the_contents(reader: Reader, width: int):
    page = reader.open(width=width)
    for path in [*GUIDES, "gpus/h100-sxm/"]:
        page.goto(reader.site + path)
        frame, table = (
            page.locator(".rolagem:has(.ofertas)").bounding_box(),
            page.locator("table.ofertas").bounding_box(),
        )
        assert frame is not None
        assert table is not None
        assert table["width"] <= frame["width"] + 1, path


class TestKeyboard:
    def test_the_first_stop_skips_to_the_content(self, reader: Reader):
        page = reader.open(GUIDE)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.id") == "conteudo"

    def test_every_stop_can_be_seen(self, reader: Reader):
        page = reader.open("")
        for _ in range(40):
            page.keyboard.press("Tab")
            seen = page.evaluate(
                """() => { const e = document.activeElement; const b = e.getBoundingClientRect();
                const style = getComputedStyle(e);
                return e === document.body || (b.width > 0 && b.height > 0 && style.visibility === "visible"
                  && parseFloat(style.outlineWidth) >= 1); }"""
            )
            assert seen, page.evaluate("() => document.activeElement.outerHTML.slice(0, 200)")

    def test_sort_filter_and_compare_without_a_mouse(self, reader: Reader):
        page = reader.open(GUIDE)
        page.locator("th[data-coluna=preco] button").focus()
        page.keyboard.press("Enter")
        assert page.locator("th[data-coluna=preco]").get_attribute("aria-sort") == "ascending"
        for at in (0, 2):
            page.locator(".escolher").nth(at).focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Comparar lado a lado").focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog", name="Lado a lado").wait_for()
        page.keyboard.press("Escape")
        page.locator(".menu--levar summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        assert page.evaluate("() => document.activeElement.textContent") == "Levar os dados"

    def test_search_opens_by_shortcut_walks_by_arrows_and_gives_the_focus_back(self, reader: Reader):
        page = reader.open("metodologia/")
        page.locator(".busca-abrir").focus()
        page.keyboard.press("Control+k")
        page.keyboard.type("spot")
        page.locator(".busca__lista a").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert page.evaluate(
            "() => document.activeElement.closest('li') === document.querySelectorAll('.busca__lista li')[1]"
        )
        page.keyboard.press("Escape")
        assert page.evaluate("() => document.activeElement.className").endswith("busca-abrir")


class TestAppearance:
    def background(self, page: Page) -> str:
        return page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    @pytest.mark.parametrize("script", [True, False])
    def test_dark_follows_the_system_even_without_script(self, reader: Reader, script: bool):
        dark = reader.open("", color_scheme="dark", java_script_enabled=script)
        light = reader.open("", color_scheme="light", java_script_enabled=script)
        assert self.background(dark) != self.background(light)

    def test_the_chosen_theme_stays_on_the_next_page(self, reader: Reader):
        page = reader.open("", color_scheme="light")
        before = self.background(page)
        page.get_by_role("button", name="Trocar entre tema claro e escuro").click()
        chosen = self.background(page)
        assert chosen != before
        page.goto(reader.site + GUIDE)
        assert self.background(page) == chosen

    def test_nothing_moves_for_who_asked_for_less_motion(self, reader: Reader):
        page = reader.open(GUIDE, reduced_motion="reduce")
        moving = page.evaluate(
            """() => [...document.querySelectorAll("*")].filter((e) => { const s = getComputedStyle(e);
              return parseFloat(s.transitionDuration) > 0 || s.animationName !== "none"; }).length"""
        )
        assert moving == 0

    def test_forced_colours_keep_borders_focus_and_order_marks(self, reader: Reader):
        page = reader.open(GUIDE, forced_colors="active")
        page.locator("th[data-coluna=preco] button").click()
        mark = page.locator("th[data-coluna=preco] button").evaluate("b => getComputedStyle(b, '::after').content")
        assert "↑" in mark
        assert page.locator("[name=vram]").evaluate("e => getComputedStyle(e).borderStyle") != "none"

    def test_paper_has_every_row_and_no_controls(self, reader: Reader):
        page = reader.open(GUIDE)
        page.emulate_media(media="print")
        for control in (".topo", ".filtros", ".ferramentas", ".sumario", ".abre"):
            assert page.locator(control).first.is_hidden()
        assert page.locator("tr[data-offer]").last.is_visible()
        assert page.locator("table.ofertas time").first.is_visible()


def test_ages_are_told_as_of_today_and_not_of_the_build(reader: Reader):
    page = reader.open(GUIDE)
    days = page.evaluate(
        "() => Math.floor((Date.now() - Date.parse(document.querySelector('.ofertas time').dateTime)) / 864e5)"
    )
    assert f"{days}" in page.locator(".ofertas [data-idade]").first.inner_text()
