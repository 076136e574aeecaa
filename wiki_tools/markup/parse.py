"""Walks the parser's events once and collects what a page's text holds."""

import re
from typing import Any

from wiki_tools.markup.blocks import (
    find_block_ids,
    find_comments,
    holds_comments,
    range_at,
    read_fence,
)
from wiki_tools.markup.events import read_events
from wiki_tools.markup.headings import number_anchors, section_ends
from wiki_tools.markup.links import WIKILINK, read_markdown, read_wikilink
from wiki_tools.markup.matter import clean_text, find_nul, split_matter
from wiki_tools.markup.positions import Positions
from wiki_tools.markup.types import Fence, Heading, Link, Markup, Problem, Span

_HTML_ID = re.compile(r"""<[^<>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""")
_NESTED = 4
"""Links in links, such as an image in a link, that are read: more would take quadratic time."""

_EDGES = {"Start", "End"}
_ADDRESSES = {"Autolink", "Email"}
_MARKS = {"Emphasis", "Strong", "Strikethrough"}
_LINKS = {"Link", "Image"}


def parse_markup(text: str) -> Markup:
    """Read a page's text; whatever it holds, it is read as far as possible and nothing raises."""
    text = clean_text(text)
    matter, body, problems = split_matter(text)
    walk = _Walk(text, body)
    walk.run()
    links = walk.links
    if walk.unsorted:
        links = sorted(links, key=lambda link: link.span.start)
    if holds_comments(text, body):
        comments = find_comments(text, body, walk.opaque())
        links = [link for link in links if not range_at(link.span.start, comments)]
    return Markup(
        text=text,
        body=body,
        frontmatter=matter,
        headings=walk.headings(),
        links=tuple(links),
        fences=tuple(walk.fences),
        blocks=find_block_ids(text, body, walk.is_opaque),
        anchors=tuple(walk.anchors),
        problems=(*problems, *find_nul(text), *walk.problems),
    )


