"""A real Chromium looking at the built site, served on loopback as a static host would serve it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.host import FLAGS, find_chromium, serving
from tests.browser.reader import Reader


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
    found = find_chromium()
    if not found:
        missing("Chromium")
    return found


@pytest.fixture(scope="session")
def site(built_site: Path) -> Iterator[str]:
    """The address of the site, in a subfolder of the host, as project pages are."""
    with serving(built_site) as address:
        yield address


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


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Where the tools from npm are: `make test` installs them where there is npm."""
    folder = Path(__file__).parent / "node_modules"
    if shutil.which("node") is None or not folder.is_dir():
        missing("A tool from npm (npm ci --prefix tests/browser)")
    return folder
