"""A real Chromium looking at the built site, served on loopback as a static host would serve it."""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def missing(what: str) -> None:
    """Skip with the reason at home; in CI what is missing is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI promises it")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="session")
def chromium() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing("Chromium")
    return str(found)


class _Handler(http.server.SimpleHTTPRequestHandler):
    """A static host that compresses and stays quiet."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser") / "site"
    build = [sys.executable, "-m", "generator", "build", "--site-dir", str(folder)]
    environment = {**os.environ, "SITE_URL": "https://guia.example/guia/", "REPO_URL": "https://example.com/guia"}
    subprocess.run(build, cwd=ROOT, check=True, env=environment)
    return folder


@pytest.fixture(scope="session")
def site(built_site: Path) -> Iterator[str]:
    """The address of the site, in a subfolder of the host, as project pages are."""
    host = built_site.parent / "host"
    host.mkdir()
    (host / "guia").symlink_to(built_site)
    handler = functools.partial(_Handler, directory=str(host))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/guia/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


class Reader:
    """Opens pages the way one reader would see them, and keeps what the browser complained about."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser, self._contexts = browser, []
        self.site = site
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def open(self, path: str = "", width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = self._browser.new_context(viewport={"width": width, "height": height}, locale="pt-BR", **options)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in {"error", "warning"} else None)
        page.goto(self.site + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def reader(browser: Browser, site: str) -> Iterator[Reader]:
    reader = Reader(browser, site)
    yield reader
    reader.close()
    assert reader.complaints == []
