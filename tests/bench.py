"""Benchmarks as ratios measured in one run, so that the machine's speed drops out: `make bench`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from mkdocs.commands.build import build
from mkdocs.config import load_config

from generator import dataset
from generator.check import rendered
from generator.pages.markdown import ShortcodeExtension, renderer
from generator.pages.publisher import Publisher, shortcodes
from generator.pages.shortcodes import Evaluator
from generator.sizing.fit import eligible, smallest
from generator.sizing.grid import GPU_COUNTS, grid, headroom
from generator.sizing.knowledge import GIB
from generator.views.accuracy import accuracy
from generator.views.answers import answers
from generator.views.atlas import Atlas
from generator.views.fits import BATCHES, CONTEXTS
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


def _whole_grid(site: Site) -> tuple[float, float]:
    """Time every model × method × context × batch × GPU × count in a plain loop (a sample, scaled up), and at once."""
    knowledge, cards = site.data.knowledge, eligible(site.data.gpus.values())
    models = [model for model in site.data.models.values() if model.architecture is not None]
    methods = list(knowledge.methods.values())
    bands = {method.id: headroom(method, knowledge) for method in methods}
    every = [(m, way, tokens, batch) for m in models for way in methods for tokens in CONTEXTS for batch in BATCHES]
    sample = random.Random(1).sample(every, 100)

    def loop() -> list[bool]:
        return [
            need * (1 + bands[way.id]) < card.visible_memory_gib * GIB
            for model, way, tokens, batch in sample
            for need in grid([model], [way], [tokens], [batch], knowledge)["total_bytes"]
            for card in cards
        ]

    slow = _seconds(loop) * len(every) / len(sample)
    fast = _seconds(lambda: smallest(grid(models, methods, CONTEXTS, BATCHES, knowledge), cards, bands))
    combinations = len(every) * len(GPU_COUNTS) * len(cards)
    sys.stdout.write(f"whole grid: {combinations / fast / 1e6:.1f} million combinations a second\n")
    return slow, fast


def _accuracy(site: Site) -> tuple[float, float]:
    """Time what the methodology page computes about errors, and the whole grid of the calculator with its words."""
    return _seconds(lambda: accuracy(site.data)), _seconds(lambda: list(answers(Atlas.of(site))))


def _gate(site: Site) -> tuple[float, float]:
    """Time rendering every page, and loading and checking the data before it."""
    return _seconds(lambda: list(rendered(Publisher(site)))), _seconds(lambda: dataset.load(ROOT))


def _preview(_: Site) -> tuple[float, float]:
    """Time the first build of a preview, gate included, and the builds that follow each change of a text."""
    with TemporaryDirectory() as folder:

        def build_once() -> None:
            config = load_config(str(ROOT / "mkdocs.yml"), site_dir=folder, strict=False)
            config.plugins.on_startup(command="serve", dirty=False)
            build(config, serve_url="http://127.0.0.1:8000/")

        start = time.perf_counter()
        build_once()
        return time.perf_counter() - start, _seconds(build_once)


def main() -> None:
    """Print one line per comparison."""
    site = Site(dataset.load(ROOT), date(2026, 11, 30), ROOT)
    for name, measure in (
        ("big table: through the Markdown parser ÷ past it", _parser),
        ("whole grid: plain loop ÷ all at once", _whole_grid),
        ("methodology: accuracy ÷ every answer of the calculator", _accuracy),
        ("gate: rendering every page ÷ loading the data", _gate),
        ("preview: first build ÷ after a text was saved", _preview),
    ):
        slow, fast = measure(site)
        sys.stdout.write(f"{name}: {slow / fast:.1f} ({slow * 1000:.0f} ms ÷ {fast * 1000:.0f} ms)\n")


if __name__ == "__main__":
    main()
