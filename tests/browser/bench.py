"""What the pages cost a reader, each beside what was promised; needs Chromium, and Node for Lighthouse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.browser import measure
from tests.browser.host import FLAGS, find_chromium, serving

ROOT = Path(__file__).resolve().parents[2]
PATHS = ("", "guias/treinamento/", "glossario/")
RUNS = 5


def _say(what: str, found: str, goal: str) -> None:
    sys.stdout.write(f"{what:<58} {found:>28}   {goal}\n")
    sys.stdout.flush()


def _visits(site: str, chromium: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for path in PATHS:
            loads = [measure.load(browser, site + path) for _ in range(RUNS)]
            one = loads[0]
            _say(
                f"/{path} transfer, scripts",
                f"{one.transferred / 1024:.0f} KiB, {one.scripts / 1024:.1f} KiB",
                "≤ 150, ≤ 15",
            )
            _say(f"/{path} elements", f"{one.nodes}", "≤ 5000")
            paint = median(each.lcp_ms for each in loads)
            blocked = median(each.blocked_ms for each in loads)
            shift = max(each.cls for each in loads)
            _say(
                f"/{path} LCP, TBT, CLS, 4× slower",
                f"{paint:.0f} ms, {blocked:.0f} ms, {shift:.3f}",
                "≤ 1500, ≤ 150, ≤ 0.02",
            )
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(site + PATHS[1])
        times = measure.ten_thousand_rows(page)["times"]
        tail = quantiles(times, n=20)[-1]
        _say(
            "10,000 rows, filter and sort to next frame, median, p95",
            f"{median(times):.0f} ms, {tail:.0f} ms",
            "≤ 60, ≤ 100",
        )
        browser.close()


def _lighthouse(site: str, chromium: str, folder: Path) -> None:
    tools = Path(__file__).parent / "node_modules"
    if not tools.is_dir():
        sys.stdout.write("Lighthouse is not installed: npm ci --prefix tests/browser\n")
        return
    for path in PATHS:
        runs = [measure.lighthouse(tools, chromium, site + path, folder) for _ in range(RUNS)]
        scores = " / ".join(f"{median(run[name] for run in runs):.0f}" for name in runs[0])
        _say(f"/{path} Lighthouse: {', '.join(runs[0])}", scores, "≥ 98 / 100 / 100 / 100")


def main() -> None:
    """Build the site, visit it and print one line per promise."""
    chromium = find_chromium()
    if not chromium:
        sys.exit("Chromium is not installed.")
    with TemporaryDirectory() as folder:
        built = Path(folder) / "site"
        subprocess.run([sys.executable, "-m", "generator", "build", "--site-dir", str(built)], cwd=ROOT, check=True)
        with serving(built) as site:
            _visits(site, chromium)
            _lighthouse(site, chromium, Path(folder))


if __name__ == "__main__":
    main()
