"""What the published prose promises, read straight from the Markdown."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "content"
GUIDES = sorted((CONTENT / "guias").glob("*.md"))
PAGES = sorted(CONTENT.rglob("*.md"))
PROMISES = yaml.safe_load((ROOT / "data" / "pauta.yml").read_text(encoding="utf-8"))

FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
MARK = re.compile(r"^<!-- pauta: (.+?) -->$", re.MULTILINE)
HEADING = re.compile(r"^(#{1,6}) (.+?)(?: \{ #([a-z0-9-]+) \})?$", re.MULTILINE)
TYPED_PRICE = re.compile(
    r"R\$|\bUSD?\b\$?|\bBRL\b|[€£]|\d[\d.,]*\s*(?:reais|dólar(?:es)?|euros?|centavos)\b"
    r"|\d[^.\n]{0,20}\bpor (?:GPU-)?hora\b|\ba partir de\b|\bcusta apenas\b",
    re.IGNORECASE,
)
AVOIDED = re.compile(
    r"\b(?:ficheiros?|utilizador(?:es)?|equipa|ecrãs?|fatura(?:ção|ções)|aluguer|alojamento|partilhad[oa]s?|biliões"
    r"|stock|placas? (?:gráficas?|de vídeo)|centros? de dados|egresso|ingresso|throughput|workloads?|deep learning"
    r"|headroom|KV cache|GenAI|AI generativa|multinó|nós? multi-GPU|nodes?|sharding|taxa horária|ponto de controle"
    r"|estouro|serving|datasets?|teraflops|batch size|núcleos tensor(?:es)?|Infiniband|modelo-base)\b"
)  # a subset of the terminology that cannot be right by accident; the glossary quotes some English names on purpose


def _front_matter(path: Path) -> dict[str, object]:
    found = FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    assert found, f"{path} has no front matter"
    return yaml.safe_load(found[1])


def _prose(path: Path) -> str:
    text = FRONT_MATTER.sub("", path.read_text(encoding="utf-8"))
    text = re.sub(r"<!--.*?-->|\{\{.*?\}\}|\{ #[a-z0-9-]+ \}", "", text, flags=re.DOTALL)
    return re.sub(r"\]\([^)]*\)", "]", text)


def _questions(path: Path) -> list[str]:
    faq = path.read_text(encoding="utf-8").split("## Perguntas frequentes { #perguntas-frequentes }\n")
    assert len(faq) == 2, f"{path} needs exactly one FAQ"
    return re.split(r"^### ", faq[1], flags=re.MULTILINE)[1:]


@pytest.mark.parametrize(
    "typed", ["R$ 12,90", "US$ 2", "3 dólares", "2,49 por hora", "2 por GPU-hora", "A partir de hoje"]
)
def test_the_price_rule_sees_a_typed_price(typed: str):
    assert TYPED_PRICE.search(f"A placa sai por {typed} no provedor.")


@pytest.mark.parametrize("allowed", ["80 GB de VRAM", "em 16 bits", "cobrança por hora cheia", "cada real gasto"])
def test_the_price_rule_lets_durable_numbers_pass(allowed: str):
    assert not TYPED_PRICE.search(f"A placa tem {allowed}.")


def test_every_guide_has_promises_and_every_promise_a_guide():
    assert {guide.stem for guide in GUIDES} == set(PROMISES)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
class TestGuide:
    def test_every_promised_point_is_marked_and_no_mark_is_unknown(self, guide: Path):
        marked = {point for line in MARK.findall(guide.read_text(encoding="utf-8")) for point in line.split()}
        assert marked == set(PROMISES[guide.stem]["points"])

    def test_no_mark_stands_before_nothing(self, guide: Path):
        blocks = guide.read_text(encoding="utf-8").split("\n\n")
        followed = [after for block, after in pairwise(blocks) if MARK.fullmatch(block)]
        assert len(followed) == len(MARK.findall(guide.read_text(encoding="utf-8")))
        assert not [block for block in followed if block.startswith(("#", "<!--"))]

    def test_length_respects_the_reader(self, guide: Path):
        assert 1200 <= len(re.findall(r"\w+(?:[.,/’'-]\w+)*", _prose(guide))) <= 2200

    def test_promised_questions_are_answered_in_the_faq(self, guide: Path):
        questions = _questions(guide)
        answered = {point for question in questions for line in MARK.findall(question) for point in line.split()}
        assert answered == set(PROMISES[guide.stem]["questions"])
        assert all(re.match(r".+\? \{ #faq-[a-z0-9-]+ \}\n", question) for question in questions)

    def test_comparison_comes_before_any_advice(self, guide: Path):
        text = guide.read_text(encoding="utf-8")
        assert text.index(f'{{{{ comparacao("{guide.stem}") }}}}') < text.index("<!-- pauta:")
        assert _front_matter(guide)["workload"] == guide.stem

    def test_original_name_of_the_method_appears_at_most_once(self, guide: Path):
        assert len(re.findall("fine-tuning", _prose(guide), re.IGNORECASE)) <= 1


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
class TestPage:
    def test_headings_are_one_title_then_levels_with_explicit_unique_ids(self, page: Path):
        headings = HEADING.findall(FRONT_MATTER.sub("", page.read_text(encoding="utf-8")))
        levels = [len(level) for level, _, _ in headings]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(deeper <= level + 1 for level, deeper in pairwise(levels))
        ids = Counter(anchor for level, _, anchor in headings if len(level) > 1)
        assert "" not in ids
        assert ids.most_common(1)[0][1] == 1

    def test_description_fits_a_search_result(self, page: Path):
        assert 50 <= len(str(_front_matter(page)["description"])) <= 160

    def test_no_price_is_typed(self, page: Path):
        assert not TYPED_PRICE.findall(_prose(page))

    def test_terms_to_avoid_do_not_appear(self, page: Path):
        if page.stem != "glossario":
            assert not AVOIDED.findall(_prose(page))


def test_no_question_is_asked_twice():
    asked = Counter(question.split(" { #")[0].casefold() for guide in GUIDES for question in _questions(guide))
    assert not [question for question, times in asked.items() if times > 1]
