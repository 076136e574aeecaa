"""Walks the parser's events once and collects what a page's text holds."""

import re
from typing import Any

import pyromark

from wiki_tools.markup.blocks import find_block_ids, find_comments, range_at, read_fence
from wiki_tools.markup.headings import number_anchors, section_ends
from wiki_tools.markup.links import WIKILINK, read_markdown, read_wikilink
from wiki_tools.markup.matter import clean_text, find_nul, split_matter
from wiki_tools.markup.positions import Positions
from wiki_tools.markup.types import Fence, Heading, Link, Markup, Problem, Span

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
_HTML_ID = re.compile(r"""<[^>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""")
_LINKS = {"Link", "Image"}
_EDGES = {"Start", "End"}
_PROSE = {"Paragraph", "TableCell"}
_MATH = {"InlineMath", "DisplayMath"}
_HTML = {"Html", "InlineHtml"}
_ADDRESSES = {"Autolink", "Email"}
_INLINE = {"Emphasis", "Strong", "Strikethrough", *_LINKS}


def parse_markup(text: str) -> Markup:
    """Read a page's text; whatever it holds, it is read as far as possible and nothing raises."""
    text = clean_text(text)
    matter, body, problems = split_matter(text)
    walk = _Walk(text, body)
    walk.run()
    comments = find_comments(text, body, walk.opaque)
    links = sorted(walk.links, key=lambda link: link.span.start)
    if comments:
        links = [link for link in links if not range_at(link.span.start, comments)]
    return Markup(
        text=text,
        body=body,
        frontmatter=matter,
        headings=walk.headings(),
        links=tuple(links),
        fences=tuple(walk.fences),
        blocks=find_block_ids(text, body, walk.opaque),
        anchors=tuple(walk.anchors),
        prose=tuple(walk.prose),
        problems=(*problems, *find_nul(text), *walk.problems),
    )


class _Walk:
    """The state of one pass over the events."""

    def __init__(self, text: str, body: int) -> None:
        self.links: list[Link] = []
        self.fences: list[Fence] = []
        self.prose: list[Span] = []
        self.anchors: list[str] = []
        self.problems: list[Problem] = []
        self.opaque: list[tuple[int, int]] = []
        """Code and mathematics."""
        self._text = text
        self._body = body
        self._positions = Positions(text)
        self._blocks: list[str] = []
        self._headings: list[tuple[int, str, str, Span]] = []
        self._reading: list[str] | None = None
        """The text of the heading or code block that the walk is in."""
        self._displays: list[tuple[str, Span, list[str]]] = []
        """The links that the walk is in: destination, span, text so far."""
        self._own: tuple[int, int] | None = None
        """Bytes of a list item's own text, where no paragraph holds it."""

    def run(self) -> None:
        """Walk over all events."""
        base = len(self._text[: self._body].encode())
        body, blocks = self._text[self._body :], self._blocks
        for event, place in pyromark.events_with_range(body, options=_OPTIONS, merge_text=True):
            if event.__class__ is str:  # a line break or a rule
                self._read(" ")
                continue
            ((kind, value),) = event.items()
            start, end = place["start"] + base, place["end"] + base
            if kind in _EDGES:
                name = value if value.__class__ is str else next(iter(value))
                if name not in _INLINE:
                    self._end_own()
                    (self._open if kind == "Start" else self._close)(name, value, start, end)
                    continue
                if name in _LINKS:
                    self._link(value, name, start, end)
            else:
                self._leaf(kind, value, start, end)
            if blocks and blocks[-1] == "Item":
                self._own = (self._own[0] if self._own else start, end)

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

    def _open(self, name: str, value: Any, start: int, end: int) -> None:
        self._blocks.append(name)
        if name in _PROSE:
            self.prose.append(self._span(start, end))
        elif name == "Heading":
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
            span = self._span(start, end)
            self.opaque.append((span.start, span.end))
            code, self._reading = "".join(self._reading or ()), None
            if block == name:
                fence, problems = read_fence(self._text, span, code, self._positions)
                self.fences.append(fence)
                self.problems.extend(problems)

    def _leaf(self, kind: str, value: Any, start: int, end: int) -> None:
        if kind == "Text":
            self._read(value)
        elif kind == "Code":
            self._read(value)
            span = self._span(start, end)
            self.opaque.append((span.start, span.end))
        elif kind in _MATH:
            self._read(value)
            self._math(self._span(start, end))
        elif kind in _HTML:
            self.anchors.extend(_HTML_ID.findall(value))

    def _math(self, span: Span) -> None:
        if not self._text[span.end : span.end + 1].isdigit():
            self.opaque.append((span.start, span.end))
            return
        for match in WIKILINK.finditer(self._text, span.start, span.end):  # US$5 [[a]] US$6
            link = read_wikilink(match[0], self._positions.span(match.start(), match.end()))
            if link:
                self.links.append(link)

    def _read(self, text: str) -> None:
        if self._reading is not None:
            self._reading.append(text)
        if self._displays:
            for _, _, display in self._displays:
                display.append(text)

    def _link(self, value: Any, name: str, start: int, end: int) -> None:
        if value.__class__ is str:
            destination, span, display = self._displays.pop()
            if destination:
                source = self._text[span.start : span.end]
                link = read_markdown(destination, source, "".join(display), span)
                self.links.extend((link,) if link else ())
            return
        kind, span, destination = value[name]["link_type"], self._span(start, end), ""
        if kind.__class__ is dict:
            wikilink = read_wikilink(self._text[span.start : span.end], span)
            self.links.extend((wikilink,) if wikilink else ())
        elif kind not in _ADDRESSES:
            destination = value[name]["dest_url"]
        self._displays.append((destination, span, []))

    def _end_own(self) -> None:
        if self._own:
            self.prose.append(self._span(*self._own))
            self._own = None

    def _span(self, start: int, end: int) -> Span:
        """The span of a block or leaf, without the line break that ends it."""
        span = self._positions.span_of_bytes(start, end)
        stop = span.end
        while stop > span.start and self._text[stop - 1] == "\n":
            stop -= 1
        if stop == span.end:
            return span
        return Span(start=span.start, end=stop, line=span.line, column=span.column)
