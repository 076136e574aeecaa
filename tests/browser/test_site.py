"""The built site in a real browser: what a reader sees, finds and can read."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import NEEDS_BROWSER, served
from tests.sites import BROKEN, build_site, record, write_vault

pytestmark = NEEDS_BROWSER
CONTRAST = """
element => {
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  };
  const layers = [];
  for (let at = element; at; at = at.parentElement)
    layers.unshift(numbers(getComputedStyle(at).backgroundColor));
  let behind = [255, 255, 255];
  for (const [r, g, b, a = 1] of layers)
    behind = [r, g, b].map((v, i) => v * a + behind[i] * (1 - a));
  const [r, g, b, a = 1] = numbers(getComputedStyle(element).color);
  const front = [r, g, b].map((v, i) => v * a + behind[i] * (1 - a));
  const [low, high] = [light(front), light(behind)].sort((x, y) => x - y);
  return (high + .05) / (low + .05);
}
"""
"""The contrast ratio of WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site of a tiny wiki is served."""
    root = tmp_path_factory.mktemp("vault")
    record(write_vault(root), BROKEN)
    build_site(root, "--strict")
    with served(root / "site") as found:
        yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that fails its test when it logs an error or asks another host for something."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda r: wrong.append(r.url) if "127.0.0.1" not in r.url else None)
    yield opened
    context.close()
    assert [one for one in wrong if not one.startswith(("data:", "blob:"))] == []


def test_rows_say_what_happened(page: Any, address: str) -> None:
    page.goto(address + "Fusing/")
    first, second, third = page.locator(".wiki-row").all()
    assert "passed on AMD EPYC 9V74 (CPU)" in first.inner_text()
    assert "3.7x (3.6 to 3.8) over the baseline" in first.inner_text()
    assert "confirmed" in first.inner_text()
    assert "line 27: NameError" in second.inner_text()
    assert "this says nothing about a GPU" in third.inner_text()
    assert "failing" in page.locator(".wiki-header").inner_text()


def test_a_row_stands_right_under_its_code(page: Any, address: str) -> None:
    page.goto(address + "Fusing/")
    code = page.locator(".highlight").first.bounding_box()
    row = page.locator(".wiki-row").first.bounding_box()
    assert 0 <= row["y"] - code["y"] - code["height"] < 20
    assert row["x"] == pytest.approx(code["x"], abs=1)


def test_the_language_switch_leads_to_the_same_page(page: Any, address: str) -> None:
    page.goto(address + "Fusing/")
    page.get_by_role("button", name="Select language").hover()
    page.get_by_role("link", name="한국어").click()
    page.wait_for_url("**/ko/Fusing/")
    assert "통과 · AMD EPYC 9V74" in page.locator(".wiki-row").first.inner_text()


def test_search_finds_a_page_by_its_korean_alias(page: Any, address: str) -> None:
    page.goto(address)
    box = page.locator(".md-search__input").first
    box.click()
    page.wait_for_function("document.querySelector('.md-search-result__meta')?.innerText")
    box.press_sequentially("커널 융합", delay=30)
    result = page.locator(".md-search-result__link").first
    result.wait_for()
    assert "Fusing" in result.get_attribute("href")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["Fusing/", "status/", "wanted/", "notebooks/Fusing/"])
def test_words_are_legible_in_both_schemes(page: Any, address: str, scheme: str, path: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(address + path)
    page.wait_for_timeout(400)  # the theme fades colours in
    expected = "slate" if scheme == "dark" else "default"
    assert page.locator("body").get_attribute("data-md-color-scheme") == expected
    marks = "[class^=wiki-]:not(.wiki-bar), .wiki-row a, .jp-OutputArea-output pre"
    found = [one for one in page.locator(marks).all() if one.is_visible() and one.inner_text()]
    assert found
    low = {one.inner_text(): one.evaluate(CONTRAST) for one in found}
    assert {text: ratio for text, ratio in low.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("path", ["Fusing/", "ko/status/", "notebooks/Fusing/", "Memory/"])
def test_a_phone_shows_pages_without_scrolling_sideways(page: Any, address: str, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_folded_parts_open_with_the_keyboard(page: Any, address: str) -> None:
    page.goto(address + "Fusing/")
    assert page.locator("details.wiki-fold").count() >= 1
    summary = page.locator("details.wiki-fold summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.wiki-fold[open]").count() == 1


def test_a_duplicate_leads_to_the_page_that_it_stands_for(page: Any, address: str) -> None:
    page.goto(address + "Old/")
    page.wait_for_url("**/Memory/")
    assert page.locator("h1").inner_text().startswith("Memory")
