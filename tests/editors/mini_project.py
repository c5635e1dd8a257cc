"""A project small enough to check in a blink: real tables, a handful of offers, one guide."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import yaml

from generator import dataset
from generator.normalise import normalise
from generator.normalise.csv_files import offers_csv
from generator.sources import curated

ROOT = Path(__file__).resolve().parents[2]
MINI = Path(__file__).parent / "mini"
_OFFERS = 40


def make(root: Path) -> Path:
    """Write the project below `root` and return it."""
    shutil.copytree(ROOT / "data", root / "data", ignore=shutil.ignore_patterns("curated", "offers.csv"))
    shutil.copytree(MINI / "content", root / "content")
    for name in ("workloads.yml", "pauta.yml"):
        shutil.copy(MINI / name, root / "data" / name)
    (root / "data" / "curated").mkdir()
    shutil.copy(MINI / "curated.yml", root / "data" / "curated" / "lambda.yml")
    offers = (ROOT / "data" / "offers.csv").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in offers[1:] if ",h100-sxm," in line or ",a100-80-sxm," in line][:_OFFERS]
    kept = [line.replace(",curated,", ",outra,") for line in kept]  # as if another source had told them
    (root / "data" / "palavras.txt").write_text("LoRA\nspot\n", "utf-8")
    scenarios = yaml.load((ROOT / "data" / "scenarios.yml").read_text("utf-8"), yaml.BaseLoader)
    of_the_guide = {name: each for name, each in scenarios.items() if each["workload"] == "treinamento"}
    (root / "data" / "scenarios.yml").write_text(yaml.safe_dump(of_the_guide, allow_unicode=True), "utf-8")
    (root / "data" / "offers.csv").write_text("".join([offers[0], *sorted([*kept, *_own_offers(root)])]), "utf-8")
    prose = root / "data" / "prosa.yml"
    prose.write_text(re.sub(r"guide_words: .*", "guide_words: [40, 2200]", prose.read_text("utf-8")), "utf-8")
    return root


def _own_offers(root: Path) -> list[str]:
    """Return the lines of the project's own hand-kept offers."""
    path = "data/curated/lambda.yml"
    raws = curated.parse((root / path).read_bytes(), path)
    offers = normalise(raws, dataset.load_tables(root).reference).offers
    return offers_csv(offers).decode().splitlines(keepends=True)[1:]


def make_buildable(root: Path) -> Path:
    """Write the project with what MkDocs needs, and return it."""
    make(root)
    (root / "hooks").symlink_to(ROOT / "hooks")
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    nav = yaml.safe_dump(
        {"nav": [{"Início": "index.md"}, "guias", {"Metodologia": "metodologia.md"}]}, allow_unicode=True
    )
    text = re.sub(r"^nav:\n(?:  .*\n)+", nav, text, flags=re.MULTILINE)
    text = re.sub(r"^not_in_nav: \|\n(?:  .*\n)+", "", text, flags=re.MULTILINE)
    (root / "mkdocs.yml").write_text(text, "utf-8")
    return root
