"""Finds the marks that git leaves where two versions of a page could not be merged."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from wiki_tools.markup import Markup, Problem
from wiki_tools.pages.nodes import Lines

MARKER = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \n]|\Z)[^\n]*", re.MULTILINE)


def find_conflicts(markup: Markup) -> tuple[Problem, ...]:
    """Each conflict marker of the front matter, and of the body outside of fences."""
    text = markup.text
    marked = ("<" in text and "<<<<<<<" in text) or (">" in text and ">>>>>>>" in text)
    if not marked and "=======" not in (markup.frontmatter or ""):
        return ()
    starts = [fence.span.start for fence in markup.fences]
    rows = []
    for match in MARKER.finditer(text):
        before = bisect_right(starts, match.start())
        if not before or markup.fences[before - 1].span.end <= match.start():
            rows.append(match)
    if not rows:
        return ()
    lines = Lines(text, 1)
    found = _in_conflicts(rows, markup.body)
    return tuple(_problem(match, lines.place(match.start())[0]) for match in found)


def _in_conflicts(rows: list[re.Match[str]], body: int) -> Iterator[re.Match[str]]:
    """The rows that are conflict markers: in a body seven `=` may underline a heading.

    There they count between the other two only.
    """
    opened = False
    for row in rows:
        sign = row[0][0]
        if sign in "<>" or opened or row.start() < body:
            yield row
        if sign in "<>":
            opened = sign == "<"


def _problem(match: re.Match[str], line: int) -> Problem:
    return Problem(
        code="conflict-marker",
        line=line,
        column=1,
        message=f"{match[0][:60]!r} is what git leaves of two versions that it could not merge.",
        hint="Keep what is right of both and remove the lines <<<<<<<, ======= and >>>>>>>.",
    )
