"""Finds the links in a front matter's values."""

import json
import re
from collections.abc import Iterator, Mapping

from wiki_tools.markup import WIKILINK, Link, Span, read_wikilink
from wiki_tools.pages.nodes import Lines

NAMES = frozenset({"id", "title", "aliases", "tags"})
"""Keys whose values are names, not links."""
_TOKEN = re.compile(
    r"""(?<![^\s\[{,])(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\n]|'')*+')"""  # in quotes
    r"""|(?<!\S)\#[^\n]*"""  # a comment
    rf"""|{WIKILINK.pattern}"""
)


def find_links(
    text: str, places: Mapping[str, tuple[int, int]], first_line: int, base: int
) -> tuple[Link, ...]:
    """The wikilinks in the values of a front matter, in order, `base` code points into the page.

    Args:
        text: the front matter.
        places: where its keys stand.
        first_line: the line of the page that it begins on.
        base: the offset in the page that it begins at.
    """
    if "[[" not in text:
        return ()
    lines = Lines(text, first_line)
    return tuple(_links(text, places, lines, base))


def _links(
    text: str, places: Mapping[str, tuple[int, int]], lines: Lines, base: int
) -> Iterator[Link]:
    keys = sorted((place, key) for key, place in places.items() if not key.endswith("]"))
    starts = [lines.offset(*place) for place, _ in keys]
    ends = [*starts[1:], len(text)][: len(keys)]
    for (_, key), start, end in zip(keys, starts, ends, strict=True):
        if key in NAMES:
            continue
        for token in _TOKEN.finditer(text, start, end):
            if token[0][0] == "#":
                continue
            quote = token[0][0] if token[0][0] in "\"'" else ""
            for match in WIKILINK.finditer(text, *token.span()):
                line, column = lines.place(match.start())
                span = Span(match.start() + base, match.end() + base, line, column)
                link = read_wikilink(_unescaped(match[0], quote), span)
                if link:
                    yield link._replace(text=match[0])


def _unescaped(text: str, quote: str) -> str:
    """A text as the quotes around it mean it."""
    if quote == "'":
        return text.replace("''", "'")
    if quote and "\\" in text:
        try:
            return str(json.loads(f'"{text}"'))
        except ValueError:
            return text
    return text
