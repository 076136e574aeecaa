"""Reads one key of a front matter that is no YAML, as its author most likely meant it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from wiki_tools.markup import WIKILINK
from wiki_tools.pages.nodes import Lines, Node

_NAME = r"""(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#\-\[\]{}"',&*!|>%@`?][^\n]*?)):(?=[ \t]|$)"""
_TIGHT_KEY = r"(\w[\w\-]*+):(?=[^\s:/])"
_KEY = re.compile(rf"^(?:{_NAME}|{_TIGHT_KEY})", re.MULTILINE)
_TABBED_KEY = re.compile(rf"^[ \t]*+(?:{_NAME}|{_TIGHT_KEY})", re.MULTILINE)
_INDENTED = re.compile(r"^[ \t]+([^\W\d][\w\-]*+):(?=[ \t]+\S)", re.MULTILINE)
_JSON_KEY = re.compile(r"""^[ \t]*+(?:[{,][ \t]*+)?"([^"\n]++)"[ \t]*+:""", re.MULTILINE)
_ROW = re.compile(r"[^\n]+")
_PART = re.compile(r"""(?:\[\[[^\[\]\n]*+\]\]|"[^"\n]*+"|'[^'\n]*+'|[^,])++""")
_NESTED = re.compile(r"([^\s:#\-\[{\"'][^:\n]*+):[ \t]+(?=\S)")
_BLOCK = re.compile(r"[|>][-+0-9]*")
_COMMENT = re.compile(r"[ \t]#")


class Chunk(NamedTuple):
    """The lines of one top-level key, between two offsets."""

    key: str
    """Empty for lines above the first key."""
    start: int
    value: int
    """Where its value begins."""
    end: int
    json: bool = False


Range = tuple[int, int]


def find_chunks(text: str) -> Iterator[Chunk]:
    """Cut a front matter into its top-level keys; what stands above the first is one as well."""
    json = text.lstrip().startswith("{")
    tabbed = text.lstrip("\n").startswith("\t")
    last = Chunk("", 0, 0, 0, json)
    for match in (_JSON_KEY if json else _TABBED_KEY if tabbed else _KEY).finditer(text):
        group = match.lastindex or 0
        if match.start() > last.start:
            yield from _with_indented(text, last._replace(end=match.start()))
        start = match.start(group) - (json or group < 3)  # its quote
        last = Chunk(match[group].strip(), start, match.end(), 0, json)
    yield from _with_indented(text, last._replace(end=len(text)))


def _with_indented(text: str, chunk: Chunk) -> Iterator[Chunk]:
    """A chunk, and the keys that stand indented below a value of one line."""
    row = text[chunk.value : chunk.end].partition("\n")[0].strip()
    if chunk.key and not chunk.json and row and row[0] not in "|>[{\"'&!*#-":
        for match in _INDENTED.finditer(text, chunk.value, chunk.end):
            yield chunk._replace(end=match.start())
            chunk = Chunk(match[1], match.start(1), match.end(), chunk.end)
    yield chunk


def recover_items(text: str, starts: list[int], end: int, lines: Lines, key: int) -> list[Node]:
    """The items that begin at some offsets, each with its `-` or, the first, without."""
    recovery = _Recovery(text, lines, key)
    return [
        recovery.text_of(start + (text[start] == "-"), stop)
        for start, stop in zip(starts, [*starts[1:], end], strict=True)
    ]


def recover_value(text: str, chunk: Chunk, lines: Lines) -> tuple[Node, list[int]]:
    """The value of a chunk, and where items stand that have no space behind their `-`."""
    return _Recovery(text, lines, chunk.start).value(chunk)


class _Recovery:
    """One value, and what was met on the way."""

    def __init__(self, text: str, lines: Lines, key: int) -> None:
        self._text = text
        self._lines = lines
        self._line, _ = lines.place(key)
        self._tight: list[int] = []

    def value(self, chunk: Chunk) -> tuple[Node, list[int]]:
        end = chunk.end
        if chunk.json:
            end = chunk.value + len(self._text[chunk.value : end].rstrip(" \t\n,}"))
        matches = _ROW.finditer(self._text, chunk.value, end)
        found = [self._strip(*match.span()) for match in matches]
        rows = [row for row in found if row[0] < row[1] and self._text[row[0]] != "#"]
        if not rows:
            return ("", False, *self._below(chunk.value)), []
        stop = self._text.find("\n", chunk.value)
        head = stop < 0 or rows[0][0] <= stop
        return self._read(rows, head), self._tight

    def _read(self, rows: list[Range], head: bool) -> Node:
        text, (start, end) = self._text, rows[0]
        place = self._below(start)
        below = rows[1:] if head else rows
        if text.startswith("[[", start) and not text.startswith("[[[", start):
            return self._links(start, end)
        if text[start] == "[" and not self._is_text(start, rows[-1][1]):
            return self._parts(start + 1, rows[-1][1]), False, *place
        if below and text[below[0][0]] == "-":
            first = [self.text_of(start, end)] if head else []
            return [*first, *self._items(below)], False, *place
        if head and _BLOCK.fullmatch(text[start:end]):
            return "\n".join(text[a:b] for a, b in below), True, *place
        pairs = [_NESTED.match(text, *row) for row in rows]
        if not head and all(pairs):
            return self._pairs(pairs, rows), False, *place
        if not below or not head:
            return self.text_of(start, rows[-1][1])
        return " ".join(text[a:b] for a, b in rows), False, *place

    def _is_text(self, start: int, end: int) -> bool:
        """Whether a bracket is closed and followed by words, as in `[Draft] My page`."""
        closing = self._text.rfind("]", start, end)
        behind = self._text[closing + 1 : end].strip()
        return closing > 0 and bool(behind) and behind[0] not in ",#"

    def _links(self, start: int, end: int) -> Node:
        """Links without quotes, one behind the other; else the text that one opens."""
        matches = list(_PART.finditer(self._text, start, end))
        ranges = [self._strip(*match.span()) for match in matches]
        if len(ranges) > 1 and all(WIKILINK.fullmatch(self._text, *row) for row in ranges):
            return [self.text_of(*row) for row in ranges], False, *self._below(start)
        return self.text_of(start, end)

    def _parts(self, start: int, end: int) -> list[Node]:
        """The items of a list between brackets, of which the closing one may be missing."""
        end = start + len(self._text[start:end].removesuffix("]"))
        ranges = [self._strip(*match.span()) for match in _PART.finditer(self._text, start, end)]
        return [self.text_of(*row) for row in ranges if row[0] < row[1]]

    def _items(self, rows: list[Range]) -> list[Node]:
        """The items of a list of lines; a line without `-` runs on from the one above."""
        ranges: list[Range] = []
        for start, end in rows:
            if self._text[start] != "-":
                ranges[-1] = ranges[-1][0], end
                continue
            if start + 1 < end and self._text[start + 1] not in " \t":
                self._tight.append(start)
            ranges.append((start + 1, end))
        return [self.text_of(*row) for row in ranges]

    def _pairs(self, matches: list[re.Match[str] | None], rows: list[Range]) -> dict[str, Node]:
        pairs: dict[str, Node] = {}
        for match, (_, end) in zip(matches, rows, strict=True):
            if match:
                pairs.setdefault(match[1].strip(), self.text_of(match.end(), end))
        return pairs

    def text_of(self, start: int, end: int) -> Node:
        """A text without the quotes around it or the comment behind it."""
        start, end = self._strip(start, end)
        place = self._below(start)
        source = " ".join(self._text[start:end].split("\n"))
        quote = source[:1]
        if quote and quote in "\"'":
            closed = len(source) > 1 and source[-1] == quote
            inner = source[1:-1] if closed else source[1:]
            if quote not in inner:
                return inner, True, *place
        source = _COMMENT.split(source, maxsplit=1)[0].rstrip()
        return source, False, *place

    def _below(self, at: int) -> tuple[int, int]:
        line, column = self._lines.place(at)
        return line - self._line, column

    def _strip(self, start: int, end: int) -> Range:
        """A range without the space, and in JSON the comma, around it."""
        text = self._text[start:end]
        stripped = text.strip(" \t\n")
        begin = start + len(text) - len(text.lstrip(" \t\n"))
        return begin, begin + len(stripped)
