"""Finds the heading or block of a page that a link names."""

import re
from collections.abc import Sequence
from functools import lru_cache

from wiki_tools.markup import slugify

_TAG = re.compile(r"<[^<>]*>")
_NO_ANCHOR = re.compile(r"[^\w-]")
"""What no anchor has: Obsidian writes `[a](b.md#Its%20heading)` and `[a](b.md#^block)`."""
_DASHES = re.compile(r"-+")


Landing = tuple[str, str, str, int, int]
"""A heading as links look for it: its text, its anchor, its text as it is compared, its ordinal,
and that of the first heading behind its section. Ordinals stay where text above is edited."""


@lru_cache(maxsize=1 << 14)
def bare_heading(text: str) -> str:
    """A heading as it is compared: emoji and punctuation, which names may drop, left out."""
    return _DASHES.sub("-", slugify(text)).strip("-")


class Anchors:
    """The headings and blocks of one page."""

    __slots__ = ("_blocks", "_cache", "_first", "_folded", "_headings", "_ids", "_known")

    def __init__(
        self,
        headings: Sequence[Landing],
        blocks: Sequence[str],
        ids: Sequence[str],
    ) -> None:
        """Look at the headings, block ids and HTML ids of a page."""
        self._headings = headings
        self._ids = {row[1] for row in headings}.union(ids)
        self._blocks = tuple(blocks)
        self._first: dict[str, int] = {}
        for index, row in enumerate(headings):
            self._first.setdefault(row[2], index)
        self._folded: tuple[dict[str, str], dict[str, str]] | None = None
        """HTML ids and block ids, as they are compared; made when first asked for."""
        self._known: tuple[str, ...] | None = None
        self._cache: dict[tuple[str, bool], str | None] = {}

    def find(self, heading: str, form: str) -> str | None:
        """The anchor that a link's `#heading` leads to, or None."""
        place = (heading, form == "markdown")
        if place not in self._cache:
            self._cache[place] = self._find(heading, form)
        return self._cache[place]

    def known(self, heading: str) -> tuple[str, ...]:
        """What the page has instead: its headings, or its block ids."""
        if heading.startswith("^"):
            return self._blocks
        if self._known is None:
            self._known = tuple(row[0] for row in self._headings)
        return self._known

    def _find(self, heading: str, form: str) -> str | None:
        if heading in self._ids:
            return heading
        if self._folded is None:
            ids = {known.casefold(): known for known in sorted(self._ids)}
            blocks = {block.casefold(): f"^{block}" for block in reversed(self._blocks)}
            self._folded = (ids, blocks)
        if form == "markdown" and not _NO_ANCHOR.search(heading):
            return self._folded[0].get(heading.casefold())
        if heading.startswith("^"):
            return self._folded[1].get(heading[1:].strip().casefold())
        text = _TAG.sub("", heading)
        index = self._first.get(bare_heading(text))
        if index is None:
            index = self._nested(text.split("#"))
        return None if index is None else self._headings[index][1]

    def _nested(self, names: list[str]) -> int | None:
        """`A#B` is the heading B in the section of A."""
        start, end = -1, len(self._headings)
        index = None
        for name in names:
            wanted = bare_heading(name)
            index = next(
                (
                    i
                    for i, row in enumerate(self._headings)
                    if row[2] == wanted and start < row[3] < end
                ),
                None,
            )
            if index is None:
                return None
            start, end = self._headings[index][3:5]
        return index
