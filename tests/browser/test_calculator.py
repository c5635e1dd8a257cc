"""The calculator looks answers up, remembers the choices in the address, and leads somewhere without script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import Reader, query

CALCULATOR = "calculadora/"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
A_CHOICE = {"modelo": "qwen3-32b", "metodo": "inferencia-4bit", "contexto": "8192", "lote": "4"}


def answer(page: Page) -> dict[str, str]:
    rows = page.locator(".resposta dl > div")
    return {row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in rows.all()}


def published(site: Path, choice: dict[str, str]) -> dict[str, str]:
    file = json.loads((site / f"calculadora/{choice['modelo']}.json").read_text(encoding="utf-8"))
    places = file["respostas"][choice["metodo"]][choice["contexto"]][choice["lote"]]
    return {label: text for label, text, _ in (file["linhas"][place] for place in places)}


def test_a_shared_address_opens_with_its_answer(reader: Reader, built_site: Path):
    page = reader.open(CALCULATOR + "?" + "&".join(f"{name}={value}" for name, value in A_CHOICE.items()))
    expect(page.locator(".resposta__titulo")).to_contain_text("Qwen3 32B")
    assert answer(page) == published(built_site, A_CHOICE)


def test_choosing_changes_answer_and_address(reader: Reader, built_site: Path):
    page = reader.open(CALCULATOR)
    for name, value in A_CHOICE.items():
        page.locator(f".calculadora [name={name}]").select_option(value)
    expect(page.locator(".resposta__titulo")).to_contain_text("Qwen3 32B · Inferência em 4 bits")
    expect(page.locator(".resposta__titulo")).to_contain_text("4 por vez")
    assert answer(page) == published(built_site, A_CHOICE)
    assert query(page) == {name: [value] for name, value in A_CHOICE.items()}


def test_every_choice_has_a_label_and_the_answer_is_announced(reader: Reader):
    page = reader.open(CALCULATOR)
    for label in ("Modelo", "Método", "Contexto", "Lote"):
        expect(page.locator(".calculadora").get_by_label(label)).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Memória em uma GPU")


def test_a_method_that_a_model_does_not_take_says_which_one_it_takes(reader: Reader):
    page = reader.open(CALCULATOR + "?modelo=gpt-oss-20b&metodo=inferencia-fp8")
    expect(page.get_by_role("status")).to_contain_text("publicado em 4 bits")
    expect(page.locator("option[value=inferencia-fp8]")).to_be_disabled()


def test_names_that_no_list_has_are_left_alone(reader: Reader):
    page = reader.open(CALCULATOR + "?modelo=<script>&contexto=7&lote=4")
    expect(page.locator(".resposta__titulo")).to_contain_text("Llama 3.1 8B · QLoRA (base em NF4) · 4.096 tokens · 4")


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_the_calculator_fits_the_screen(reader: Reader, width: int):
    page = reader.open(CALCULATOR, width=width)
    expect(page.locator(".calculadora form")).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0


def test_without_script_there_is_an_answer_and_the_way_to_every_model(reader: Reader, built_site: Path):
    page = reader.open(CALCULATOR, java_script_enabled=False)
    expect(page.locator(".calculadora form")).to_be_hidden()
    expect(page.get_by_role("status")).to_contain_text("Memória em uma GPU")
    links = page.locator(".sem-script a")
    assert links.count() == len(list((built_site / "calculadora").glob("*.json")))
    links.first.click()
    expect(page.locator("h1")).to_be_visible()


def test_the_script_stays_small_and_loads_on_its_page_alone(reader: Reader, built_site: Path):
    assert (built_site / "assets/guia/calculadora.js").stat().st_size <= 6 * 1024
    reader.open("metodologia/")
    assert not [url for url in reader.requests if "calculadora" in url]
