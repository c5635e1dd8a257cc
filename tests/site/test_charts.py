"""What charts promise: drawn from the data, named for who cannot see them, and never from too little."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from xml.etree import ElementTree as ET

import pytest

from generator.pages.charts import svg
from generator.tables.history import PricePeriod, parse_history
from generator.views import history as views
from generator.views.atlas import Atlas
from generator.views.document import Bars, Dot, Dots, History, Moment, Part, Table
from generator.views.site import Site
from tests.conftest import BUILD_DAY, ROOT

NO_TABLE = Table("", (), ())
START = date(2026, 5, 1)


def _drawing(chart) -> ET.Element:
    return ET.fromstring(f'<svg xmlns:x="x" {str(svg(chart))[4:]}')


def test_bars_are_as_long_as_what_they_show_and_say_it():
    chart = Bars("Memória", "resumo", (("A", (Part("pesos", 30, "30 GiB"), Part("cache", 10, "10 GiB")), "40 GiB"),
                                       ("B <i>", (Part("pesos", 20, "20 GiB"),), "20 GiB")), NO_TABLE)  # fmt: skip
    root = _drawing(chart)
    titled = {
        rect.find("title").text: float(rect.get("width"))
        for rect in root.iter("rect")
        if rect.find("title") is not None
    }
    assert titled["A: pesos 30 GiB"] == pytest.approx(3 * titled["A: cache 10 GiB"], rel=0.01)
    assert titled["B <i>: pesos 20 GiB"] == pytest.approx(2 * titled["A: cache 10 GiB"], rel=0.01)
    assert {"40 GiB", "20 GiB", "pesos", "cache", "B <i>"} <= {text.text for text in root.iter("text")}


def test_a_drawing_has_a_name_and_a_role():
    root = _drawing(Bars("Memória & mais", "", (("A", (Part("x", 1, "1"),), "1"),), NO_TABLE))
    assert root.get("role") == "img"
    assert root.find("title").text == "Memória & mais"
    assert root.find("title").get("id") == root.get("aria-labelledby")


def test_every_point_is_drawn_inside_and_names_never_cross():
    dots = tuple(Dot(f"GPU {i}", 10.0 * 1.3**i, 0.2 * 1.2 ** (i % 7), f"texto {i}") for i in range(25))
    root = _drawing(Dots("Mapa", "", "x", "y", dots, NO_TABLE))
    circles = list(root.iter("circle"))
    assert len(circles) == 25
    _, _, width, height = map(float, root.get("viewBox").split())
    assert all(0 < float(c.get("cx")) < width and 0 < float(c.get("cy")) < height for c in circles)
    names = [
        (float(t.get("x")), float(t.get("y")), 6.2 * len(t.text)) for t in root.iter("text") if t.get("class") == "nome"
    ]
    for i, (x, y, wide) in enumerate(names):
        assert not [b for b in names[i + 1 :] if abs(b[1] - y) <= 11 and x < b[0] + b[2] and b[0] < x + wide]


def test_a_day_without_prices_is_a_gap_and_not_a_line():
    days = [0, 1, 2, 5, 6]
    moments = tuple(Moment(START + timedelta(days=d), 2.0, 1.0, 3.0, 2) for d in days)
    root = _drawing(History("Preço", "", moments, NO_TABLE))
    assert [len(line.get("points").split()) for line in root.iter("polyline")] == [3, 2]


@pytest.fixture
def priced(with_offers):
    """Return what a GPU page says of its history, given periods as (provider, first day, last day, price)."""

    def make(*periods: tuple[str, int, int, float]):
        found = tuple(
            PricePeriod(
                who, "h100-sxm", "on_demand", "", START + timedelta(days=a), START + timedelta(days=b), price, "fonte"
            )
            for who, a, b, price in periods
        )
        data = replace(with_offers({}), history=found)
        catalogue = Atlas.of(Site(data, BUILD_DAY, ROOT)).catalogue
        return views.history(catalogue, data.gpus["h100-sxm"])

    return make


def test_fewer_than_twelve_days_are_a_sentence(priced):
    (text,) = priced(("aws", 0, 10, 4.0))
    assert "só 11\u00a0dias de preço" in text.sentences[0]
    assert priced(("aws", 0, 11, 4.0))[0].kind == "history"


def test_a_provider_counts_once_a_day_with_its_lowest_price(priced):
    chart = priced(("aws", 0, 11, 4.0), ("aws", 0, 11, 6.0), ("gcp", 0, 11, 8.0))[0]
    assert {(m.low, m.median, m.high, m.providers) for m in chart.moments} == {(4.0, 6.0, 8.0, 2)}


@pytest.mark.parametrize(
    ("last", "words"), [(4.0, "ficou em US$ 4,00"), (5.0, "subiu de US$ 4,00 para US$ 5,00"), (3.0, "caiu de US$ 4,00")]
)
def test_the_summary_says_how_the_price_moved(priced, last: float, words: str):
    chart = priced(("aws", 0, 11, 4.0), ("aws", 12, 14, last))[0]
    assert f"o preço da H100 SXM5 {words}" in chart.summary.replace("\u00a0", " ")


def test_a_period_that_ends_before_it_starts_is_reported():
    text = ("provider,gpu,pricing_model,region,first_day,last_day,price_usd_gpu_hour,source\n"
            "aws,l4,on_demand,,2026-05-02,2026-05-01,1,fonte\n")  # fmt: skip
    _, problems = parse_history(text, "data/history/2026.csv", {"aws"}, {"l4"}, {"on_demand"})
    assert [(problem.line, "antes do começo" in problem.found) for problem in problems] == [(2, True)]


def test_every_chart_of_the_site_has_words_and_a_table(site_pages):
    seen = 0
    for page in site_pages.values():
        for figure in re.findall(r'<figure class="grafico">.*?</figure>', page.html, flags=re.DOTALL):
            seen += 1
            ET.fromstring(re.search(r"<svg.*?</svg>", figure, flags=re.DOTALL)[0])
            assert "<figcaption>" in figure
            assert "<table" in figure
    assert seen > 80


def test_the_committed_history_has_twenty_six_days(data):
    days = {p.first_day for p in data.history} | {p.last_day for p in data.history}
    assert (min(days), max(days)) == (date(2026, 5, 21), date(2026, 6, 15))
    assert all(p.source and p.last_day >= p.first_day for p in data.history)
