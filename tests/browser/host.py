"""A static host on loopback, in a subfolder and with compression, and the browser that visits it."""

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
from tempfile import TemporaryDirectory

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str:
    """Return the path of the browser, or nothing."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")


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


@contextlib.contextmanager
def serving(site: Path) -> Iterator[str]:
    """Serve a built site below `/guia/` of a host of its own while the context lasts."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "guia").symlink_to(site)
        handler = functools.partial(_Handler, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/guia/"
            server.shutdown()
