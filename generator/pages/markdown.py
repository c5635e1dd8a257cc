"""Markdown with shortcodes: the same for MkDocs, for the content gate and for any other renderer.

The expression is found by Python-Markdown's own inline phase, after code spans and fenced blocks were set aside, so
that code is never touched; its HTML is stashed, so that big tables never pass through the Markdown parser.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

import markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from generator.pages.shortcodes import Evaluator, ShortcodeError
from generator.problems import Problem

_EXPRESSION = r"\{\{(.*?)\}\}"
_COMPLETE = re.compile(_EXPRESSION)
_LOOSE = r"(\{\{|\}\}|\{%|%\})"
_ALONE = re.compile(r"^[ ]{0,3}\{\{([^\n]*?)\}\}[ ]*$", re.MULTILINE)
_GATE_MARK = re.compile(r"[ \t]*<!--[ \t]*(?:pauta|silenciar):[^\n]*?-->[ \t]*$")

EXTENSIONS: dict[str, dict[str, Any]] = {
    "abbr": {},
    "admonition": {},
    "attr_list": {},
    "def_list": {},
    "footnotes": {"BACKLINK_TITLE": "Voltar ao texto da nota {}"},
    "md_in_html": {},
    "tables": {},
    "toc": {"permalink": "#", "permalink_title": "Link para esta seção", "toc_depth": 3},
    "pymdownx.details": {},
    "pymdownx.superfences": {},
}


class ShortcodeExtension(Extension):
    """Replaces shortcodes outside code by their HTML and collects the problems of one source file at a time."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__()
        self.evaluator = evaluator
        self.problems: list[Problem] = []
        self._path, self._source = "", ""

    def start(self, path: str, source: str) -> None:
        """Say which file is rendered next, so that problems can name its lines."""
        self._path, self._source = path, source

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 - the name is Python-Markdown's
        """Register below fenced code (25) and backticks (190), above paragraphs (10) and emphasis (60)."""
        md.preprocessors.register(_GateMarks(md), "guia-pauta", 22)
        md.parser.blockprocessors.register(_AloneOnItsLine(md.parser, self.evaluator), "guia-bloco", 15)
        md.inlinePatterns.register(_Inline(_EXPRESSION, md, self), "guia-shortcode", 185)
        md.inlinePatterns.register(_Loose(_LOOSE, md, self), "guia-solto", 184)

    def html(self, expression: str) -> str:
        """Return the HTML of an expression, or nothing after noting the problem."""
        try:
            return _inert(str(self.evaluator.evaluate(expression)))
        except ShortcodeError as error:
            self.report(f"{{{{{expression}}}}}", error)
            return ""

    def report(self, written: str, error: ShortcodeError, *, is_loose: bool = False) -> None:
        """Note a problem at the first place where the text is written (outside shortcodes, if loose)."""
        source = _COMPLETE.sub(lambda match: " " * len(match[0]), self._source) if is_loose else self._source
        at = max(source.find(written), 0)
        line = self._source.count("\n", 0, at) + 1
        column = at - self._source.rfind("\n", 0, at)
        self.problems.append(Problem(self._path, line, column, error.found, error.expected, error.todo))


def _inert(html: str) -> str:
    """Return HTML in which braces that came with data are entities, so that they never pass for a shortcode."""
    for mark in ("{{", "}}", "{%", "%}"):
        html = html.replace(mark, "".join(f"&#{ord(character)};" for character in mark))
    return html


class _GateMarks(Preprocessor):
    """Drops the comments for the gate: points of the editorial plan, and silences."""

    def run(self, lines: list[str]) -> list[str]:
        return [_GATE_MARK.sub("", line) for line in lines]


class _AloneOnItsLine(BlockProcessor):
    """Gives a block shortcode glued to a paragraph a block of its own."""

    def __init__(self, parser: Any, evaluator: Evaluator) -> None:
        super().__init__(parser)
        self._evaluator = evaluator

    def _first(self, block: str) -> re.Match[str] | None:
        return next((m for m in _ALONE.finditer(block) if self._evaluator.is_block(m[1])), None)

    def test(self, parent: ET.Element, block: str) -> bool:  # noqa: ARG002 - the signature is Python-Markdown's
        match = self._first(block)
        return bool(match and match[0].strip() != block.strip())

    def run(self, parent: ET.Element, blocks: list[str]) -> None:  # noqa: ARG002
        block = blocks.pop(0)
        match = self._first(block)
        assert match is not None
        parts = [block[: match.start()].rstrip("\n"), match[0].strip(), block[match.end() :].lstrip("\n")]
        blocks[0:0] = [part for part in parts if part.strip()]


class _Inline(InlineProcessor):
    def __init__(self, pattern: str, md: markdown.Markdown, extension: ShortcodeExtension) -> None:
        super().__init__(pattern, md)
        self._extension = extension

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # type: ignore[override]  # noqa: ARG002, N802
        return self.md.htmlStash.store(self._extension.html(m[1])), m.start(0), m.end(0)


class _Loose(_Inline):
    """Anything that looks like a template and is not one would reach the reader as it is."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # type: ignore[override]  # noqa: ARG002, N802
        error = ShortcodeError(
            f"“{m[1]}” solto no texto",
            'esperado um shortcode completo, como {{ comparacao("treinamento") }}',
            "complete o shortcode, ou ponha o texto entre crases se for só um exemplo",
        )
        self._extension.report(m[1], error, is_loose=True)
        return self.md.htmlStash.store(""), m.start(0), m.end(0)


def extensions(shortcodes: ShortcodeExtension) -> list[str | Extension]:
    """Return the Markdown extensions of the site, the shortcodes last."""
    return [*EXTENSIONS, shortcodes]


def renderer(shortcodes: ShortcodeExtension) -> markdown.Markdown:
    """Return a Markdown converter with the site's extensions, for use without MkDocs."""
    return markdown.Markdown(extensions=extensions(shortcodes), extension_configs=EXTENSIONS, output_format="html")


def leftovers(html_text: str) -> Iterable[str]:
    """Yield template marks that survived outside code, for the last check of a built page."""
    visible = re.sub(r"<(pre|code|script)\b.*?</\1>", "", html_text, flags=re.DOTALL)
    return re.findall(_LOOSE, visible)
