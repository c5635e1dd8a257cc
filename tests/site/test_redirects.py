"""Addresses that lead elsewhere: no page that once existed ends in a fault."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath

import pytest

from generator.views.redirects import redirects


def test_what_has_no_page_leads_to_its_index(atlas):
    found = redirects(atlas)
    assert found["gpus/tpu-v5p/"] == "gpus/"
    assert found["provedores/together/"] == "provedores/"
    assert not set(found) & {f"gpus/{name}/" for name in atlas.catalogue.gpus}


def test_a_pair_turned_round_leads_to_the_pair(atlas):
    assert redirects(atlas)["comparar/a100-80-sxm-vs-h100-sxm/"] == "comparar/h100-sxm-vs-a100-80-sxm/"


def test_every_two_known_cards_have_an_address_in_both_orders(atlas):
    pages = {atlas.rivals.pair_url(*pair) for pair in atlas.rivals.pairs.values()}
    known = [gpu.id for gpu in atlas.rivals.known]
    wanted = {f"comparar/{a}-vs-{b}/" for a in known for b in known if a != b}
    assert wanted == pages | {url for url in redirects(atlas) if url.startswith("comparar/")}


@pytest.mark.parametrize("url", ["gpus/tpu-v5p/", "comparar/a100-80-sxm-vs-h100-sxm/"])
def test_a_redirect_works_without_script_and_stays_out_of_searches(built_site: Path, atlas, url: str):
    html = (built_site / url / "index.html").read_text(encoding="utf-8")
    target = re.search(r'content="0; url=([^"]+)"', html)[1]
    assert normpath(f"/{url}{target}").strip("/") + "/" == redirects(atlas)[url]
    assert f'<a href="{target}">' in html
    assert 'name="robots" content="noindex"' in html
    assert (built_site / redirects(atlas)[url] / "index.html").is_file()
