"""Byte offsets of the parser into offsets, lines and columns in code points."""

from collections.abc import Iterable, Iterator

from wiki_tools.markup.types import Span

_new = tuple.__new__


def places(
    text: str, body: int, first: int, data: bytes, ranges: Iterable[tuple[int, int]]
) -> Iterator[tuple[str, Span]]:
    """Give the text of each range of bytes, without line breaks that end it, and its span.

    Ranges are counted from the offset `body`, on the line `first`, from where on the text is
    `data` in UTF-8. They come in order: a page asks for some twenty of them, and counting from
    one to the next is cheaper than a table of all lines.
    """
    byte, at = 0, body
    line, line_start = first, text.rfind("\n", 0, body) + 1
    for start, end in ranges:
        if start < byte:  # out of order: count again from the beginning
            byte, at = 0, body
            line, line_start = first, text.rfind("\n", 0, body) + 1
        last = at
        at += len(data[byte:start].decode())
        byte = start
        lines = text.count("\n", last, at)
        if lines:
            line += lines
            line_start = text.rfind("\n", last, at) + 1
        source = data[start:end].decode()
        if source[-1:] == "\n":
            source = source.rstrip("\n")
        # `Span(...)` takes twice as long
        yield source, _new(Span, (at, at + len(source), line, at - line_start + 1))
