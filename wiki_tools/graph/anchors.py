"""Finds the heading or block of a page that a link names."""

import re

from wiki_tools.markup import Heading, slugify
from wiki_tools.pages import Page

_TAG = re.compile(r"<[^<>]*>")
_DASHES = re.compile(r"-+")


class Anchors:
    """The headings and blocks of the pages that links name, each page read when first asked."""

    def __init__(self) -> None:
        self._pages: dict[str, _PageAnchors] = {}

    def find(self, page: Page, heading: str, form: str) -> str | None:
        """The anchor that a link's `#heading` leads to, or None."""
        return self._of(page).find(heading, form)

    def known(self, page: Page, heading: str) -> tuple[str, ...]:
        """What the page has instead: its headings, or its block ids."""
        if heading.startswith("^"):
            return page.markup.blocks
        return tuple(row.text for row in page.markup.headings)

    def _of(self, page: Page) -> "_PageAnchors":
        found = self._pages.get(page.path)
        if found is None:
            found = self._pages[page.path] = _PageAnchors(page)
        return found


class _PageAnchors:
    def __init__(self, page: Page) -> None:
        markup = page.markup
        self._headings = markup.headings
        self._ids = {row.anchor for row in markup.headings} | set(markup.anchors)
        self._blocks = {block.casefold(): block for block in markup.blocks}
        self._slugs = [_bare(row.text) for row in markup.headings]
        self._first: dict[str, int] = {}
        for index, slug in enumerate(self._slugs):
            self._first.setdefault(slug, index)
        self._cache: dict[tuple[str, bool], str | None] = {}

    def find(self, heading: str, form: str) -> str | None:
        place = (heading, form == "markdown")
        if place not in self._cache:
            self._cache[place] = self._find(heading, form)
        return self._cache[place]

    def _find(self, heading: str, form: str) -> str | None:
        if heading in self._ids:
            return heading
        if form == "markdown":
            folded = heading.casefold()
            return next((known for known in self._ids if known.casefold() == folded), None)
        if heading.startswith("^"):
            block = self._blocks.get(heading[1:].strip().casefold())
            return f"^{block}" if block else None
        text = _TAG.sub("", heading)
        index = self._first.get(_bare(text))
        if index is None:
            index = self._nested(text.split("#"))
        return None if index is None else self._headings[index].anchor

    def _nested(self, names: list[str]) -> int | None:
        """`A#B` is the heading B in the section of A."""
        inside: Heading | None = None
        index = None
        for name in names:
            wanted = _bare(name)
            index = next(
                (
                    i
                    for i, row in enumerate(self._headings)
                    if self._slugs[i] == wanted
                    and (inside is None or inside.span.start < row.span.start < inside.end)
                ),
                None,
            )
            if index is None:
                return None
            inside = self._headings[index]
        return index


def _bare(text: str) -> str:
    """A heading as it is compared: emoji and punctuation, which names may drop, left out."""
    return _DASHES.sub("-", slugify(text)).strip("-")
