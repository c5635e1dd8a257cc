"""The bones of a page: headings, ids, images, link words and link targets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise

from generator.problems import did_you_mean
from generator.prose.document import Document, Link
from generator.prose.rule import Finding, Project

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_IMAGE_TAG = re.compile(r"<img\b[^>]*>")
_ADDRESS = re.compile(r"https?://|www\.")


def heading_order(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001 - the shape of a rule
    """Find a page without exactly one title, and headings that skip a level."""
    titles = [heading for heading in document.headings if heading.level == 1]
    if not titles or document.headings[0].level != 1:
        yield Finding(document.body_at, "página que não começa por um título", "«# Título» antes de tudo", "escreva-o")
    for extra in titles[1:]:
        yield Finding(extra.at, f"segundo título «# {extra.text}»", "um só título por página", "desça para «##»")
    for above, heading in pairwise(document.headings):
        if heading.level > above.level + 1:
            found = f"título de nível {heading.level} depois de um de nível {above.level}"
            todo = f"use {'#' * (above.level + 1)}"
            yield Finding(heading.at, found, "níveis que descem um de cada vez", todo)


def explicit_id(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001
    """Find headings whose address would change with their words, and ids that repeat or have odd characters."""
    seen: dict[str, int] = {}
    for heading in document.headings:
        if not heading.text:
            yield Finding(heading.at, "título sem texto", "um título que se lê", "escreva ou apague o título")
        elif not heading.id and heading.level > 1:
            todo = "acrescente { #nome-curto } no fim da linha"
            yield Finding(heading.at, f"título «{heading.text}» sem âncora", "âncora que não muda com o texto", todo)
        elif heading.id and not _ID.fullmatch(heading.id):
            expected = "letras minúsculas sem acento, algarismos e hífen"
            yield Finding(heading.at, f"âncora «#{heading.id}»", expected, "reescreva a âncora")
        elif heading.id in seen:
            line, _ = document.place(seen[heading.id])
            found = f"âncora «#{heading.id}» repetida (já na linha {line})"
            yield Finding(heading.at, found, "cada âncora uma vez por página", "dê outro nome a uma delas")
        seen.setdefault(heading.id or f" {heading.at}", heading.at)


def alternative_text(document: Document, project: Project) -> Iterator[Finding]:  # noqa: ARG001
    """Find images that say nothing to who cannot see them."""
    places = [link.at for link in document.links if link.is_image and not link.text.strip()]
    places += [m.start() for m in _IMAGE_TAG.finditer(document.markup) if not re.search(r"alt=[\"'][^\"']", m[0])]
    for at in places:
        todo = "escreva o que ela mostra entre os colchetes"
        yield Finding(at, "imagem sem texto alternativo", "o que a imagem mostra, em palavras", todo)


def link_words(document: Document, project: Project) -> Iterator[Finding]:
    """Find links whose words do not say where they lead."""
    vague = set(project.lists.words["vague_links"])
    for link in document.links:
        shown = " ".join(re.sub(r"[*_`]", "", link.text).split()).rstrip(".:!")
        if not link.is_image and (shown.lower() in vague or not shown or _ADDRESS.match(shown)):
            todo = "ponha no link o nome do lugar aonde ele leva"
            yield Finding(link.at, f"link com o texto «{shown}»", "texto que diz aonde o link leva", todo)


def dead_link(document: Document, project: Project) -> Iterator[Finding]:
    """Find internal links that lead nowhere, absolute ones and those without `.md`, if the pages are known."""
    for link in document.links if project.anchors else ():
        wrong = _wrong_target(link, document, project)
        if wrong:
            yield Finding(link.at, *wrong)


def _wrong_target(link: Link, document: Document, project: Project) -> tuple[str, str, str] | None:
    page, _, anchor = link.target.partition("#")
    found = f"link para «{link.target}»"
    if link.target.startswith(("https://", "mailto:", "~/")):
        return None
    if link.target.startswith("http://"):
        return f"{found}, sem criptografia", "endereço que começa com https://", "troque http por https"
    if not link.target or link.target.startswith("/"):
        return found, "caminho do arquivo .md, relativo a esta página", "escreva por exemplo ../metodologia.md"
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), page)) if page else document.path
    if path not in project.anchors:
        return _wrong_page(found, page, path, document, project) if _is_page(path) else None
    if anchor and anchor not in project.anchors[path]:
        ids = [each for each in project.anchors[path] if not each.startswith(("__", "fn"))]
        return f"{found}, âncora que não existe", f"uma âncora de content/{path}", did_you_mean(anchor, ids or [""])
    return None


def _is_page(path: str) -> bool:
    """Tell whether a missing target should have been a page: files of other kinds are MkDocs' to check."""
    return "." not in posixpath.basename(path) or path.endswith((".md", ".html"))


def _wrong_page(found: str, page: str, path: str, document: Document, project: Project) -> tuple[str, str, str]:
    here = posixpath.dirname(document.path) or "."
    known = [posixpath.relpath(each, here) for each in project.anchors]
    if f"{path.removesuffix('/')}.md" in project.anchors:
        return f"{found}, sem «.md»", "caminho do arquivo .md", f"escreva {page.removesuffix('/')}.md"
    return f"{found}, página que não existe", "o caminho de um arquivo de content/", did_you_mean(page, known)
