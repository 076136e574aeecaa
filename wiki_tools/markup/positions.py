"""Byte offsets of the parser into offsets, lines and columns in code points."""

from bisect import bisect_right
from itertools import accumulate

from wiki_tools.markup.types import Span


class Positions:
    """Line starts of one text, found in one pass, in code points and in UTF-8 bytes."""

    __slots__ = ("_byte_starts", "_bytes", "_starts")

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._bytes = b"" if text.isascii() else text.encode()
        self._byte_starts = self._starts
        if self._bytes:
            rows = self._bytes.split(b"\n")
            self._byte_starts = [0, *accumulate(len(row) + 1 for row in rows)]

    def offset(self, byte: int) -> int:
        """The code point that begins at a byte."""
        if not self._bytes:
            return byte
        row = bisect_right(self._byte_starts, byte) - 1
        start = self._byte_starts[row]
        return self._starts[row] + len(self._bytes[start:byte].decode("utf-8", "replace"))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, 1-based, of a code point."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two code points."""
        line, column = self.place(start)
        return Span(start=start, end=end, line=line, column=column)

    def span_of_bytes(self, start: int, end: int) -> Span:
        """The span between two bytes."""
        return self.span(self.offset(start), self.offset(end))
