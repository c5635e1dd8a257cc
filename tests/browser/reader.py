"""A reader with a browser, and what a test looks at on the comparison of a guide."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator, Page

GUIDE = "guias/treinamento/"
GUIDES = [GUIDE, "guias/ia-generativa/", "guias/ajuste-fino/", "guias/inferencia/"]
DATA = [
    "gpus/",
    "gpus/h100-sxm/",
    "provedores/",
    "provedores/runpod/",
    "modelos/",
    "modelos/llama-3.1-8b/",
    "comparar/",
    "comparar/h200-sxm-vs-h100-sxm/",
    "dados/",
    "calculadora/",
    "custo-no-brasil/",
    "qualidade-dos-dados/",
]
ROWS = "table.ofertas tr[data-offer]"


class Reader:
    """Opens pages the way one reader would see them, and keeps what the browser complained about."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.site = site
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def open(self, path: str = "", width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = self._browser.new_context(viewport={"width": width, "height": height}, locale="pt-BR", **options)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in {"error", "warning"} else None)
        page.goto(self.site + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def column(page: Page, at: int) -> list[str]:
    """Return the machine value, or the text, of one column, top to bottom."""
    return page.eval_on_selector_all(
        ROWS, f"rows => rows.map(row => row.cells[{at}].dataset.sort ?? row.cells[{at}].innerText.trim())"
    )


def filters(page: Page, name: str) -> list[str]:
    return page.eval_on_selector_all(ROWS, f"rows => rows.map(row => row.dataset.{name} ?? '')")


def control(page: Page, name: str) -> Locator:
    return page.locator(f".filtros [name={name}]")


def count(page: Page) -> int:
    return page.locator(ROWS).count()


def said(page: Page) -> str:
    return page.locator(".contagem").inner_text()


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def more_filters(page: Page) -> None:
    page.locator(".filtros__mais > summary").click()
