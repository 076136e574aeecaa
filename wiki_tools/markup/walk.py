"""Walks the parser's events once and notes what a page holds, still in bytes."""

import re
from collections.abc import Iterator
from typing import Any

from wiki_tools.markup.events import Place, read_events
from wiki_tools.markup.links import WIKILINK

Row = tuple[str, int, int, Any]
"""`wikilink`, `markdown`, `heading` or `fence`; its bytes; and of a Markdown link the address
and text, of a heading its level, own slug and text, of a fence its code."""

_HTML_ID = re.compile(r"""<[^<>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""")
_LINKS = ("Link", "Image")
_HTML = ("Html", "InlineHtml")
_OPAQUE = ("Code", "InlineMath", "DisplayMath")
_ADDRESSES = ("Autolink", "Email")
_NESTED = 4
"""Links in links, such as an image in a link, that are read: more would take quadratic time."""


class Walk:
    """What one pass over the events of a page's body finds."""

    def __init__(self, body: str, data: bytes) -> None:
        """Walk over a body; `data` is the same in UTF-8."""
        self.rows: list[Row] = []
        """In the order in which they begin."""
        self.anchors: list[str] = []
        self.opaque: list[tuple[int, int]] = []
        """Bytes of code and mathematics."""
        self._data = data
        self._open: list[tuple[int, int]] = []
        """The links that the walk is in: a row, -1 where it is read; where its text begins."""
        self._listening: list[bool] = []
        """Not empty while the walk is in something whose text is read."""
        self._heard: list[str] = []
        self._heading = -1
        self._run(read_events(body))

    def _run(self, events: Iterator[tuple[Any, Place]]) -> None:
        """Take the events by their likeliness, without a call for those that say nothing.

        This loop decides how long a vault takes.
        """
        heard, listening = self._heard, self._listening
        for event, place in events:
            if "Text" in event:
                if listening:
                    heard.append(event["Text"])
            elif "Start" in event:
                tag = event["Start"]
                if tag.__class__ is dict:  # no paragraph, no item
                    self._start(tag, place, events)
            elif "End" in event:
                tag = event["End"]
                if tag in _LINKS:
                    self._end_link()
                elif tag.__class__ is dict and "Heading" in tag:
                    self._end_heading()
            elif event.__class__ is dict:
                self._leaf(event, place)
            elif listening:  # a line break
                heard.append(" ")

    def _start(
        self, tag: dict[str, Any], place: Place, events: Iterator[tuple[Any, Place]]
    ) -> None:
        if "Link" in tag:
            self._link(tag["Link"], place)
        elif "CodeBlock" in tag:
            self._code(tag["CodeBlock"], place, events)
        elif "Heading" in tag:
            self.rows.append(("heading", place["start"], place["end"], tag["Heading"]))
            self._listening.append(True)
            self._heading = len(self.rows) - 1
        elif "Image" in tag:
            self._link(tag["Image"], place)

    def _end_heading(self) -> None:
        kind, start, end, tag = self.rows[self._heading]
        text = " ".join("".join(self._heard).split())
        self.rows[self._heading] = (kind, start, end, (int(tag["level"][1]), tag["id"] or "", text))
        self._listening.clear()
        self._heard.clear()

    def _code(self, kind: Any, place: Place, events: Iterator[tuple[Any, Place]]) -> None:
        parts = []
        for event, _ in events:
            if "Text" not in event:
                break  # the block's end: it holds nothing else
            parts.append(event["Text"])
        start, end = place["start"], place["end"]
        self.opaque.append((start, end))
        if kind != "Indented":
            self.rows.append(("fence", start, end, "".join(parts)))

    def _link(self, tag: dict[str, Any], place: Place) -> None:
        kind = tag["link_type"]
        if kind.__class__ is dict:
            self.rows.append(("wikilink", place["start"], place["end"], None))
        elif len(self._open) < _NESTED and kind not in _ADDRESSES:
            self._open.append((len(self.rows), len(self._heard)))
            self._listening.append(True)
            self.rows.append(("markdown", place["start"], place["end"], tag["dest_url"]))
            return
        self._open.append((-1, 0))

    def _end_link(self) -> None:
        index, begin = self._open.pop()
        if index >= 0:
            kind, start, end, destination = self.rows[index]
            display = "".join(self._heard[begin:])
            self.rows[index] = (kind, start, end, (destination, display))
            self._listening.pop()
            if not self._listening:
                self._heard.clear()

    def _leaf(self, event: dict[str, Any], place: Place) -> None:
        ((kind, value),) = event.items()
        if kind in _HTML:
            self.anchors.extend(_HTML_ID.findall(value))
        elif kind in _OPAQUE:
            if self._listening:
                self._heard.append(value)
            if kind == "Code" or not self._is_price(place):
                self.opaque.append((place["start"], place["end"]))

    def _is_price(self, place: Place) -> bool:
        """Whether mathematics is none, as in `US$5 [[a]] US$6`; then its links are read."""
        start, end = place["start"], place["end"]
        if not self._data[end : end + 1].isdigit():
            return False
        source, seen = self._data[start:end].decode(), 0
        for match in WIKILINK.finditer(source):
            start += len(source[seen : match.start()].encode())
            seen = match.start()
            self.rows.append(("wikilink", start, start + len(match[0].encode()), None))
        return True
