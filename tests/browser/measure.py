"""What a page costs a reader, measured in Chromium: bytes, elements, paint, stillness, and the wait after a click."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

WATCH = """() => {
  window.seen = { lcp: 0, cls: 0, blocked: 0 };
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch("longtask", (entry) => { seen.blocked += Math.max(0, entry.duration - 50); });
}"""

# Draws rows from data in the table of the page, then sorts or filters and waits for the frame that shows it.
TEN_THOUSAND = """async (total) => {
  const module = await import(new URL(`${document.body.dataset.base}/assets/guia/linhas.js`, location.href));
  const { parse } = await import(new URL(`${document.body.dataset.base}/assets/guia/consulta.js`, location.href));
  const table = new module.Table(document.querySelector("table.ofertas"));
  const example = table.rows[0].nodes.map((node) => node.outerHTML).join("");
  const cards = ["H100 SXM5", "A100 SXM4 80 GB", "L40S", "RTX 4090", "B200 SXM", "MI300X"];
  const data = (at) => {
    const price = at % 97 === 0 ? "" : String(((at * 7919) % 9973) / 1000);
    const card = cards[at % cards.length];
    const seller = `Provedor ${at % 40}`;
    const keys = [seller, `${card} 1`, "80", "3350", price, price, String(at % 613), "Spot", "Brasil", "2026-05-24"];
    const filters = { vram: String(16 + (at % 9) * 16), preco: price, gpu: card, nvlink: at % 2 ? "sim" : "" };
    const text = `${seller} ${card} spot`.toLowerCase();
    return { id: `linha-${at}`, filtros: filters, ordem: keys, texto: text, html: example };
  };
  table.setRows(Array.from({ length: total }, (_, at) => module.fromData(data(at))));
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const queries = ["h100", "vram>=80", "preco<2,5 nvlink", "provedor:3 -l40s", ""];
  const times = [];
  for (let round = 0; round < 30; round += 1) {
    await frame();
    const start = performance.now();
    table.show(parse(queries[round % 5]).tests, round % 10, round % 2 === 1);
    await frame();
    times.push(performance.now() - start);
  }
  table.show([], 4, false);
  return { times, nodes: table.table.querySelectorAll("*").length, shown: table.shown.map((row) => row.keys[4]) };
}"""


@dataclass(frozen=True)
class Load:
    """One first visit: transferred bytes in all and of scripts, milliseconds of paint and blocking, layout shift."""

    transferred: int
    scripts: int
    nodes: int
    lcp_ms: float
    cls: float
    blocked_ms: float


def load(browser: Browser, url: str, *, width: int = 412, slowdown: int = 4) -> Load:
    """Visit a page as a phone with an empty cache and a slowed processor would."""
    context = browser.new_context(viewport={"width": width, "height": 823}, locale="pt-BR")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.add_init_script(f"({WATCH})()")
    page.goto(url)
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("() => seen")
    nodes = page.evaluate("() => document.querySelectorAll('*').length")
    context.close()
    scripts = sum(size for request, size in sizes.items() if kinds.get(request) == "Script")
    return Load(int(sum(sizes.values())), int(scripts), nodes, seen["lcp"], seen["cls"], seen["blocked"])


def ten_thousand_rows(page: Page, total: int = 10_000) -> dict[str, Any]:
    """Return the milliseconds from each sort and filter to the next frame, and what is then on the page."""
    found: dict[str, Any] = page.evaluate(TEN_THOUSAND, total)
    return found


def lighthouse(node_modules: Path, chromium: str, url: str, folder: Path) -> dict[str, float]:
    """Return Lighthouse's four mobile scores, 0 to 100, and under `faults` how many audits fell short."""
    report = folder / "lighthouse.json"
    flags = "--headless=new --no-sandbox --disable-gpu --disable-background-networking --no-first-run"
    command = [
        "node", str(node_modules / "lighthouse" / "cli" / "index.js"), url, "--output=json", f"--output-path={report}",
        "--quiet", "--no-enable-error-reporting", f"--chrome-flags={flags} --disable-component-update --disable-sync",
    ]  # fmt: skip
    environment = {**os.environ, "CHROME_PATH": chromium}
    subprocess.run(command, check=True, env=environment, capture_output=True, timeout=180)
    found = json.loads(report.read_text(encoding="utf-8"))
    return {name: round(100 * category["score"]) for name, category in found["categories"].items()}
