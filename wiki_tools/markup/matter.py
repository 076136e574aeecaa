"""Splits the front matter from a page's text, and says what is wrong with its fences."""

import re

from wiki_tools.markup.types import Problem

_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"[^\s#:\-\[{][^:\n]*:(?:[ \t]|\n|$)")
_LONE = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Drop a byte-order mark, make line endings one kind and lone surrogates U+FFFD."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
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
    first, _, rest = text.partition("\n")
    if first.rstrip(" \t") != "---" or not text.startswith("---"):
        return None, 0, ()
    start = len(first) + 1
    closing = _CLOSING.search(text, start)
    if closing:
        return text[start : closing.start()], min(closing.end() + 1, len(text)), ()
    if not _KEY.match(rest):
        return None, 0, ()
    stop = re.search(r"^(?:[ \t]*$|#)", rest, re.MULTILINE)
    end = start + (stop.start() if stop else len(rest))
    problem = Problem(
        code="unclosed-frontmatter",
        line=1,
        column=1,
        message="The front matter opens with --- and is never closed.",
        hint="Add a line --- below its last key.",
    )
    return text[start:end], end, (problem,)


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
