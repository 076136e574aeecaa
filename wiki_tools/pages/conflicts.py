"""Finds the marks that git leaves where two versions of a page could not be merged."""

import re
from collections.abc import Iterator

from wiki_tools.markup import Markup, Problem

MARKER = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \n]|\Z)[^\n]*", re.MULTILINE)


def find_conflicts(markup: Markup) -> tuple[Problem, ...]:
    """Each conflict marker of the front matter, and of the body outside of fences."""
    text = markup.text
    if "<<<<<<<" not in text and ">>>>>>>" not in text and "=======" not in text:
        return ()
    fences = [(fence.span.start, fence.span.end) for fence in markup.fences]
    rows = [
        match
        for match in MARKER.finditer(text)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    return tuple(_problem(text, match) for match in _in_conflicts(rows, markup.body))


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


def _problem(text: str, match: re.Match[str]) -> Problem:
    return Problem(
        code="conflict-marker",
        line=text.count("\n", 0, match.start()) + 1,
        column=1,
        message=f"{match[0][:60]!r} is what git leaves of two versions that it could not merge.",
        hint="Keep what is right of both and remove the lines <<<<<<<, ======= and >>>>>>>.",
    )
