"""What the walk noted in bytes into links, headings and fences with their spans."""

from collections.abc import Sequence

from wiki_tools.markup.blocks import read_fence
from wiki_tools.markup.headings import Noted, number_headings
from wiki_tools.markup.links import read_markdown, read_wikilink
from wiki_tools.markup.positions import places
from wiki_tools.markup.types import Fence, Link, Problem
from wiki_tools.markup.walk import Row


class Placed:
    """The values of a page, each in order."""

    def __init__(self, text: str, body: int, data: bytes, rows: Sequence[Row]) -> None:
        self.links: list[Link] = []
        self.fences: list[Fence] = []
        self.problems: list[Problem] = []
        headings: list[Noted] = []
        links = self.links
        found = places(text, body, data, [(start, end) for _, start, end, _ in rows])
        for (kind, _, _, value), (source, span) in zip(rows, found, strict=True):
            if kind == "wikilink":
                link = read_wikilink(source, span)
                if link is not None:
                    links.append(link)
            elif kind == "fence":
                fence, problems = read_fence(source, span, value)
                self.fences.append(fence)
                if problems:
                    self.problems += problems
            elif kind == "heading":
                headings.append((*value, span))
            else:
                link = read_markdown(source, span, *value)
                if link is not None:
                    links.append(link)
        self.headings = number_headings(headings, len(text))
