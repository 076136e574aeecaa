"""Walks the parser's events once and notes what a page holds, still in bytes."""

import bisect
import re
from collections.abc import Iterator
from typing import Any

from wiki_tools.markup.events import Place, read_events

Row = tuple[str, int, int, Any]
"""`wikilink`, `markdown`, `html`, `heading`, `fence` or `cut`; its bytes; and of a Markdown link
the address and text, of a raw tag the address, of a heading its level, own slug and text, of a
fence its code."""

_HTML_ID = re.compile(r"""<[^<>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""")
_TAG = re.compile(
    rb"<(?:a|area|audio|embed|iframe|img|source|video)\s(?:[^<>]{0,500}?\s)?(?:href|src)\s*=\s*"
    rb"(?:\"([^\"<>]{1,500})\"|'([^'<>]{1,500})'|([^\s\"'<>=`]{1,500}))",
    re.IGNORECASE,
)
"""A tag that leads to a page or a file, up to its address; it may go over several lines."""
_LONGEST_TAG = 1200
_LINKS = ("Link", "Image")
_HTML = ("Html", "InlineHtml")
_OPAQUE = ("Code", "InlineMath", "DisplayMath")
_ADDRESSES = ("Autolink", "Email")
_ADDRESS = re.compile(
    rb"\(([A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s<>]{1,500}|[^\s<>()#]{0,200}\.md(?:#[^\s<>()]{1,200})?"
    rb'|#[^\s<>()]{1,200})(?:\)|(?<=\S)[ \t]{1,9}"[^"\n]{0,200}"\))'
)
"""What makes `[[a]](b)` a Markdown link; `[[어텐션]](Attention)` is none."""
_CUT = re.compile(rb"\[\[([^\[\]\n`\\]{1,500})\]\]")
"""A wikilink in a table, of whose bar the parser makes the end of a cell."""
_EMBED = re.compile(rb"!\[\[[^\[\]\n]+\]\](?=\])")
_CONTAINER = re.compile(rb"[ \t]*(?:===[!+]? +[\"']|!!! *\w|\?\?\?\+? *\w)")
"""What Material indents the content of by four spaces, which CommonMark takes for code."""
_WIDTH = 4
"""Columns by which the content of a container is indented."""
_DEEPEST = 6
"""Containers in containers that are read."""
_NESTED = 4
"""Links in links, such as an image in a link, that are read: more would take quadratic time."""


