"""The Markdown twin of each page: for programs that read text, and for people who keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from generator.views.document import Bars, Bullets, Document, Dots, Entry, History, Note, Offers, Section, Table, Text

OFFER_TITLES = ("Oferta", "GPU", "Por GPU-hora", "Por instância-hora", "Região", "Preço de", "Fonte")
_SILENT = {"nav", "form", "svg", "script", "style", "output", "button"}
_BREAKS = {"p", "div", "section", "ul", "ol", "dl", "figure", "table", "details", "blockquote", "h1", "h2", "h3", "h4"}
_VOID = {"br", "hr", "img", "input", "link", "meta"}
_LEFT_OUT = {"headerlink", "mais", "filtros"}  # marks, details of rows, controls
_MANY_BREAKS = re.compile(r"\n{3,}")


def twin(document: Document) -> str:
    """Return a page from data as Markdown, its links relative to the page."""
    parts = [f"# {document.heading}", *document.lead]
    for section in document.sections:
        parts += [f"## {section.title}", *_section(section)]
    return "\n\n".join(parts).replace("(~/", "(" + "../" * document.url.count("/")) + "\n"


def _section(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, Text | Note):
            yield from block.sentences
        elif isinstance(block, Bullets):
            yield "\n".join(f"- {item}" for item in block.items)
        elif isinstance(block, Table):
            yield _table(block)
        elif isinstance(block, Offers):
            yield from _offers(block)
        elif isinstance(block, Bars | Dots | History):
            yield block.summary
            yield _table(block.table)


def _table(table: Table) -> str:
    rows = [[_entry(entry) for entry in row] for row in table.rows]
    return f"**{table.caption}**\n\n{_grid([column.title for column in table.columns], rows)}"


def _entry(entry: Entry) -> str:
    text = f"[{_cell(entry.text)}]({entry.href})" if entry.href else _cell(entry.text)
    return f"{text} ({_cell(entry.note)})" if entry.note else text


def _offers(block: Offers) -> Iterator[str]:
    yield f"**{block.caption}**"
    for group in block.groups:
        rows = [
            [
                f"{_cell(row.provider)} {_cell(row.instance)}".strip(),
                _cell(row.gpu.text),
                row.price_gpu.text,
                row.price_instance.text,
                _cell(row.place.text),
                row.day.isoformat(),
                f"<{row.source_url}>",
            ]
            for row in group.rows
        ]
        yield f"{group.title}:\n\n{_grid(OFFER_TITLES, rows)}"


def _grid(titles: list[str] | tuple[str, ...], rows: list[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Return a text that stays inside its cell and cannot be taken for markup."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def from_html(html: str) -> str:
    """Return the body of a page that people wrote as Markdown: text, links, lists, code and tables."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return _MANY_BREAKS.sub("\n\n", "".join(reader.out)).strip() + "\n"


class _Reader(HTMLParser):
    """Writes Markdown while it reads HTML that this project made, so that tags are closed and known."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []
        self.silent = 0
        self.lists: list[int] = []  # number of the next item; zero in a list without numbers
        self.row: list[str] | None = None
        self.start = 0  # where the cell began in `out`
        self.links: list[str] = []
        self.is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        if tag in _SILENT or self.silent or _LEFT_OUT & set(classes):
            self.silent += tag not in _VOID
            return
        if tag in _BREAKS and self.row is None:
            self.out.append("\n\n")
        if tag == "a":
            self.links.append(found.get("href") or "")
        self._open(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Pass over what closes itself: shapes of drawings, images, controls."""

    def _open(self, tag: str) -> None:
        if tag in {"h1", "h2", "h3", "h4"}:
            self.out.append("#" * int(tag[1]) + " ")
        elif tag in {"ul", "ol"}:
            self.lists.append(int(tag == "ol"))
        elif tag == "li":
            self._item()
        elif tag == "tr":
            self.row = []
        elif tag in {"td", "th"}:
            self.start = len(self.out)
        elif tag == "a":
            self.out.append("[")
        else:
            self._mark(tag, is_open=True)

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent -= 1
            return
        if tag in {"ul", "ol"}:
            self.lists.pop()
        elif tag in {"td", "th"} and self.row is not None:
            self.row.append(_cell("".join(self.out[self.start :])).rstrip(" ·"))
            del self.out[self.start :]
        elif tag == "tr":
            self._end_row()
        elif tag == "thead" and self.out:
            columns = self.out[-1].count(" |")
            self.out.append("| " + " | ".join(["---"] * columns) + " |\n")
        elif tag == "a":
            self.out.append(f"]({self.links.pop()})")
        else:
            self._mark(tag, is_open=False)
        if tag in _BREAKS and self.row is None:
            self.out.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self.silent:
            return
        text = data if self.is_code else re.sub(r"[ \t\r\n]+", " ", data)
        if not self.is_code and (not self.out or self.out[-1].endswith((" ", "\n"))):
            text = text.lstrip(" ")
        if text:
            self.out.append(text)

    def _item(self) -> None:
        number = self.lists[-1] if self.lists else 0
        self.out.append("\n" + "  " * (len(self.lists) - 1) + (f"{number}. " if number else "- "))
        if number:
            self.lists[-1] += 1

    def _mark(self, tag: str, *, is_open: bool) -> None:
        if tag in {"strong", "b"}:
            self.out.append("**")
        elif tag in {"em", "i"}:
            self.out.append("*")
        elif tag == "pre":
            self.is_code = is_open
            self.out.append("\n\n```\n" if is_open else "\n```\n\n")
        elif tag == "code" and not self.is_code:
            self.out.append("`")
        elif tag == "small" and is_open:
            self.out.append(" · ")
        elif tag == "dd" and is_open:
            self.out.append("\n: ")
        elif tag in {"caption", "summary"}:
            self.out.append("**" if is_open else "**\n\n")

    def _end_row(self) -> None:
        if self.row:
            self.out.append(f"| {' | '.join(self.row)} |\n")
        self.row = None
