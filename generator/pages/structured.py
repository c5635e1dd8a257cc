"""Structured data (JSON-LD) that mirrors what the page shows, safe inside a script element."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser

FAQ_ID = "perguntas-frequentes"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
_HEADING = re.compile(r'<h([23])\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</h\1>', re.DOTALL)
_PERMALINK = re.compile(r'<a class="headerlink".*?</a>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the FAQ: its anchor and the plain text of question and answer."""

    anchor: str
    question: str
    answer: str


class _Text(HTMLParser):
    """Collects text; block ends become spaces so that words of two paragraphs do not touch."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"p", "li", "td", "th", "caption", "h1", "h2", "h3", "h4"}:
            self.parts.append(" ")


def plain_text(html: str) -> str:
    """Return the text of an HTML fragment, white space folded, without heading permalinks."""
    parser = _Text()
    parser.feed(_PERMALINK.sub("", html))
    parser.close()
    return " ".join("".join(parser.parts).split())


def questions(html: str) -> list[Question]:
    """Return the questions under the heading `perguntas-frequentes`, in order, each with its whole answer."""
    headings = list(_HEADING.finditer(html))
    start = next((i for i, h in enumerate(headings) if h[1] == "2" and h[2] == FAQ_ID), None)
    if start is None:
        return []
    found: list[Question] = []
    for i, heading in enumerate(headings[start + 1 :], start + 1):
        if heading[1] == "2":
            break
        end = headings[i + 1].start() if i + 1 < len(headings) else len(html)
        found.append(Question(heading[2], plain_text(heading[3]), plain_text(html[heading.end() : end])))
    return found


def json_ld(data: dict[str, object]) -> str:
    """Return JSON for a script element: no raw `<`, `>` or `&`, NaN refused.

    Raises:
        ValueError: on NaN or infinity, which JSON does not have.
    """
    text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def faq_page(found: list[Question]) -> dict[str, object]:
    """Return a `FAQPage` with every question of a page."""
    entries = [
        {"@type": "Question", "name": q.question, "acceptedAnswer": {"@type": "Answer", "text": q.answer}}
        for q in found
    ]
    return {"@type": "FAQPage", "inLanguage": "pt-BR", "mainEntity": entries}


def article(title: str, description: str, updated: str, url: str) -> dict[str, object]:
    """Return an `Article`; the address only when the site knows its own."""
    data: dict[str, object] = {
        "@type": "Article",
        "headline": title,
        "description": description,
        "dateModified": updated,
        "inLanguage": "pt-BR",
    }
    return {**data, "mainEntityOfPage": url} if url else data


def breadcrumbs(trail: list[tuple[str, str]], site_url: str) -> dict[str, object]:
    """Return a `BreadcrumbList` of names and addresses below the site; addresses only when the site knows its own."""
    items: list[dict[str, object]] = []
    for place, (name, url) in enumerate(trail, 1):
        item: dict[str, object] = {"@type": "ListItem", "position": place, "name": name}
        items.append({**item, "item": site_url + url} if site_url else item)
    return {"@type": "BreadcrumbList", "itemListElement": items}


def dataset(name: str, description: str, day: str, url: str, downloads: dict[str, str]) -> dict[str, object]:
    """Return a `Dataset` with its downloads (media type → absolute address); those only when the site knows its own."""
    data: dict[str, object] = {
        "@type": "Dataset",
        "name": name,
        "description": description,
        "inLanguage": "pt-BR",
        "license": LICENCE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Guia GPU na Nuvem"},
    }
    if day:
        data["dateModified"] = day
    if url:
        files = [{"@type": "DataDownload", "encodingFormat": kind, "contentUrl": to} for kind, to in downloads.items()]
        data |= {"url": url, "distribution": files}
    return data
