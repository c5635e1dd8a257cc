"""Prices, stock and counts age: the prose takes them from the dataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generator.model import Gpu
from generator.prose.document import Document
from generator.prose.rule import Finding, Project

_CURRENCY = r"R\$|US\$|\bUSD\b|\bBRL\b|\bEUR\b|[€£¥]"
_PER_TIME = r"(?:\bpor (?:GPU-)?hora\b|\bpor mês\b|/h(?:ora)?\b)"
_FACT_UNITS = r"(?:GB|GiB|GB/s|TB/s|TFLOPS|watts|W)"
_SHORTCODES = {"GB": "vram", "GiB": "vram", "GB/s": "banda", "TB/s": "banda"}


def typed_price(document: Document, project: Project) -> Iterator[Finding]:
    """Find amounts of money, prices per hour and phrases that promise a price, in digits or spelled out."""
    lists = project.lists.words
    number = rf"(?:\d[\d.,]*|\b{_any(lists['number_words'])})"
    patterns = (
        _CURRENCY,
        rf"{number}(?: (?:mil|milhões de|e \w+))*[ \u00a0]{_any(lists['currency_words'])}",
        rf"\d[^.\n]{{0,20}}?{_PER_TIME}",
        rf"\b{_any(lists['number_words'])}(?: e \w+)? {_PER_TIME}",
        _any(lists["price_phrases"]),
    )
    for match in _distinct(document.prose, patterns):
        yield Finding(
            match.start(),
            f"preço digitado «{_shown(match[0])}»",
            "preço só por shortcode, que traz provedor e data",
            'use {{ menor_preco("id-da-gpu") }}, ou escreva sem preço',
        )


def typed_stock(document: Document, project: Project) -> Iterator[Finding]:
    """Find phrases that promise availability."""
    for match in re.finditer(_any(project.lists.words["stock_phrases"]), document.prose, re.IGNORECASE):
        yield Finding(
            match.start(),
            f"disponibilidade digitada «{match[0]}»",
            "disponibilidade só na comparação, com fonte e data",
            "diga o que o leitor deve verificar, sem afirmar o estoque",
        )


def typed_count(document: Document, project: Project) -> Iterator[Finding]:
    """Find how many offers or providers there are, typed instead of counted."""
    lists = project.lists.words
    number = rf"(?<![\w,.-])(?:\d[\d.]*|{_any(lists['number_words'])})"
    for match in re.finditer(rf"{number} ({_any(lists['counted_words'])})", document.prose, re.IGNORECASE):
        shortcode = "total_de_provedores()" if "provedores" in match[0].lower() else 'total_de_ofertas("guia")'
        yield Finding(
            match.start(),
            f"contagem digitada «{match[0]}»",
            "número contado nos dados do dia",
            f"use {{{{ {shortcode} }}}}, ou escreva «várias», «alguns»",
        )


def typed_fact(document: Document, project: Project) -> Iterator[Finding]:
    """Find a GPU's memory or speed typed beside its name; the memory that is part of the name may stay."""
    cards = _cards(project.gpus.values())
    if not cards:
        return
    name = "|".join(sorted(map(re.escape, cards), key=len, reverse=True))
    between = r"(?:[ \u00a0](?:SXM\d?|PCIe|NVL|de|com|tem|traz|e seus|os))*[ \u00a0]"
    amount = rf"(?P<amount>\d[\d.,]*)[ \u00a0]?(?P<unit>{_FACT_UNITS})(?![\w/])"
    for match in re.finditer(rf"\b(?P<name>{name})(?P<between>{between}){amount}", document.prose):
        if _is_name(match, cards):
            continue
        shortcode = _SHORTCODES.get(match["unit"])
        todo = f'use {{{{ {shortcode}("{cards[match["name"]][0].id}") }}}}' if shortcode else "deixe o número na tabela"
        yield Finding(
            match.start("amount"),
            f"fato da GPU digitado «{match['amount']} {match['unit']}» depois de «{match['name']}»",
            "número lido de data/gpus.csv",
            todo,
        )


def _is_name(match: re.Match[str], cards: dict[str, list[Gpu]]) -> bool:
    """Tell whether the amount only says which variant is meant: “A100 SXM de 80 GB”."""
    if match["unit"] != "GB" or set(match["between"].split()) & {"com", "tem", "traz", "os"}:
        return False
    return any(f"{card.memory_gb:g}" == match["amount"] for card in cards[match["name"]])


def _cards(gpus: Iterable[Gpu]) -> dict[str, list[Gpu]]:
    """Return the cards by the model name that prose uses: “H100”, “RTX 4090”."""
    cards: dict[str, list[Gpu]] = {}
    for gpu in gpus:
        name = gpu.name.removeprefix(f"{gpu.vendor} ").removeprefix("GeForce ")
        short = re.split(r" (?:SXM|PCIe|NVL|OAM|\d+ GB|\()", name)[0]
        cards.setdefault(short, []).append(gpu)
    return cards


def _any(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})\b"


def _distinct(text: str, patterns: Iterable[str]) -> list[re.Match[str]]:
    """Return what the patterns find, the earliest and longest first, none inside another."""
    found = [match for pattern in patterns for match in re.finditer(pattern, text, re.IGNORECASE)]
    kept: list[re.Match[str]] = []
    for match in sorted(found, key=lambda each: (each.start(), -each.end())):
        if not kept or match.start() >= kept[-1].end():
            kept.append(match)
    return kept


def _shown(text: str) -> str:
    return " ".join(text.split())
