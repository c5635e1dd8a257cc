"""Order, filters and search of a comparison, the address that keeps them, and what an empty one says."""

from __future__ import annotations

import re

import pytest

from tests.browser.reader import GUIDE, ROWS, Reader, column, control, count, filters, more_filters, query, said

COLUMNS = ["oferta", "gpu", "vram", "banda", "preco", "instancia", "rende", "modalidade", "regiao", "data"]


class TestOrder:
    @pytest.mark.parametrize("at", range(len(COLUMNS)))
    def test_every_column_sorts_both_ways_by_value_with_unknown_last(self, reader: Reader, at: int):
        page = reader.open("guias/ia-generativa/")
        heading = page.locator(f"th[data-coluna={COLUMNS[at]}]")
        collate = "(a, b) => new Intl.Collator('pt-BR', {numeric: true, sensitivity: 'base'}).compare(a, b)"
        for direction in ("ascending", "descending"):
            heading.get_by_role("button").click()
            assert heading.get_attribute("aria-sort") == direction
            assert page.locator("[aria-sort]").count() == 1
            seen = column(page, at)
            known = [value for value in seen if value]
            assert seen == known + [""] * (len(seen) - len(known))
            if all(re.fullmatch(r"-?[\d.]+", value) for value in known):
                expected = sorted(map(float, known), reverse=direction == "descending")
                assert list(map(float, known)) == expected
            else:
                ordered = known if direction == "ascending" else known[::-1]
                assert page.evaluate(f"list => list.every((x, i) => !i || ({collate})(list[i - 1], x) <= 0)", ordered)

    def test_prices_sort_across_pricing_models_and_go_back_to_their_groups(self, reader: Reader):
        page = reader.open(GUIDE)
        before = column(page, 4)
        page.locator("th[data-coluna=preco] button").click()
        assert page.locator(".grupo:visible").count() == 0
        assert sorted(before) == sorted(column(page, 4))
        page.get_by_role("button", name="Limpar", exact=True).click()
        page.wait_for_function("() => !document.querySelector('[aria-sort]')")
        assert column(page, 4) == before


class TestFilters:
    @pytest.mark.parametrize("minimum", [48, 80, 141])
    def test_memory(self, reader: Reader, minimum: int):
        page = reader.open(GUIDE)
        control(page, "vram").select_option(str(minimum))
        assert min(map(float, filters(page, "vram"))) >= minimum
        assert f"{count(page)} de " in said(page)

    @pytest.mark.parametrize(
        ("name", "value"), [("modalidade", "spot"), ("regiao", "BR"), ("gpu", "L40S"), ("provedor", "RunPod")]
    )
    def test_a_choice_keeps_only_its_rows(self, reader: Reader, name: str, value: str):
        page = reader.open(GUIDE)
        more_filters(page)
        control(page, name).select_option(value)
        assert set(filters(page, name)) == {value}

    @pytest.mark.parametrize("name", ["nvlink", "rede"])
    def test_a_box_keeps_only_rows_that_have_it(self, reader: Reader, name: str):
        page = reader.open(GUIDE)
        more_filters(page)
        page.locator(f"input[name={name}]").check()
        assert set(filters(page, name)) == {"sim"}

    def test_billing_and_provider_add_up_and_clear(self, reader: Reader):
        page = reader.open(GUIDE)
        more_filters(page)
        control(page, "cobranca").select_option("second")
        assert set(filters(page, "cobranca")) == {"second"}
        seller = filters(page, "provedor")[0]
        control(page, "provedor").select_option(seller)
        assert set(filters(page, "provedor")) == {seller}
        page.get_by_role("button", name="Limpar", exact=True).click()
        page.wait_for_function("() => document.querySelector('.filtros select[name=provedor]').value === ''")
        control(page, "gpus").select_option("8")
        assert min(map(float, filters(page, "gpus"))) >= 8

    def test_recent_prices_only(self, reader: Reader):
        page = reader.open(GUIDE)
        all_rows = count(page)
        more_filters(page)
        control(page, "idade").select_option("90")
        days = page.eval_on_selector_all(ROWS, "rows => rows.map(row => row.querySelector('time').dateTime)")
        today = page.evaluate("() => Date.now()")
        oldest = page.evaluate("day => Date.parse(day)", min(days)) if days else today
        assert count(page) < all_rows
        assert (today - oldest) / 86_400_000 < 91

    @pytest.mark.parametrize(("written", "limit"), [("2,5", 2.5), ("2.5", 2.5), ("3", 3.0)])
    def test_maximum_price_as_a_brazilian_writes_it(self, reader: Reader, written: str, limit: float):
        page = reader.open(GUIDE)
        control(page, "preco").fill(written)
        prices = list(map(float, column(page, 4)))
        assert prices
        assert max(prices) <= limit

    def test_a_price_that_is_no_number_is_said_and_filters_nothing(self, reader: Reader):
        page = reader.open(GUIDE)
        all_rows = count(page)
        control(page, "preco").fill("barato")
        assert count(page) == all_rows
        assert "não é um número" in said(page)


