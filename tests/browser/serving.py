"""Serves a built site to a real browser."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither Chromium nor Google Chrome is installed"),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder, and give its address."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
