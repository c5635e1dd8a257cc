"""The shell of the theme: rendered once around marks, then copied for every page from data.

The theme renders a hidden page three folders deep, so that all its relative addresses start with the same dots; a copy
needs only other dots and other texts. A hundred copies cost what the theme needs for one page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape

SOURCE = "casca/da/pagina.md"
URL = "casca/da/pagina/"
BODY = "<h1>casca-corpo</h1>"
MARKDOWN = """---
title: casca-titulo
description: casca-descricao
---

# casca-titulo { #inicio }

## casca-secao { #casca-secao }

## casca-outra { #casca-outra }
"""
DATA = "casca-dados"  # stands for the structured data
_UP = "../../.."
_ENTRY = re.compile(r'<li><a href="#casca-secao".*?</li>', re.DOTALL)
_OTHER = re.compile(r'<li><a href="#casca-outra".*?</li>', re.DOTALL)  # a contents list needs two headings to show
_EDIT = re.compile(r'<li><a [^>]*rel="edit">.*?</li>', re.DOTALL)


@dataclass(frozen=True)
class Filling:
    """What goes into a shell: texts are plain and escaped on the way in, the body and the JSON-LD are ready."""

    url: str
    parent: str  # address of the index it belongs to, marked in the menu
    title: str
    description: str
    sections: tuple[tuple[str, str], ...]  # id and title
    body: str
    structured_data: str


@dataclass(frozen=True)
class Shell:
    """The page that the theme rendered around the marks."""

    html: str

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """Return the shell without its edit button, and the entry of its table of contents."""
        entry = _ENTRY.search(self.html)
        html = _EDIT.sub("", _OTHER.sub("", _ENTRY.sub("casca-entradas", self.html)))
        return html, entry[0] if entry else ""

    def fill(self, filling: Filling) -> str:
        """Return a finished page."""
        html, entry = self._parts
        entries = "\n".join(
            entry.replace("#casca-secao", f"#{id_}").replace("casca-secao", escape(title))
            for id_, title in filling.sections
        )
        up = "/".join([".."] * filling.url.count("/"))
        html = html.replace(_UP, up).replace(URL, filling.url)
        tab = f'<a href="{up}/{filling.parent}"'
        html = html.replace(f"{tab}>", f'{tab} aria-current="true">', 1)
        html = html.replace("casca-entradas", entries).replace("casca-titulo", escape(filling.title))
        html = html.replace("casca-descricao", escape(filling.description))
        return html.replace(DATA, filling.structured_data).replace(BODY, filling.body)