class TestSearchBox:
    @pytest.mark.parametrize(
        ("written", "holds"),
        [
            ("vram>=80 nvlink spot", "r => r.vram >= 80 && r.nvlink === 'sim' && r.modalidade === 'spot'"),
            ("preco<2", "r => Number(r.preco) < 2"),
            ("preço <= 1,5", "r => Number(r.preco) <= 1.5"),
            ("h100", "r => /^(G)?H100/.test(r.gpu)"),
            ("a100 vram=80", "r => r.gpu.includes('A100') && r.vram === '80'"),
            ("gpu:l40s", "r => r.gpu === 'L40S'"),
            ("provedor:azure", "r => r.provedor === 'Microsoft Azure'"),
            ("regiao:br", "r => r.regiao === 'BR'"),
            ("gpus>=8 -aws -amazon", "r => r.gpus >= 8 && r.provedor !== 'Amazon Web Services'"),
        ],
    )
    def test_operators_and_words(self, reader: Reader, written: str, holds: str):
        page = reader.open(GUIDE)
        control(page, "busca").fill(written)
        assert count(page) > 0
        assert count(page) < page.evaluate(
            "() => Number(document.querySelector('.contagem').textContent.match(/de (\\d+)/)[1])"
        )
        assert page.eval_on_selector_all(ROWS, f"rows => rows.map(row => ({{...row.dataset}})).every({holds})")

    def test_what_nobody_understands_is_said(self, reader: Reader):
        page = reader.open(GUIDE)
        control(page, "busca").fill("vrma>=80")
        assert "não entendi “vrma>=80”" in said(page)


class TestAddress:
    def test_a_view_is_kept_in_a_readable_address_and_comes_back(self, reader: Reader):
        page = reader.open(GUIDE)
        control(page, "busca").fill("h100")
        control(page, "vram").select_option("80")
        control(page, "preco").fill("4,5")
        page.locator("th[data-coluna=preco] button").click()
        page.locator("th[data-coluna=preco] button").click()
        assert query(page) == {"busca": ["h100"], "vram": ["80"], "preco": ["4,5"], "ordem": ["-preco"]}
        assert "preco=4,5" in page.url
        again = reader.open(page.url.removeprefix(reader.site))
        assert column(again, 4) == column(page, 4)
        assert said(again) == said(page)

    def test_hidden_columns_and_chosen_offers_come_back(self, reader: Reader):
        page = reader.open(GUIDE)
        page.get_by_text("Colunas").click()
        page.locator(".menu--colunas").get_by_label("Banda da memória").uncheck()
        page.locator(".escolher").nth(0).check()
        page.locator(".escolher").nth(3).check()
        again = reader.open(page.url.removeprefix(reader.site))
        assert again.locator("th[data-coluna=banda]").is_hidden()
        assert again.locator("th[data-coluna=vram]").is_visible()
        assert again.locator(".escolher:checked").count() == 2

    def test_an_address_with_nonsense_shows_everything(self, reader: Reader):
        page = reader.open(f"{GUIDE}?ordem=x&sem=oferta,y&lado-a-lado=z&cor=azul")
        assert page.locator("th[data-coluna=oferta]").is_visible()
        assert count(page) == count(reader.open(GUIDE))

    def test_a_link_to_a_row_that_was_filtered_away_brings_it_back(self, reader: Reader):
        page = reader.open(GUIDE)
        anchor = page.locator("tr[id^=gpu-]").nth(5).get_attribute("id")
        control(page, "busca").fill("nada disto existe")
        page.evaluate("id => { location.hash = id }", anchor)
        page.locator(f"#{anchor}").wait_for(state="visible")


class TestEmpty:
    def test_the_page_says_what_to_relax_and_does_it(self, reader: Reader):
        page = reader.open(f"{GUIDE}?vram=192&preco=0,10")
        assert count(page) == 0
        assert said(page).startswith("0 de ")
        relax = page.locator(".vazio").get_by_role("button")
        assert relax.count() == 2
        promised = int(re.search(r": (\d+) oferta", relax.nth(1).inner_text())[1])
        relax.nth(1).click()
        assert count(page) == promised
        assert page.locator(".vazio").is_hidden()
        assert page.evaluate("() => document.activeElement.name") == "preco"


class TestAllOffers:
    def test_the_rest_comes_as_data_a_hundred_rows_at_a_time(self, reader: Reader):
        page = reader.open(GUIDE)
        promised = int(re.sub(r"\D", "", page.locator("[data-todas]").inner_text()))
        page.locator("[data-todas]").click()
        page.wait_for_function("() => location.search.includes('todas=sim')")
        assert said(page).replace(".", "").startswith(f"{promised} ofertas")
        assert count(page) == 100
        page.get_by_role("button", name="Mostrar mais ofertas").click()
        assert count(page) == min(promised, 200)
        control(page, "busca").fill("spot vram>=80")
        assert set(filters(page, "modalidade")) == {"spot"}
        page.locator(".escolher").nth(1).check()
        again = reader.open(page.url.removeprefix(reader.site))
        again.wait_for_function("() => document.querySelector('.todas').hidden")
        assert column(again, 4) == column(page, 4)
        assert again.locator(".escolher").nth(1).is_checked()
