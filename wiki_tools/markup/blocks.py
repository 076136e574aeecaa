"""Fences, block ids and comments, read from the source where the parser's events do not say."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from wiki_tools.markup.fences import read_info
from wiki_tools.markup.positions import Positions
from wiki_tools.markup.types import Fence, Problem, Span

Ranges = Sequence[tuple[int, int]]
"""Stretches of the text, `start <= offset < end`, in order and apart."""

_OPENING = re.compile(r"(`{3,}|~{3,})[ \t]*(.*)")
_BLOCK_ID = re.compile(r"\^(?<!\S\^)([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_MARK = re.compile(r"<!--|%%")
_CLOSING = {"<!--": "-->", "%%": "%%"}
_BLANK = re.compile(r"\n[ \t]*\n")


def read_fence(
    text: str, span: Span, code: str, positions: Positions
) -> tuple[Fence, tuple[Problem, ...]]:
    """Read the fenced block at a span whose code, without indentation, is known."""
    source = text[span.start : span.end]
    opening = _OPENING.match(source)
    marks, info = (opening[1], opening[2].rstrip()) if opening else ("", "")
    start = span.start + (opening.start(2) if opening else 0)
    info_span = positions.span(start, start + len(info))
    read = read_info(info, info_span.line, info_span.column)
    problems = read.problems
    closed = _is_closed(source, marks)
    if not closed:
        unclosed = Problem(
            code="unclosed-fence",
            line=span.line,
            column=span.column,
            message=f"The fence that opens with {marks} is never closed.",
            hint=f"Add a line {marks} below its last line of code.",
        )
        problems = (*problems, unclosed)
    fence = Fence(
        language=read.language,
        role=read.role,
        attributes=read.attributes,
        info=info,
        code=code if code.endswith("\n") or not code else code + "\n",
        line=span.line + 1,
        span=span,
        info_span=info_span,
        closed=closed,
    )
    return fence, problems


def _is_closed(source: str, marks: str) -> bool:
    _, newline, last = source.rpartition("\n")
    last = last.strip("> \t")
    return bool(newline and marks) and len(last) >= len(marks) and not last.strip(marks[0])


def holds_comments(text: str, body: int) -> bool:
    """Whether there may be a comment, so that it pays to look."""
    return text.find("%%", body) >= 0 or text.find("<!--", body) >= 0


def find_comments(text: str, body: int, opaque: Ranges) -> list[tuple[int, int]]:
    """`<!-- -->` and `%% %%` outside code and mathematics; inline ones end with their paragraph."""
    found = []
    never_closed: set[str] = set()
    at = body
    while mark := _MARK.search(text, at):
        start = mark.start()
        inside = range_at(start, opaque)
        end = -1
        if not inside and mark[0] not in never_closed:
            end = _comment_end(text, start, mark[0])
            if end >= 0:
                found.append((start, end))
            elif text.find(_CLOSING[mark[0]], mark.end()) < 0:
                never_closed.add(mark[0])
        at = inside[1] if inside else max(end, mark.end())
    return found


def _comment_end(text: str, start: int, mark: str) -> int:
    """Where the comment that begins here ends; -1 where it is none."""
    closing = _CLOSING[mark]
    end = text.find(closing, start + len(mark))
    if end < 0:
        return -1
    opens_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    if mark == "%%" and not opens_line and _BLANK.search(text, start, end):
        return -1
    return end + len(closing)


def find_block_ids(text: str, body: int, is_opaque: Callable[[int], bool]) -> tuple[str, ...]:
    """Ids such as `^b1` at the end of a line outside code and mathematics."""
    if text.find("^", body) < 0:
        return ()
    found = _BLOCK_ID.finditer(text, body)
    return tuple(match[1] for match in found if not is_opaque(match.start(1)))


def range_at(offset: int, ranges: Ranges) -> tuple[int, int] | None:
    """The range that holds an offset."""
    index = bisect_right(ranges, (offset, len(ranges) and ranges[-1][1])) - 1
    if index >= 0 and ranges[index][0] <= offset < ranges[index][1]:
        return ranges[index]
    return None
