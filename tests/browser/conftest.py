"""A real Chromium looking at the built site, served on loopback as a static host would serve it."""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.reader import Reader

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
def site(built_site: Path) -> Iterator[str]:
    """The address of the site, in a subfolder of the host, as project pages are."""
    host = built_site.parent / "host"
    host.mkdir(exist_ok=True)
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


@pytest.fixture
def reader(browser: Browser, site: str) -> Iterator[Reader]:
    reader = Reader(browser, site)
    yield reader
    reader.close()
    assert reader.complaints == []
