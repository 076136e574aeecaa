"""Splits the front matter from a page's text, and says what is wrong with its fences."""

import re

from wiki_tools.markup.types import Problem

_OPENING = re.compile(r"(?:<{7}(?: [^\n]*)?\n)?---[ \t]*(?:\n|\Z)")
"""The first line, or the second where a conflict begins above it."""
_CLOSING = re.compile(r"\n((?:---|\.\.\.)[ \t]*)$", re.MULTILINE)
"""From the end of the line above on, which is found six times as fast as a line's beginning."""
_KEY = re.compile(r"[^\s#:\-\[{][^:\n]*:(?:[ \t]|\n|$)")
_STOP = re.compile(
    r"""^(?:[ \t]*$|\#
    |(?P<almost>[ \t]*--[ \t]*$|[ \t]*-{4,}[ \t]*$|[ \t]+---[ \t]*$|[—–]+-?[ \t]*$))""",
    re.MULTILINE | re.VERBOSE,
)
"""Where a block ends that is never closed: a blank line, a heading, or what was meant as `---`."""
_NO_PROSE = re.compile(r"""[\s\-\[\]{}"']|<{7}|={7}|>{7}|\|{7}|[^\n]*?:(?:[ \t]|$)""", re.MULTILINE)
"""How lines of YAML begin, be it broken."""
_LONE = re.compile("[\ud800-\udfff]")


def clean_text(text: str, *, decoded: bool = False) -> str:
    """Drop a byte-order mark, make line endings one kind and lone surrogates U+FFFD.

    What was `decoded` from bytes has none of those.
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if decoded:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE.sub("\ufffd", text)
    return text


def split_matter(text: str) -> tuple[str | None, int, tuple[Problem, ...]]:
    """Find the YAML between the `---` lines, the offset behind it, and what is wrong.

    A block that is never closed is taken to end at the first blank line or heading.
    A page that opens with a thematic break has no front matter.
    """
    opening = _OPENING.match(text)
    if not opening:
        return None, 0, ()
    start = opening.end()
    closing = _CLOSING.search(text, start - 1)
    key = _KEY.match(text, start)
    prose = _find_prose(text, start, closing.start(1)) if closing and key else -1
    if prose >= 0:  # the closing line is a thematic break of the body
        return text[start:prose], prose, (_unclosed(),)
    if closing:
        return text[start : closing.start(1)], min(closing.end() + 1, len(text)), ()
    if not key:
        return None, 0, ()
    stop = _STOP.search(text, start)
    if stop and stop["almost"]:
        row = text.count("\n", 0, stop.start()) + 1
        hint = f"Line {row} reads {stop['almost']!r}; write ---."
        return text[start : stop.start()], min(stop.end() + 1, len(text)), (_unclosed(hint),)
    end = stop.start() if stop else len(text)
    return text[start:end], end, (_unclosed(),)


def _find_prose(text: str, start: int, end: int) -> int:
    """The blank line, and headings, behind which prose begins; -1 where all may be YAML."""
    if text.find("\n\n", start, end) < 0:
        return -1
    blank, headed, above = -1, False, ""
    for row in text[start:end].split("\n"):
        if not row.strip():
            blank = start if blank < 0 else blank
        elif row[0] == "#":
            headed = headed or blank >= 0
        else:
            bullet = headed and row.startswith("- ") and above[-1:] != ":" and above[:1] not in " -"
            if blank >= 0 and (bullet or not _NO_PROSE.match(row)):
                return blank
            blank, headed, above = -1, False, row.rstrip()
        start += len(row) + 1
    return -1


def _unclosed(hint: str = "Add a line --- below its last key.") -> Problem:
    return Problem(
        code="unclosed-frontmatter",
        line=1,
        column=1,
        message="The front matter opens with --- and is never closed.",
        hint=hint,
    )


def find_nul(text: str) -> tuple[Problem, ...]:
    """A NUL byte, which editors, git and YAML refuse; said once, at the first."""
    if "\0" not in text:
        return ()
    at = text.index("\0")
    line = text.count("\n", 0, at) + 1
    return (
        Problem(
            code="nul-byte",
            line=line,
            column=at - text.rfind("\n", 0, at),
            message=f"The file holds {text.count(chr(0))} NUL byte(s).",
            hint="Save it as UTF-8 text; a UTF-16 file reads like this.",
        ),
    )
