"""What the index of the search holds, without a browser."""

from __future__ import annotations

import json

from generator.dataset import Dataset
from generator.pages import search_index

PAGE = """<h1 id="t">Título</h1><p>Preços das GPUs</p>
<table><tr><td>vast 0,40</td></tr></table>
<h2 id="a">Memória &amp; banda<a class="headerlink" href="#a">#</a></h2><p>Quantização, quantização</p>
<h3 id="b">RTX 4090</h3><p>H100/A100</p>"""


def test_each_heading_is_a_section_with_its_distinct_folded_words():
    page = search_index.search_page("x/", "Título", "Descrição", PAGE)
    assert [(s.anchor, s.heading, s.words) for s in page.sections] == [
        ("", "", "descricao titulo precos das gpus"),
        ("a", "Memória & banda", "quantizacao"),
        ("b", "RTX 4090", "h100 a100"),
    ]


def test_rows_of_tables_stay_out():
    assert "vast" not in str(search_index.search_page("x/", "t", "d", PAGE))


def test_a_page_without_headings_is_one_section():
    page = search_index.search_page("x/", "t", "d", "<p>uma</p>")
    assert [s.words for s in page.sections] == ["uma"]


def test_english_and_avoided_words_stand_for_the_words_of_the_pages(data: Dataset):
    known = search_index.synonyms(data)
    assert "lote" in known["batch"]
    assert "spot" in known["interrompivel"]
    assert all(word == search_index.fold(word) for word in known)


def test_the_index_is_strict_json_in_the_order_of_addresses(data: Dataset):
    pages = [search_index.search_page(url, url, "", "<p>x</p>") for url in ("b/", "a/")]
    found = json.loads(search_index.as_json(pages, data))
    assert [page[0] for page in found["paginas"]] == ["a/", "b/"]
