"""Benchmarks as ratios measured in one run, so that the machine's speed drops out: `make bench`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

from generator import dataset
from generator.check import rendered
from generator.pages.markdown import ShortcodeExtension, renderer
from generator.pages.publisher import Publisher, shortcodes
from generator.pages.shortcodes import Evaluator
from generator.sizing.grid import grid
from generator.views.site import Site

ROOT = Path(__file__).resolve().parents[1]
RUNS = 5


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def _parser(site: Site) -> tuple[float, float]:
    """Time a page with a big table whose HTML passes through the Markdown parser, and past it as a shortcode."""
    extension = ShortcodeExtension(Evaluator(shortcodes(site)))
    text = '{{ comparacao("treinamento") }}'
    extension.start("content/x.md", text)

    def through() -> str:
        html = extension.html(text.strip("{}")).replace("<section", '<section markdown="1"', 1)
        return renderer(extension).convert(html)

    return _seconds(through), _seconds(lambda: renderer(extension).convert(text))


def _sizing(site: Site) -> tuple[float, float]:
    """Time the memory of every model × method one by one, and all at once."""
    models = [model for model in site.data.models.values() if model.architecture is not None]
    methods = list(site.data.knowledge.methods.values())
    knowledge = site.data.knowledge
    one_by_one = _seconds(lambda: [grid([a], [b], [4096], [1], knowledge) for a in models for b in methods])
    return one_by_one, _seconds(lambda: grid(models, methods, [4096], [1], knowledge))


def _gate(site: Site) -> tuple[float, float]:
    """Time rendering every page, and loading and checking the data before it."""
    return _seconds(lambda: list(rendered(Publisher(site)))), _seconds(lambda: dataset.load(ROOT))


def main() -> None:
    """Print one line per comparison."""
    site = Site(dataset.load(ROOT), date(2026, 11, 30), ROOT)
    for name, measure in (
        ("big table: through the Markdown parser ÷ past it", _parser),
        ("sizing: one by one ÷ all at once", _sizing),
        ("gate: rendering every page ÷ loading the data", _gate),
    ):
        slow, fast = measure(site)
        sys.stdout.write(f"{name}: {slow / fast:.1f} ({slow * 1000:.0f} ms ÷ {fast * 1000:.0f} ms)\n")


if __name__ == "__main__":
    main()
