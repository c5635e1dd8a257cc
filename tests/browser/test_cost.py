"""From a wish to a cost in reais, and the countries that personal data may go to."""

from __future__ import annotations

import re

import pytest

from tests.browser.reader import GUIDE, Reader, control, filters, more_filters


def test_three_clicks_lead_from_the_home_page_to_a_cost_in_reais_with_its_parts_and_dates(reader: Reader):
    page = reader.open("")
    page.locator("main a[href$='guias/ajuste-fino/']").first.click()
    page.locator(".bolso > li > a", has_text="8B").first.click()
    page.wait_for_url(re.compile(r"/custo-no-brasil/#cenario-"))
    scenario = page.locator(page.evaluate("location.hash"))
    row = scenario.locator("tbody tr").first
    assert re.search(r"R\$\s\d", row.locator("[data-rotulo=Total]").inner_text())
    for part in ("Processamento", "Armazenamento", "Saída de dados"):
        assert row.locator(f"[data-rotulo='{part}']").inner_text()
    assert row.locator("time").get_attribute("datetime")
    assert scenario.locator("table").evaluate("table => table.getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize("value", ["brazil", "adequate", "instrument"])
def test_offers_can_be_kept_by_what_the_lgpd_asks_of_their_country(reader: Reader, value: str):
    page = reader.open(GUIDE)
    known = set(filters(page, "lgpd"))
    more_filters(page)
    control(page, "lgpd").select_option(value)
    assert set(filters(page, "lgpd")) == known & {value}


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_costs_never_scrolls_sideways(reader: Reader, width: int):
    page = reader.open("custo-no-brasil/", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
