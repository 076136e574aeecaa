"""Where pytest asks: options, pages to collect, what to say of a skipped pattern, the end."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from wiki_tools.pytest_plugin.items import PageFile

SUFFIXES = (".md", ".markdown")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; without `--wiki` nothing of this plugin does anything."""
    group = parser.getgroup("wiki", "patterns of a wiki (wiki_tools)")
    group.addoption(
        "--wiki",
        action="store_true",
        help="collect the patterns of Markdown pages, and run them as `wiki verify` does; "
        "nothing is measured, and nothing is recorded as evidence",
    )
    group.addoption(
        "--wiki-strict",
        action="store_true",
        help="a pattern with a name that nothing provides fails; it is skipped otherwise",
    )
    group.addoption(
        "--wiki-device", default="cpu", metavar="cpu|cuda", help="where patterns run [cpu]"
    )
    group.addoption(
        "--wiki-sandbox",
        default="",
        metavar="auto|require|off",
        help="keep patterns from files and network, as `wiki verify --sandbox` does",
    )
    parser.addini("wiki_docs", "the docs folder of --wiki, where no mkdocs.yml names it", "paths")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that every pattern has."""
    config.addinivalue_line("markers", "wiki: a pattern of a page, collected by --wiki")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what a passed pattern means here."""
    if not config.getoption("--wiki"):
        return None
    device = config.getoption("--wiki-device")
    return f"wiki: patterns run on {device}; nothing is measured or recorded (wiki verify does)"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PageFile | None:
    """Take a Markdown page of a vault."""
    if not parent.config.getoption("--wiki") or file_path.suffix.lower() not in SUFFIXES:
        return None
    from wiki_tools.pytest_plugin.items import PageFile

    return PageFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Place a skipped pattern at its page and line; pytest would name this plugin's."""
    report = yield
    if report.skipped and (place := getattr(item, "place", None)) and "wiki" in item.keywords:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        path, line = place
        report.longrepr = (path, line, reason)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave no worker behind, however the session ends."""
    if session.config.getoption("--wiki"):
        from wiki_tools.pytest_plugin.vaults import close_vaults

        close_vaults(session)
