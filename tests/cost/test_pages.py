"""What a reader in Brazil sees: reais that follow the bill, whole bills part by part, every number with its date."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from bs4 import BeautifulSoup

from generator import formatting as fmt
from generator.pages.cost_blocks import CostBlocks
from generator.sizing.rates import serving_rate
from generator.views import reais
from generator.views.comparison import with_gpu_facts
from generator.views.cost_rows import cost_rows
from generator.views.offer_rows import offer_rows
from generator.views.scenarios import scenario_tables
from generator.views.site import Site
from generator.views.spreadsheet import for_spreadsheets

from .conftest import TODAY, a_rate

NBSP = "\u00a0"
EURO = a_rate("1.10", base="EUR", quote="USD", kind="mid")
PARTS = ("Processamento", "Armazenamento", "Saída de dados")
GUIDES = ("ajuste-fino", "treinamento", "ia-generativa", "inferencia")

# Price of the machine, GPUs, currency, provider of a known way of billing, and the reais of one GPU for an hour.
BY_HAND = [
    (1.99, 1, "USD", "lambda", "R$ 10,30 com IOF"),  # 1.99 × 5.0007 × 1.035 = 10.29969…
    (98.32, 8, "USD", "aws", "R$ 61,46 em fatura nacional"),  # 98.32 ÷ 8 × 5.0007 = 61.45860…
    (60.0, 8, "BRL", "magalu", "R$ 7,50 preço em reais"),
    (2.0, 1, "USD", "vultr", "R$ 10,00 sem IOF"),  # 2 × 5.0007 = 10.0014
    (3.0, 1, "EUR", "runpod", "R$ 17,08 com IOF"),  # 3 × 1.1 × 5.0007 × 1.035 = 17.07989…
]


def _soup(folder, page):
    return BeautifulSoup((folder / page / "index.html").read_text(encoding="utf-8"), "html5lib")


@pytest.fixture(scope="module")
def tables(pinned, project):
    return [table for guide in GUIDES for table in scenario_tables(Site(pinned, TODAY, project), guide)]


@pytest.fixture(scope="module")
def page(built_site):
    return _soup(built_site, "custo-no-brasil")


class TestReaisOfAnOffer:
    @pytest.fixture
    def rows(self, with_offers, pinned):
        changes = [
            {
                "price_hour": price,
                "gpu_count": float(count),
                "currency": currency,
                "provider": provider,
                "price_usd_hour": price,
                "price_usd_gpu_hour": price / count,
            }
            for price, count, currency, provider, _ in BY_HAND
        ]
        world = with_offers(*changes)
        world = replace(world, rates=(*pinned.rates, EURO), cost=pinned.cost)
        frame = with_gpu_facts(world.offers, world.gpus, TODAY).sort_values("offer_id")
        return offer_rows(frame, world, "memory_gb"), frame.to_dict("records"), world

    def test_the_page_shows_what_a_hand_computes_to_the_cent(self, rows):
        shown = [row.price_gpu_brl for row in rows[0]]
        assert shown == [text.replace("R$ ", f"R${NBSP}") for *_, text in BY_HAND]

    def test_programs_read_the_same_number(self, rows):
        _, records, world = rows
        numbers = [fmt.money_value(reais.offer_reais(offer, world, TODAY).amount) for offer in records]
        told = [re.search(r"[\d,]+", text)[0].replace(",", ".") for *_, text in BY_HAND]
        assert [str(number) for number in numbers] == told

    def test_the_spreadsheet_and_the_api_have_the_same_number_with_rate_and_tax(self, rows):
        _, _, world = rows
        told = [re.search(r"[\d,]+", text)[0] for *_, text in BY_HAND]
        sheet = for_spreadsheets(world, TODAY).decode("utf-8-sig").splitlines()
        lines = list(csv.DictReader(sheet, delimiter=";"))
        assert [
            f"{float(line['Preço por GPU em reais'].replace(',', '.')):.2f}".replace(".", ",") for line in lines
        ] == told
        costs = cost_rows(world, TODAY)
        assert [f"{cost['price_brl_gpu_hour']:.2f}".replace(".", ",") for cost in costs] == told
        assert [cost["iof_percent"] for cost in costs] == [3.5, None, None, None, 3.5]
        assert [cost["usd_brl"] for cost in costs] == [5.0007, 5.0007, None, 5.0007, 5.0007]
        assert [cost["billing_regime"] for cost in costs][3] is None

    def test_the_detail_says_what_the_reais_include_and_the_original_currency(self, rows):
        details = [dict(row.details) for row in rows[0]]
        assert "IOF incluído, sem o spread do banco" in details[0]["Em reais, por GPU-hora"]
        assert "tributos conforme o contrato" in details[1]["Em reais, por GPU-hora"]
        assert "não informada" in details[3]["Em reais, por GPU-hora"]
        assert details[4]["Preço publicado, por instância-hora"] == f"€{NBSP}3,00"
        assert "Preço publicado, por instância-hora" not in details[0]

    def test_without_a_rate_of_its_currency_a_price_has_no_reais(self, with_offers):
        world = with_offers({"currency": "CNY", "price_usd_hour": None, "price_usd_gpu_hour": None, "price_hour": 9.0})
        frame = with_gpu_facts(world.offers, world.gpus, TODAY)
        assert offer_rows(frame, world, "memory_gb")[0].price_gpu_brl == ""

    def test_the_country_gives_the_class_that_filters_look_at(self, with_offers):
        changes = [{"country": code, "price_usd_hour": 3.0} for code in ("BR", "FI", "US", "")]
        world = with_offers(*changes)
        frame = with_gpu_facts(world.offers, world.gpus, TODAY).sort_values("offer_id")
        found = [row.filters["lgpd"] for row in offer_rows(frame, world, "memory_gb")]
        assert found == ["brazil", "adequate", "instrument", ""]


class TestScenarios:
    def test_every_scenario_finds_a_machine(self, tables):
        assert [table.scenario.id for table in tables if not table.rows] == []

    def test_only_machines_that_hold_the_work_are_shown(self, tables, data):
        for table in tables:
            need_gib = float(re.search(r"[\d,]+", table.need)[0].replace(",", "."))
            for row in table.rows:
                assert data.gpus[row.offer["gpu"]].visible_memory_gib > need_gib
                assert row.offer["gpu_count"] == table.scenario.gpus
                assert row.offer["pricing_model"] == table.scenario.pricing_model

    def test_whole_bills_come_first_each_kind_from_the_least_to_the_most(self, tables):
        for table in tables:
            order = [(bool(row.found.unknown), row.found.total.amount) for row in table.rows]
            assert order == sorted(order)

    def test_what_is_missing_is_named_and_the_total_is_at_least(self, tables):
        for row in (row for table in tables for row in table.rows):
            assert row.total.text.startswith("ao menos") == bool(row.missing)
            has_unknown_part = any(part.amount is None for part in row.found.parts)
            assert row.missing or not has_unknown_part

    def test_an_hour_in_use_costs_more_the_less_the_endpoint_is_used(self, tables):
        idle, busy = (
            {row.offer["offer_id"]: row for table in tables if table.scenario.id == id_ for row in table.rows}
            for id_ in ("endpoint-8b-10", "endpoint-8b-50")
        )
        both = set(idle) & set(busy)
        assert both
        for id_ in both:
            ratio = float(idle[id_].per_used_hour.sort) / float(busy[id_].per_used_hour.sort)
            assert 4 < ratio < 5.001  # five times less use, and a little less data leaves

    def test_the_hand_computed_afternoon_of_qlora_is_on_the_page(self, tables):
        rows = next(table.rows for table in tables if table.scenario.id == "qlora-8b-tarde")
        row = next(row for row in rows if row.offer["provider"] == "runpod")
        price = Decimal(str(row.offer["price_hour"]))
        # 4 h, plus 100 GB for 4 of the 730 hours of a month at 0.10, no egress; PTAX and IOF of 16 April 2026
        by_hand = (price * 4 + Decimal(100) * Decimal("0.10") * 4 / 730) * Decimal("5.0007") * Decimal("1.035")
        assert row.total.text == fmt.money(by_hand, "BRL")
        assert row.found.parts[0].amount == price * 4

    def test_a_million_tokens_cost_what_the_used_hours_and_the_speed_say(self, tables, data):
        table = next(table for table in tables if table.scenario.id == "endpoint-8b-50")
        for row in table.rows:
            rate = serving_rate(
                data.models[table.scenario.model],
                data.knowledge.methods[table.scenario.method],
                data.gpus[row.offer["gpu"]],
                1,
                (4096, 4096),
                data.knowledge,
            )
            tokens = rate.likely * 3600 * 730 * 0.5
            assert float(row.yields.sort) == pytest.approx(float(row.total.sort) / tokens * 1e6, rel=1e-6)

    def test_tokens_trained_have_a_range_around_them(self, tables):
        for table in tables:
            if table.scenario.occupancy is None:
                for row in table.rows:
                    usual, least, most = (
                        float(each.replace(".", "").replace(",", "."))
                        for each in re.findall(r"[\d.,]+", row.yields.text)
                    )
                    assert least <= usual <= most


class TestHistory:
    def _html(self, data, project, rates):
        return str(CostBlocks(Site(replace(data, rates=tuple(rates)), TODAY, project)).historico_do_cambio())

    def _rates(self, count):
        start = date(2026, 11, 2)
        return [
            a_rate(Decimal("5.20") + Decimal(n) / 100, start + timedelta(days=n), kind="sell") for n in range(count)
        ]

    def test_with_few_rates_there_is_a_sentence(self, data, project):
        html = self._html(data, project, self._rates(11))
        assert "<svg" not in html
        assert "11" in html

    def test_from_twelve_on_there_is_a_chart_with_words_and_a_table(self, data, project):
        soup = BeautifulSoup(self._html(data, project, self._rates(12)), "html5lib")
        assert len(soup.select_one("polyline")["points"].split()) == 12
        assert "5,2000" in soup.select_one("title").text
        assert "5,3100" in soup.select_one("title").text
        assert len(soup.select("tbody tr")) == 12

    def test_without_any_rate_nothing_is_invented(self, data, project):
        assert "não há cotação" in self._html(data, project, [])


class TestNotices:
    def test_a_tax_not_checked_for_long_is_told_and_does_not_fail(self, data):
        stale = data.cost.iof[-1].checked_on + timedelta(days=data.cost.rules.iof_check_days + 1)
        assert "data/iof.csv" in reais.notices(data, stale)[0]

    def test_a_tax_checked_lately_raises_no_notice(self, data):
        assert reais.notices(data, data.cost.iof[-1].checked_on + timedelta(days=1)) == []


class TestBuiltPages:
    def test_the_first_reais_have_rate_day_and_a_link_to_check(self, page, data):
        text, rate = page.select_one("#cambio").find_next("p").get_text(), data.rate("USD", "BRL", TODAY)
        assert fmt.exchange_rate(rate.rate) in text
        assert fmt.day_long(rate.day) in text
        assert page.select_one('a[href^="https://www.bcb.gov.br/"]')

    def test_the_tax_is_never_without_its_dates(self, page, built_site):
        for soup in (page, *(_soup(built_site, f"guias/{guide}") for guide in GUIDES)):
            sentences = soup.find_all(string=re.compile(r"IOF (?:é de|incide)"))
            assert sentences
            assert all(re.search(r"\d+(?:,\d+)?\s?%\s\(em vigor desde .+; conferido em", each) for each in sentences)

    def test_parts_add_up_to_the_total_they_stand_beside(self, page):
        rows = page.select("table[data-cenario] tbody tr")
        assert rows
        for row in rows:
            parts = [row.select_one(f'[data-rotulo="{name}"]')["data-sort"] for name in PARTS]
            total = float(row.select_one('[data-rotulo="Total"]')["data-sort"])
            assert sum(float(part) for part in parts if part) == pytest.approx(total, abs=0.005)

    def test_every_machine_of_a_scenario_has_day_and_source(self, page):
        for row in page.select("table[data-cenario] tbody tr"):
            assert row.select_one("time")["datetime"]
            assert row.select_one('a[href^="https://"]')

    def test_three_clicks_lead_from_the_home_page_to_a_cost_in_reais(self, built_site):
        home = _soup(built_site, "")
        guide = next(a["href"] for a in home.select("article a") if a["href"].rstrip("/").endswith("guias/ajuste-fino"))
        pocket = _soup(built_site, guide.strip("./")).select_one(".bolso a")
        assert "8B" in pocket.text
        path, anchor = pocket["href"].split("#")
        assert path == "../../custo-no-brasil/"
        scenario = _soup(built_site, "custo-no-brasil").select_one(f"#{anchor}")
        assert re.search(r"R\$\s\d", scenario.select_one('[data-rotulo="Total"]').text)
        assert scenario.select_one("time")["datetime"]

    def test_rows_of_the_comparison_carry_the_class_of_their_country(self, built_site):
        rows = _soup(built_site, "guias/treinamento").select("tr[data-offer]")
        classes = {row.get("data-lgpd") for row in rows}
        assert {"brazil", "instrument"} <= classes
        assert all(row.get("data-lgpd") for row in rows if row.get("data-pais") or row.get("data-regiao"))
