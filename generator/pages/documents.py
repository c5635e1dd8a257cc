"""Pages from data as HTML: the body from the package's templates, the rest from the shell of the theme."""

from __future__ import annotations

from generator.pages import structured
from generator.pages.publisher import finish
from generator.pages.templating import render
from generator.views.document import Document

DOWNLOADS = {"application/json": "api/v1/offers.json", "text/csv": "dados/ofertas.csv"}


def body(document: Document) -> str:
    """Return the body of a page from data, links relative to it."""
    return finish(str(render("document.html", document=document)), document.url)


def structured_data(document: Document, site_url: str) -> str:
    """Return the JSON-LD of a page from data: where it stands, and the dataset it shows."""
    trail = [("Início", ""), document.parent, (document.heading, document.url)]
    day = document.day.isoformat() if document.day else ""
    url = site_url + document.url if site_url else ""
    downloads = {kind: site_url + path for kind, path in DOWNLOADS.items()}
    data = structured.dataset(document.title, document.description, day, url, downloads)
    return structured.json_ld({"@graph": [structured.breadcrumbs(trail, site_url), data]})