class Walk:
    """What one pass over the events of a page's body finds."""

    def __init__(self, body: str, data: bytes, *, within: bool = False, depth: int = 0) -> None:
        """Walk over a body, or over what is `within` a price; `data` is the same in UTF-8.

        `depth` is the number of containers around it.
        """
        self.rows: list[Row] = []
        """In the order in which they begin."""
        self.anchors: list[str] = []
        self.opaque: list[tuple[int, int]] = []
        """Bytes of code and mathematics."""
        self._data, self._within, self._depth = data, within, depth
        self._open: list[tuple[int, int]] = []
        """The links that the walk is in: a row, -1 where it is read; where its text begins."""
        self._listening: list[bool] = []
        """Not empty while the walk is in something whose text is read."""
        self._heard: list[str] = []
        self._heading = -1
        """The row of the heading that the walk is in."""
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
                    self._end_link(tag)
                elif tag == "TableCell":
                    self._end_cell(place)
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
        self._heading = -1
        self._listening.clear()
        self._heard.clear()

    def _end_cell(self, place: Place) -> None:
        """Note a wikilink whose bar ends its cell: neither half is one."""
        start = self._data.rfind(b"[[", place["start"], place["end"])
        cut = _CUT.match(self._data, start) if start >= 0 else None
        if cut and cut[1].count(b"|") == 1 and not (self.rows and self.rows[-1][1] > start):
            self.rows.append(("cut", start, cut.end(), None))

    def _code(self, kind: Any, place: Place, events: Iterator[tuple[Any, Place]]) -> None:
        parts = []
        for event, _ in events:
            if "Text" not in event:
                break  # the block's end: it holds nothing else
            parts.append(event["Text"])
        start, end = place["start"], place["end"]
        width = self._contained(start) if kind == "Indented" and self._depth < _DEEPEST else 0
        if width:
            self._read_container(start, end, width)
            return
        self.opaque.append((start, end))
        if kind != "Indented":
            self.rows.append(("fence", start, end, "".join(parts)))

    def _contained(self, start: int) -> int:
        """By how much the content of the tab or note around indented text is indented; 0: none.

        `=== "JAX"` and `!!! tip` open one. Lines of it may stand right below, where they are a
        paragraph's.
        """
        data = self._data
        end = data.rfind(b"\n", 0, start)
        stop = data.find(b"\n", start)
        own = _indentation(data[end + 1 : stop if stop >= 0 else len(data)])
        while end >= 0:
            begin = data.rfind(b"\n", 0, end) + 1
            line = data[begin:end]
            width = _indentation(line)
            if width < len(line) and width < own:
                return width + _WIDTH if _CONTAINER.match(line) and own >= width + _WIDTH else 0
            end = begin - 1
        return 0

    def _read_container(self, start: int, end: int, width: int) -> None:
        """Read what a container holds as what it is; its headings are not the page's sections."""
        data, starts, shifts = _outdented(self._data, start, end, width)
        walk = Walk(data.decode(), data, depth=self._depth + 1)

        def back(at: int) -> int:
            return at + shifts[bisect.bisect_right(starts, at) - 1]

        self.rows += [
            (kind, back(at), back(to), value)
            for kind, at, to, value in walk.rows
            if kind != "heading"
        ]
        self.anchors += walk.anchors
        self.opaque += [(back(at), back(to)) for at, to in walk.opaque]

    def _link(self, tag: dict[str, Any], place: Place) -> None:
        kind, start, end = tag["link_type"], place["start"], place["end"]
        if kind.__class__ is dict:
            address = self._data[end : end + 1] == b"(" and _ADDRESS.match(self._data, end)
            if address:  # a citation, `[[1]](https://example.org)`
                text = self._data[start + 1 : end - 1].decode()
                row = ("markdown", start, address.end(), (address[1].decode(), text))
                self.rows.append(row)
            else:
                self.rows.append(("wikilink", start, end, None))
        elif self._data.startswith(b"![[", start):
            self._embed_in_link(tag["dest_url"], start, end)
        elif len(self._open) < _NESTED and kind not in _ADDRESSES:
            self._open.append((len(self.rows), len(self._heard)))
            self._listening.append(True)
            self.rows.append(("markdown", start, end, tag["dest_url"]))
            return
        self._open.append((-1, len(self._heard)))

    def _embed_in_link(self, destination: str, start: int, end: int) -> None:
        """`[![[a.png]]](b.md)`, of which the parser makes an image that begins at the `!`."""
        embed = _EMBED.match(self._data, start, end)
        if embed:
            begin = start - (self._data.startswith(b"[![[", max(start - 1, 0)))
            self.rows.append(("markdown", begin, end, (destination, "")))
            self.rows.append(("wikilink", start, embed.end(), None))

    def _end_link(self, tag: str) -> None:
        index, begin = self._open.pop()
        if index >= 0:
            kind, start, end, destination = self.rows[index]
            display = "".join(self._heard[begin:])
            self.rows[index] = (kind, start, end, (destination, display))
            self._listening.pop()
            if not self._listening:
                self._heard.clear()
        if tag == "Image" and self._heading >= 0:  # a heading reads without its pictures
            del self._heard[begin:]

    def _leaf(self, event: dict[str, Any], place: Place) -> None:
        ((kind, value),) = event.items()
        if kind in _HTML:
            self.anchors.extend(_HTML_ID.findall(value))
            self._tags(place["start"], place["end"])
        elif kind in _OPAQUE:
            if self._listening:
                self._heard.append(value)
            if kind == "Code" or not self._is_price(place):
                self.opaque.append((place["start"], place["end"]))

    def _tags(self, start: int, end: int) -> None:
        """Take the addresses of tags that begin in a stretch of HTML."""
        for match in _TAG.finditer(self._data, start, min(end + _LONGEST_TAG, len(self._data))):
            if match.start() >= end:
                break
            address = next(filter(None, match.groups())).decode("utf-8", "replace")
            self.rows.append(("html", match.start(), match.end(), address))

    def _is_price(self, place: Place) -> bool:
        """Whether mathematics is none, as in `US$5 [[a]] US$6`; then its links are read."""
        start, end = place["start"], place["end"]
        if self._within or not self._data[end : end + 1].isdigit():
            return False
        marks = 2 if self._data.startswith(b"$$", start) else 1
        start += marks
        data = self._data[start : end - marks]
        walk = Walk(data.decode(), data, within=True)
        self.rows += [
            (kind, start + at, start + to, value)
            for kind, at, to, value in walk.rows
            if kind in ("wikilink", "markdown")
        ]
        self.opaque += [(start + at, start + to) for at, to in walk.opaque]
        return True


def _indentation(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" \t"))


def _outdented(data: bytes, start: int, end: int, width: int) -> tuple[bytes, list[int], list[int]]:
    """Take a container's indentation from its text.

    Returns:
        The text, where each of its lines begins, and what to add there to get back to `data`.
    """
    begin = data.rfind(b"\n", 0, start) + 1
    lines, starts, shifts = [], [], []
    at, shift = 0, begin
    for line in data[begin:end].split(b"\n"):
        kept = line[min(width, _indentation(line)) :]
        shift += len(line) - len(kept)
        lines.append(kept)
        starts.append(at)
        shifts.append(shift)
        at += len(kept) + 1
    return b"\n".join(lines), starts, shifts
