"""Offers side by side, taken away, and read without script."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page

from tests.browser.reader import GUIDE, GUIDES, ROWS, Reader, column, count, said


class TestSideBySide:
    def test_up_to_four_offers_compare_in_a_dialog_that_closes_with_escape(self, reader: Reader):
        page = reader.open(GUIDE)
        for at in (0, 1, 4, 6):
            page.locator(".escolher").nth(at).check()
        page.locator(".escolher").nth(8).click()
        assert "até quatro" in said(page)
        assert page.locator(".escolher:checked").count() == 4
        page.get_by_role("button", name="Comparar lado a lado").click()
        dialog = page.get_by_role("dialog", name="Lado a lado")
        dialog.wait_for()
        assert dialog.locator("thead th").count() == 4
        assert dialog.get_by_role("rowheader", name="Por GPU-hora", exact=True).count() == 1
        assert dialog.locator("th", has_text="Cobrança").count() == 1
        page.keyboard.press("Escape")
        assert page.locator("dialog.lado").count() == 0


class TestTakingAway:
    def open_menu(self, page: Page) -> None:
        page.get_by_text("Levar os dados").click()

    def saved(self, page: Page, name: str) -> str:
        self.open_menu(page)
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        return download.value.path().read_text(encoding="utf-8-sig")

    def test_csv_has_what_is_seen_with_decimal_commas(self, reader: Reader):
        page = reader.open(f"{GUIDE}?vram=80&ordem=preco&sem=banda")
        lines = self.saved(page, "Baixar CSV").strip().splitlines()
        heading = lines[0].split(";")
        assert "Banda da memória" not in heading
        at = heading.index("Por GPU-hora (US$)")
        assert [line.split(";")[at].replace(",", ".") for line in lines[1:]] == column(page, 4)

    def test_json_has_numbers_and_null(self, reader: Reader):
        page = reader.open(GUIDE)
        rows = json.loads(self.saved(page, "Baixar JSON"))
        assert len(rows) == count(page)
        assert {type(row["Por GPU-hora (US$)"]) for row in rows} <= {int, float, type(None)}
        assert all(row["Região"] != "" for row in rows)

    @pytest.mark.parametrize(("name", "separator"), [("Copiar para planilha", "\t"), ("Copiar em Markdown", " | ")])
    def test_the_clipboard_gets_numbers(self, reader: Reader, name: str, separator: str):
        page = reader.open(GUIDE, permissions=["clipboard-read", "clipboard-write"])
        self.open_menu(page)
        page.get_by_role("button", name=name).click()
        page.get_by_text("na área de transferência").wait_for()
        lines = page.evaluate("() => navigator.clipboard.readText()").splitlines()
        rows = [line for line in lines[1:] if "---" not in line]
        assert len(rows) == count(page)
        assert all(re.search(rf"{re.escape(separator)}\d+(,\d+)?{re.escape(separator)}", row) for row in rows)

    def test_text_that_a_spreadsheet_would_run_is_disarmed_and_numbers_are_not(self, reader: Reader):
        page = reader.open(GUIDE)
        written = page.evaluate(
            """async () => {
              const base = new URL(`${document.body.dataset.base}/assets/guia/`, location.href);
              const { csv } = await import(new URL("levar.js", base));
              const texts = ['=HYPERLINK("https://x","clique")', "+cmd", "@SUM(A1)", "-2+3", "\\t=1+1", "A100"];
              return csv({ headings: ["a"], rows: [...texts.map((text) => [text]), [-0.02], [-5]] });
            }"""
        )
        assert written.lstrip("\ufeff").split("\r\n") == [
            "a",
            '"\'=HYPERLINK(""https://x"",""clique"")"',
            "'+cmd",
            "'@SUM(A1)",
            "'-2+3",
            "'\t=1+1",
            "A100",
            "-0,02",
            "-5",
            "",
        ]


class TestWithoutScript:
    @pytest.mark.parametrize("path", GUIDES)
    def test_every_row_is_there_and_details_open_by_keyboard(self, reader: Reader, path: str):
        page = reader.open(path, java_script_enabled=False)
        rows = page.locator(ROWS)
        assert rows.count() >= 60
        assert page.locator(".filtros").is_hidden()
        assert page.locator(".busca-abrir").is_hidden()
        more = page.locator("tr.mais").first
        assert more.is_hidden()
        rows.first.locator("summary").focus()
        page.keyboard.press("Enter")
        assert more.is_visible()

    def test_script_loses_no_row(self, reader: Reader):
        for path in GUIDES:
            assert count(reader.open(path)) == count(reader.open(path, java_script_enabled=False))
