"""Kinds of faults that people make: each takes a text and a seeded chance, and returns the text with one fault."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from random import Random

from generator.prose.document import Document

Fault = Callable[[str, Random], str]


def _replace(pattern: str, change: Callable[[re.Match[str], Random], str], *, in_prose: bool = False) -> Fault:
    """Return a fault that changes one random match, in the words that readers see or anywhere."""

    def fault(text: str, chance: Random) -> str:
        where = Document.read("x.md", text).prose if in_prose else text
        matches = list(re.finditer(pattern, where, re.MULTILINE))
        match = chance.choice(matches)
        return text[: match.start()] + change(match, chance) + text[match.end() :]

    return fault


def _bare(match: re.Match[str], chance: Random) -> str:
    places = [at for at, letter in enumerate(match[0]) if not letter.isascii()]
    at = chance.choice(places)
    return match[0][:at] + unicodedata.normalize("NFD", match[0][at])[0] + match[0][at + 1 :]


def _swap(match: re.Match[str], chance: Random) -> str:
    word = match[0]
    at = chance.choice([at for at in range(1, len(word) - 2) if word[at] != word[at + 1]])
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _typo(match: re.Match[str], chance: Random) -> str:
    """Change one letter of a name for one it cannot be."""
    at = chance.randrange(len(match[0]))
    return match[0][:at] + "q" + ("" if match[0][at] != "q" else "z") + match[0][at + 1 :]


def _insert(*phrases: str) -> Callable[[re.Match[str], Random], str]:
    return lambda match, chance: match[0] + chance.choice(phrases)


def _to(text: str) -> Callable[[re.Match[str], Random], str]:
    return lambda match, _: match.expand(text)


def _other_digit(match: re.Match[str], chance: Random) -> str:
    """Change the first digit of the last group, which is never a mere rounding."""
    first = match[0][match.start(match.lastindex) - match.start()]
    other = chance.choice([digit for digit in "123456789" if digit != first])
    at = match.start(match.lastindex) - match.start()
    return match[0][:at] + other + match[0][at + 1 :]


PRICES = (
    " Custa R$ 12,90.",
    " Sai a US$ 2 por hora.",
    " São três dólares por hora.",
    " Tudo a partir de hoje.",
    " Só 4,50 por hora.",
)
FOREIGN = (" Salve o ficheiro.", " O utilizador espera.", " A equipa decide.", " Veja no ecrã.", " O aluguer acaba.")
SENTENCE = r"(?<=[a-z])\.(?=\n\n)"
WORD = r"(?<![\w-])[a-zà-ú]{7,}(?![\w-])"

CONTENT: dict[str, Fault] = {
    "acento esquecido": _replace(r"(?<![\w-])(?=[a-z]*[^\W\d_a-z])[^\W\d_A-Z]{5,}(?![\w-])", _bare, in_prose=True),
    "letras trocadas": _replace(WORD, _swap, in_prose=True),
    "palavra repetida": _replace(r"(?<![\w-])[a-z]{2,}(?= )", lambda m, _: f"{m[0]} {m[0]}", in_prose=True),
    "preço digitado": _replace(SENTENCE, _insert(*PRICES)),
    "português de Portugal": _replace(SENTENCE, _insert(*FOREIGN)),
    "link para outra página": _replace(r"(?<=\]\()(?:\.\./)?[\w/-]+(?=\.md)", _typo),
    "âncora errada": _replace(r"(?<=\.md#)[\w-]+", _typo),
    "link sem .md": _replace(r"(?<=\]\()([\w./-]+)\.md", _to(r"\1")),
    "link vago": _replace(r"\[[^\]\n]+\](?=\((?:\.\./)?[\w-]+\.md)", _to("[aqui]")),
    "nível de título": _replace(r"^## ", _to("##### ")),
    "título sem âncora": _replace(r"^(##+ .*?) \{ #[\w-]+ \}$", _to(r"\1")),
    "chave do cabeçalho": _replace(r"^(title|description|updated)(?=: )", _typo),
    "chave repetida": _replace(r"^title: .*\n", _to(r"\g<0>\g<0>")),
    "data que não existe": _replace(r"^updated: .*$", _to("updated: 2026-11-31")),
}
GUIDES: dict[str, Fault] = {
    "nome de shortcode": _replace(r"(?<=\{\{ )[a-z_]+(?=\()", _typo),
    "argumento de shortcode": _replace(r"(?<=\(\")[\w.-]+(?=\")", _typo),
    "shortcode aberto": _replace(r"(\{\{ [a-z_]+\([^}]*\)) \}\}", _to(r"\1")),
    "marca apagada": _replace(r"^<!-- pauta: [^>]*-->\n\n", _to("")),
    "marca errada": _replace(r"(?<=pauta: [A-Z]-)\d\d", _to("99")),
    "pergunta sem sinal": _replace(r"\?(?= \{ #faq-)", _to("")),
    "resposta tardia": _replace(r"(\{ #faq-[\w-]+ \}\n\n(?:<!--.*-->\n\n)?)", _to(r"\1Boa pergunta. ")),
}
DATA: dict[str, tuple[str, Fault]] = {
    "chave de YAML repetida": ("data/workloads.yml", _replace(r"^    context: \d+\n", _to(r"\g<0>\g<0>"))),
    "chave de YAML errada": (
        "data/workloads.yml",
        _replace(r"^  [a-z_]+(?=:)", lambda m, c: "  " + _typo(re.match(r"[a-z_]+", m[0].strip()), c)),
    ),
    "modelo que não existe": ("data/workloads.yml", _replace(r"(?<=, )[a-z0-9.]+-[a-z0-9.-]+(?=[,\]])", _typo)),
    "vírgula decimal": ("data/workloads.yml", _replace(r"(?<=min_memory_gb: )\d+", _to(r"\g<0>,5"))),
    "linha de CSV repetida": ("data/providers.csv", _replace(r"^[a-z0-9-]+,.*\n", _to(r"\g<0>\g<0>"))),
    "célula a menos": ("data/regions.csv", _replace(r"^[a-z0-9-]+,([^\n\"]*)$", _to(r"\1"))),
    "célula a mais": ("data/providers.csv", _replace(r"^[a-z0-9-]+,.*$", _to(r"\g<0>,x"))),
    "provedor que não existe": ("data/regions.csv", _replace(r"^[a-z0-9-]{3,}(?=,)", _typo)),
    "pergunta que não existe": ("data/provider_facts.csv", _replace(r"(?<=,)(?:egress|access|spot_offer)(?=,)", _typo)),
    "aspas que não fecham": ("data/provider_facts.csv", _replace(r'",', _to(","))),
    "memória da GPU": (
        "data/gpus.csv",
        _replace(
            r"^[\w-]+,[^,\n\"]* (\d+) GB,NVIDIA,gpu,[^,]*,[^,]*,\1(?=,)",
            lambda m, _: m[0][:-1] + ("1" if m[0][-1] != "1" else "2"),
        ),
    ),
    "dimensão do modelo": (
        "data/models.csv",
        _replace(r"(,texto,[\w.-]*,catalogo,)(\d+)(?=,\d)", lambda m, _: f"{m[1]}{int(m[2]) + 1}"),
    ),
    "preço em dólar": ("data/offers.csv", _replace(r"^[^\n\"]*?,USD,(\d)", _other_digit)),
    "data futura": ("data/provider_facts.csv", _replace(r"(?<=,)20\d\d(?=-\d\d-\d\d,)", _to("2031"))),
    "endereço sem https": ("data/curated/lambda.yml", _replace(r"https(?=://)", _to("http"))),
    "preço curado ilegível": ("data/curated/lambda.yml", _replace(r"(?<=price: )(\d+)\.(\d+)", _to(r"\1,\2"))),
    "campo curado errado": ("data/curated/lambda.yml", _replace(r"(?<=^  )[a-z_]+(?=: )", _typo)),
}
