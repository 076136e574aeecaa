"""Byte offsets of the parser into offsets, lines and columns in code points."""

from bisect import bisect_right
from collections.abc import Iterable
from io import BytesIO, StringIO
from itertools import accumulate

from wiki_tools.markup.types import Span


class Positions:
    """Line starts of one text, found in one pass, in code points and in UTF-8 bytes."""

    __slots__ = ("_byte_starts", "_bytes", "_starts")

    def __init__(self, text: str) -> None:
        whole = text.endswith("\n")
        self._starts = _starts(StringIO(text), whole)
        self._bytes = b"" if text.isascii() else text.encode()
        self._byte_starts = _starts(BytesIO(self._bytes), whole) if self._bytes else self._starts

    def offset(self, byte: int) -> int:
        """The code point that begins at a byte."""
        if not self._bytes:
            return byte
        row = bisect_right(self._byte_starts, byte) - 1
        start = self._byte_starts[row]
        return self._starts[row] + len(self._bytes[start:byte].decode("utf-8", "replace"))

    def byte(self, offset: int) -> int:
        """The byte at which a code point begins."""
        if not self._bytes:
            return offset
        row = bisect_right(self._starts, offset) - 1
        start, ahead = self._byte_starts[row], offset - self._starts[row]
        line = self._bytes[start : start + 4 * ahead].decode("utf-8", "ignore")
        return start + len(line[:ahead].encode())

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, 1-based, of a code point."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two code points."""
        line = bisect_right(self._starts, start)
        return Span(start=start, end=end, line=line, column=start - self._starts[line - 1] + 1)

    def span_of_bytes(self, start: int, end: int) -> Span:
        """The span between two bytes."""
        if not self._bytes:
            return self.span(start, end)
        row = bisect_right(self._byte_starts, start)
        byte, first = self._byte_starts[row - 1], self._starts[row - 1]
        at = first + len(self._bytes[byte:start].decode("utf-8", "replace"))
        if row < len(self._byte_starts) and end > self._byte_starts[row]:
            stop = self.offset(end)
        else:  # within the line
            stop = at + len(self._bytes[start:end].decode("utf-8", "replace"))
        return Span(start=at, end=stop, line=row, column=at - first + 1)


def _starts(lines: Iterable[str] | Iterable[bytes], whole: bool) -> list[int]:
    """Where each line begins; only a line break that ends the text begins another line."""
    starts = [0, *accumulate(map(len, lines))]
    if not whole and len(starts) > 1:
        starts.pop()
    return starts
