"""Fences, block ids and comments, read from the source where the parser's events do not say."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from wiki_tools.markup.fences import Info, read_info
from wiki_tools.markup.types import Fence, Problem, Span

Ranges = Sequence[tuple[int, int]]
"""Stretches of the text, `start <= offset < end`, in order and apart."""

_new = tuple.__new__
_MARKS = ("`", "~")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--|%%")
_CLOSING = {"<!--": "-->", "%%": "%%"}
_BLANK = re.compile(r"\n[ \t]*\n")


def read_fence(source: str, span: Span, code: str) -> tuple[Fence, tuple[Problem, ...]]:
    """Read a fenced block from its source, its span, and its code without indentation."""
    opening = source.partition("\n")[0]
    if code and code[-1] != "\n":
        code += "\n"
    marks = _read_opening(opening)[0]
    # its last line is no code: four spaces before the marks, and it is
    closed = source.count("\n") == code.count("\n") + 1 and _is_closed(source, marks)
    fence, problems = make_fence(opening, span, code, closed=closed)
    return fence, problems if closed else (*problems, _unclosed(span, marks))


def make_fence(
    opening: str, span: Span, code: str, *, closed: bool = True
) -> tuple[Fence, tuple[Problem, ...]]:
    """Make a fence of its first line, its span and its code."""
    start, _, line, column = span
    _, ahead, info, read = _read_opening(opening)
    language, role, attributes, problems = read
    at, column = start + ahead, column + ahead
    if problems:
        problems = read_info(info, line, column).problems
    named = _new(Span, (at, at + len(info), line, column))
    row = (language, role, attributes.copy(), info, code, line + 1, span, named, closed)
    return _new(Fence, row), problems  # `Fence(...)` takes 1.5 times as long


@lru_cache(maxsize=1024)
def _read_opening(line: str) -> tuple[str, int, str, Info]:
    """The marks that open a fence, where its info string begins, and the same, read.

    Remembered, since a vault's fences open in few ways.
    """
    mark = line[:1] if line[:1] in _MARKS else ""
    marks = line[: len(line) - len(line.lstrip(mark))] if mark else ""
    info = line[len(marks) :].strip(" \t")
    return marks, line.find(info, len(marks)), info, read_info(info, 1, 1)


def _is_closed(source: str, marks: str) -> bool:
    if source.endswith(f"\n{marks}"):
        return bool(marks)
    last = source[source.rfind("\n") + 1 :].strip("> \t")
    return bool(marks) and last.startswith(marks) and not last.strip(marks[0])


def _unclosed(span: Span, marks: str) -> Problem:
    return Problem(
        code="unclosed-fence",
        line=span.line,
        column=span.column,
        message=f"The fence that opens with {marks} is never closed.",
        hint=f"Add a line {marks} below its last line of code.",
    )


def has_comments(text: str) -> bool:
    """Whether a text may hold comments."""
    # one character is found ten times as fast as two
    return ("%" in text and "%%" in text) or ("<" in text and "<!--" in text)


def find_comments(text: str, body: int, opaque: Ranges) -> list[tuple[int, int]]:
    """`<!-- -->` and `%% %%` outside code, formulas and links; inline ones end with a paragraph."""
    found = []
    never_closed: set[str] = set()
    at = seen = body
    blank = True  # nothing but spaces stands before the mark on its line
    while mark := _COMMENT.search(text, at):
        start = mark.start()
        line = text.rfind("\n", seen, start) + 1
        blank = not text[max(line, seen) : start].strip() and (blank or line > 0)
        inside = range_at(start, opaque)
        end = -1
        if not inside and mark[0] not in never_closed:
            end = _comment_end(text, start, mark[0], opens_line=blank)
            if end >= 0:
                found.append((start, end))
            elif text.find(_CLOSING[mark[0]], mark.end()) < 0:
                never_closed.add(mark[0])
        seen = at = inside[1] if inside else max(end, mark.end())
        blank = False
    return found


def _comment_end(text: str, start: int, mark: str, *, opens_line: bool) -> int:
    """Where the comment that begins here ends; -1 where it is none."""
    closing = _CLOSING[mark]
    end = text.find(closing, start + len(mark))
    if end < 0:
        return -1
    if mark == "%%" and not opens_line and _BLANK.search(text, start, end):
        return -1
    return end + len(closing)


def find_block_ids(
    text: str, body: int, find_opaque: Callable[[Sequence[int]], Collection[int]]
) -> tuple[str, ...]:
    """Ids such as `^b1` at the end of a line, after a space, outside code and mathematics."""
    found: dict[int, str] = {}
    at = text.find("^", body)  # an expression takes ten times as long to find it
    while at >= 0:
        match = _BLOCK_ID.match(text, at) if at == body or text[at - 1].isspace() else None
        if match:
            found[at] = match[1]
        at = text.find("^", at + 1)
    opaque = find_opaque(tuple(found)) if found else ()
    return tuple([name for caret, name in found.items() if caret not in opaque])


def apart(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges in order, without those that begin in another one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def range_at(offset: int, ranges: Ranges) -> tuple[int, int] | None:
    """The range that holds an offset."""
    index = bisect_right(ranges, (offset, len(ranges) and ranges[-1][1])) - 1
    if index >= 0 and ranges[index][0] <= offset < ranges[index][1]:
        return ranges[index]
    return None
