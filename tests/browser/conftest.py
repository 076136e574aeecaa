"""A browser for all tests of this folder."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import BROWSER


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-quic"]
        )
        yield launched
        launched.close()