class _Walk:
    """The state of one pass over the events."""

    def __init__(self, text: str, body: int) -> None:
        self.links: list[Link] = []
        self.unsorted = False
        self.fences: list[Fence] = []
        self.anchors: list[str] = []
        self.problems: list[Problem] = []
        self._text = text
        self._body = body
        self._positions = Positions(text)
        self._opaque: list[tuple[int, int]] = []
        """Bytes of code and mathematics."""
        self._blocks: list[str] = []
        self._headings: list[tuple[int, str, str, Span]] = []
        self._reading: list[str] | None = None
        """The text of the heading or code block that the walk is in."""
        self._displays: list[tuple[str, Span, list[str]] | None] = []
        """The links that the walk is in; of a Markdown one its address, span and text so far."""

    def run(self) -> None:
        """Walk over all events; this loop decides how long a vault takes."""
        base = self._positions.byte(self._body)
        body = self._text[self._body :] if self._body else self._text
        leaves = {
            "Code": self._hide,
            "InlineMath": self._math,
            "DisplayMath": self._math,
            "Html": self._html,
            "InlineHtml": self._html,
        }
        for event, place in read_events(body):
            if event.__class__ is str:  # a line break or a rule
                self._read(" ")
                continue
            ((kind, value),) = event.items()
            if kind == "Text":
                if self._reading is not None or self._displays:
                    self._read(value)
            elif kind in _EDGES:
                name = value if value.__class__ is str else next(iter(value))
                if name in _LINKS:
                    if kind == "Start":
                        self._link(value[name], place["start"] + base, place["end"] + base)
                    else:
                        self._end_link()
                elif name not in _MARKS:
                    turn = self._open if kind == "Start" else self._close
                    turn(name, value, place["start"] + base, place["end"] + base)
            elif kind in leaves:
                leaves[kind](value, place["start"] + base, place["end"] + base)

    def headings(self) -> tuple[Heading, ...]:
        """The headings with their anchors and the ends of their sections."""
        rows = self._headings
        anchors = number_anchors((text, slug) for _, text, slug, _ in rows)
        starts = [span.start for *_, span in rows]
        ends = section_ends([level for level, *_ in rows], starts, len(self._text))
        return tuple(
            Heading(level=level, text=text, anchor=anchor, slug=slug, span=span, end=end)
            for (level, text, slug, span), anchor, end in zip(rows, anchors, ends, strict=True)
        )

    def is_opaque(self, offset: int) -> bool:
        """Whether a code point stands in code or mathematics."""
        return range_at(self._positions.byte(offset), self._opaque) is not None

    def opaque(self) -> list[tuple[int, int]]:
        """Code and mathematics, in code points."""
        offset = self._positions.offset
        return [(offset(start), offset(end)) for start, end in self._opaque]

    def _open(self, name: str, value: Any, start: int, end: int) -> None:
        self._blocks.append(name)
        if name == "Heading":
            self._reading = []
            level, slug = int(value[name]["level"][1]), value[name]["id"] or ""
            self._headings.append((level, "", slug, self._span(start, end)))
        elif name == "CodeBlock":
            self._reading = []
            if value[name] == "Indented":
                self._blocks[-1] = "Indented"

    def _close(self, name: str, _value: Any, start: int, end: int) -> None:
        block = self._blocks.pop()
        if name == "Heading":
            level, _, slug, span = self._headings.pop()
            text = " ".join("".join(self._reading or ()).split())
            self._headings.append((level, text, slug, span))
            self._reading = None
        elif name == "CodeBlock":
            self._opaque.append((start, end))
            code, self._reading = "".join(self._reading or ()), None
            if block == name:
                span = self._span(start, end)
                fence, problems = read_fence(self._text, span, code, self._positions)
                self.fences.append(fence)
                self.problems.extend(problems)

    def _hide(self, value: str, start: int, end: int) -> None:
        self._read(value)
        self._opaque.append((start, end))

    def _html(self, value: str, _start: int, _end: int) -> None:
        self.anchors.extend(_HTML_ID.findall(value))

    def _math(self, value: str, start: int, end: int) -> None:
        self._read(value)
        span = self._span(start, end)
        if not self._text[span.end : span.end + 1].isdigit():
            self._opaque.append((start, end))
            return
        for match in WIKILINK.finditer(self._text, span.start, span.end):  # US$5 [[a]] US$6
            link = read_wikilink(match[0], self._positions.span(match.start(), match.end()))
            if link:
                self.links.append(link)

    def _read(self, text: str) -> None:
        if self._reading is not None:
            self._reading.append(text)
        for row in self._displays[:_NESTED]:
            if row:
                row[2].append(text)

    def _link(self, data: dict[str, Any], start: int, end: int) -> None:
        kind = data["link_type"]
        if len(self._displays) >= _NESTED:
            self._displays.append(None)
        elif kind.__class__ is dict:
            span = self._positions.span_of_bytes(start, end)
            link = read_wikilink(self._text[span.start : span.end], span)
            if link:
                self.links.append(link)
            self._displays.append(None)
        elif kind in _ADDRESSES:
            self._displays.append(None)
        else:
            span = self._positions.span_of_bytes(start, end)
            self._displays.append((data["dest_url"], span, []))

    def _end_link(self) -> None:
        row = self._displays.pop()
        if row:
            destination, span, display = row
            source = self._text[span.start : span.end]
            link = read_markdown(destination, source, "".join(display), span)
            if link:
                self.unsorted = self.unsorted or bool(self._displays or self.links)
                self.links.append(link)

    def _span(self, start: int, end: int) -> Span:
        """The span of a block or leaf, without the line break that ends it."""
        span = self._positions.span_of_bytes(start, end)
        stop = span.end
        text = self._text
        while stop > span.start and text[stop - 1] == "\n":
            stop -= 1
        if stop == span.end:
            return span
        return Span(start=span.start, end=stop, line=span.line, column=span.column)
