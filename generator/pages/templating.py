"""The package's own templates: escaped everywhere, strict about names, compiled once."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from generator import formatting as fmt
from generator.pages.charts import svg

_MARK = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\[(?P<words>[^\]\[]+)\]\((?P<to>~/[\w./#-]*)\)")


@cache
def environment() -> Environment:
    """Return the template environment, with the few filters that templates need."""
    env = Environment(
        loader=PackageLoader("generator.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(
        day_long=fmt.day_long,
        day_short=fmt.day_short,
        age=fmt.age,
        count=fmt.number,
        https=https,
        bold=bold,
        rich=rich,
        svg=svg,
        instant=instant,
    )
    return env


def render(template: str, **values: Any) -> Markup:
    """Return a template's HTML as trusted markup."""
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - the template escapes its values


def instant(moment: datetime) -> str:
    """Return a moment as Atom writes it, in UTC."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def https(url: str) -> str:
    """Return the address if it is a plain https one, else nothing: dataset text is untrusted."""
    return url if url.startswith("https://") and not set(url) & set(" \"'<>\\") else ""


def bold(text: str) -> Markup:
    """Return escaped text with `**…**` as strong emphasis, the only markup data tables may carry."""
    parts = str(escape(text)).split("**")
    marked = [f"<strong>{part}</strong>" if i % 2 else part for i, part in enumerate(parts)]
    return Markup("".join(marked))  # noqa: S704 - escaped above


def rich(sentence: str) -> Markup:
    """Return an escaped sentence with its `**bold**` and `[words](~/path/)` marked up."""
    return Markup(_MARK.sub(_marked, str(escape(sentence))))  # noqa: S704 - escaped before the marks are read


def _marked(match: re.Match[str]) -> str:
    if match["bold"]:
        return f"<strong>{match['bold']}</strong>"
    return f'<a href="{match["to"]}">{match["words"]}</a>'
