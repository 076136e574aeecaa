"""What a page's body holds, collected stretch by stretch in the order of the text."""

from collections.abc import Sequence

from wiki_tools.markup.blocks import Ranges, apart, range_at, read_fence
from wiki_tools.markup.headings import Noted
from wiki_tools.markup.links import read_address, read_markdown, read_wikilink
from wiki_tools.markup.positions import places
from wiki_tools.markup.types import Fence, Link, Problem, Span
from wiki_tools.markup.walk import Walk


class Body:
    """The values of a body, each in order."""

    def __init__(self, text: str) -> None:
        """Collect from a page's whole text."""
        self.text = text
        self.links: list[Link] = []
        self.headings: list[Noted] = []
        self.fences: list[Fence] = []
        self.anchors: list[str] = []
        self.problems: list[Problem] = []
        self._opaque: list[tuple[int, int]] = []
        self._unplaced: list[tuple[int, int, bytes, Ranges]] = []
        """Of what the parser found to be opaque: the stretch that it read, and bytes of it."""

    def opaque(self) -> Ranges:
        """Code and mathematics, in order; few pages ask, and it takes a tenth of the time."""
        rows = list(self._opaque)
        for start, _, data, ranges in self._unplaced:
            rows += [span[:2] for _, span in places(self.text, start, 1, data, ranges)]
        return apart(rows)

    def find_opaque(self, offsets: Sequence[int]) -> set[int]:
        """Those of ascending offsets that lie in code or mathematics."""
        found = {offset for offset in offsets if range_at(offset, self._opaque)}
        for start, end, _, ranges in self._unplaced:
            at, byte = start, 0
            for offset in offsets:
                if start <= offset < end:
                    byte += len(self.text[at:offset].encode())
                    at = offset
                    if range_at(byte, ranges):
                        found.add(offset)
        return found

    def add_link(self, link: Link | None) -> None:
        """Take a link, if it is one."""
        if link is not None:
            self.links.append(link)

    def add_code(self, start: int, end: int) -> None:
        """Take a stretch of code."""
        self._opaque.append((start, end))

    def add_fence(self, read: tuple[Fence, tuple[Problem, ...]]) -> None:
        """Take a fence, and what is wrong with it."""
        fence, problems = read
        self.fences.append(fence)
        self.problems += problems

    def parse(self, start: int, end: int, line: int) -> None:
        """Let the parser read a stretch that is a document of its own, and begins on a line.

        What was read of it already counts no more.
        """
        self._drop(start)
        text = self.text
        inner = text[start:end]
        data = inner.encode()
        walk = Walk(inner, data)
        found = places(text, start, line, data, [(row[1], row[2]) for row in walk.rows])
        for (kind, _, _, value), (source, span) in zip(walk.rows, found, strict=True):
            if kind == "wikilink":
                self.add_link(read_wikilink(source, span))
            elif kind == "markdown":
                self.add_link(read_markdown(source, span, *value))
            elif kind == "html":
                self.add_link(read_address(source, span, value))
            elif kind == "cut":
                self.problems.append(_cut(source, span))
            elif kind == "heading":
                self.headings.append((*value, span))
            else:
                self.add_fence(read_fence(source, span, value))
        self.anchors += walk.anchors
        if walk.opaque:
            self._unplaced.append((start, end, data, walk.opaque))

    def _drop(self, start: int) -> None:
        while self.links and self.links[-1].span.start >= start:
            self.links.pop()
        while self.headings and self.headings[-1][3].start >= start:
            self.headings.pop()


def _cut(source: str, span: Span) -> Problem:
    return Problem(
        code="cut-link",
        line=span.line,
        column=span.column,
        message=f"In a table the bar of {source} ends the cell, and neither half is a link.",
        hint=r"Write `\|` instead of the bar.",
    )
