"""Our own pages as they are built: on a phone, their formulas, and where their links lead."""

import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

from tests.browser.serving import NEEDS_BROWSER, served
from tests.sites import ROOT, build_site

CODE = re.compile(r"<(pre|code|script|style|math)\b.*?</\1>", re.DOTALL)
FORMULA = re.compile(r"\$\$|(?<![\w$])\$[^\s$][^$\n]*\$(?!\d)")
LINK = re.compile(r"<a\b[^>]*?\bhref=(?:\"([^\"]*)\"|([^\s>]+))")
NAMED = re.compile(r"\bid=(?:\"([^\"]*)\"|([^\s>]+))")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of our own docs folder."""
    root = tmp_path_factory.mktemp("docs")
    for name in ("docs", "evidence", "snippets"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("local"))
    for name in ("mkdocs.yml", "findings.json"):
        shutil.copy(ROOT / name, root / name)
    build_site(root)
    return root / "site"


def pages(site: Path) -> Iterator[tuple[str, str]]:
    """The address of each page below the site, and its HTML."""
    for file in sorted(site.rglob("index.html")):
        folder = file.parent.relative_to(site).as_posix()
        yield "" if folder == "." else f"{folder}/", file.read_text(encoding="utf-8")


def anchors(html: str) -> set[str]:
    """All that an address may name on a page; nothing and the top are always there."""
    return {"", "__top"} | {unescape(quoted or bare) for quoted, bare in NAMED.findall(html)}


@pytest.mark.browser
def test_every_formula_became_mathml(site: Path) -> None:
    wrong = {}
    for address, html in pages(site):
        if found := FORMULA.findall(unescape(CODE.sub("", html.partition("<article")[2]))):
            wrong[address] = found
        if '<code class="wiki-maths"' in html or "<code class=wiki-maths" in html:
            wrong[address] = ["a formula that is no LaTeX"]
    assert wrong == {}
    assert sum(html.count("<math") for _, html in pages(site)) > 100


@pytest.mark.browser
def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    known = {address: anchors(html) for address, html in pages(site)}
    wrong = []
    for address, html in pages(site):
        for written in {unescape(quoted or bare) for quoted, bare in LINK.findall(html)}:
            target, anchor = urldefrag(written)
            if ":" in target or target.startswith("/"):
                continue
            there = (site / address / unquote(target)).resolve() if target else site / address
            place = there.relative_to(site.resolve()).as_posix().removesuffix("index.html")
            place = "" if place in (".", "") else place.rstrip("/") + "/"
            if there.is_file() and not there.name.endswith(".html"):
                continue
            if place not in known or unquote(anchor) not in known[place]:
                wrong.append(f"{address}: {written}")
    assert wrong == []


@pytest.mark.usefixtures("browser")
class TestOnAPhone:
    """What needs a browser."""

    pytestmark = NEEDS_BROWSER

    def test_no_page_scrolls_sideways(self, site: Path, browser: Any) -> None:
        context = browser.new_context(viewport={"width": 390, "height": 800})
        page = context.new_page()
        wide = {}
        with served(site) as root:
            for address, _ in pages(site):
                page.goto(root + address, wait_until="domcontentloaded")
                width = page.evaluate("document.documentElement.scrollWidth")
                if width > 390:
                    wide[address] = width
        context.close()
        assert wide == {}
