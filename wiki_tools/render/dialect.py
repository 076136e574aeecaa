"""CommonMark, which pages are written in, into the Markdown that site generators read.

Python-Markdown wants a blank line before a list or a table and nests by four columns; GitHub and
Obsidian do not. Their callouts (`> [!note]`) are admonitions here.
"""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Any

import pyromark

_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_TASKLISTS
_MARKER = re.compile(rb"([-*+]|\d{1,9}[.)])(?:( {1,4})(?! )|( )|(?=\n|$))")
_CALLOUT = re.compile(r"(\s*)>\s?\[!([\w-]+)\]([+-]?)[ \t]*(.*)")
_KINDS = {
    "important": "info", "caution": "danger", "attention": "warning", "todo": "info",
    "faq": "question", "help": "question", "summary": "abstract", "tldr": "abstract",
    "hint": "tip", "check": "success", "done": "success", "fail": "failure",
    "missing": "failure", "error": "danger", "cite": "quote",
}  # fmt: skip
"""Callouts of GitHub and Obsidian that Material knows by another name."""


def to_dialect(text: str) -> str:
    """Move lists, tables and callouts to where Python-Markdown finds them; the rest stays."""
    lines = text.split("\n")
    plan = _Plan(text)
    for line, (depth, content) in plan.inside.items():
        lines[line] = _shift(lines[line], depth, content)
    for line, depth in plan.markers.items():
        lines[line] = "    " * (depth - 1) + re.sub(r"^(\d+)\)", r"\1.", lines[line].lstrip())
    for first, last in plan.quotes:
        if _callout(lines, first, last):
            plan.blanks |= {line: "" for line in plan.blanks if first < line <= last}
    for line in plan.details:
        lines[line] = re.sub(
            r"<details(?![^>]*\bmarkdown\b)", "<details markdown", lines[line], count=1
        )
    for line, prefix in sorted(plan.blanks.items(), reverse=True):
        lines.insert(line, prefix)
    return "\n".join(lines)


def _shift(line: str, depth: int, content: int) -> str:
    wide = re.sub(r"^\s+", lambda m: m[0].expandtabs(4), line)
    spaces = len(wide) - len(wide.lstrip(" "))
    if not wide.strip() or spaces < content:
        return line
    return "    " * depth + wide[content:]


def _callout(lines: list[str], first: int, last: int) -> bool:
    match = _CALLOUT.fullmatch(lines[first])
    if not match:
        return False
    space, word, fold, title = match.groups()
    kind = _KINDS.get(word.lower(), word.lower())
    opening = {"": "!!!", "+": "???+", "-": "???"}[fold]
    name = title.strip().replace('"', "&quot;") or word.capitalize()
    lines[first] = f'{space}{opening} {kind} "{name}"'
    for index in range(first + 1, last + 1):
        lines[index] = space + "    " + re.sub(r"^\s*> ?", "", lines[index])
    return True


class _Plan:
    """What to do with which line, found in one pass over the parser's events."""

    def __init__(self, text: str) -> None:
        self.inside: dict[int, tuple[int, int]] = {}
        """Line to the depth of its list item and the column where that item's content begins."""
        self.markers: dict[int, int] = {}
        """Line that begins with a list marker to the depth of its item."""
        self.blanks: dict[int, str] = {}
        """Line that needs a blank one before it, and how that one begins."""
        self.quotes: list[tuple[int, int]] = []
        """First and last line of a block quote at the outermost level."""
        self.details: list[int] = []
        """Lines that open a `<details>`, whose content GitHub reads as Markdown."""
        self._data = text.encode("utf-8", "replace")
        self._starts = [0, *accumulate(len(row) + 1 for row in self._data.split(b"\n"))]
        self._read()

    def _line(self, byte: int) -> int:
        return bisect_right(self._starts, byte) - 1

    def _read(self) -> None:
        stack: list[str] = []
        depth = 0
        for event, found in pyromark.events_with_range(
            self._data.decode(), options=_OPTIONS, merge_text=True
        ):
            name, opens = _block(event)
            if name is None:
                continue
            if not opens:
                depth -= name == "Item"
                if stack:
                    stack.pop()
                continue
            quoted = "BlockQuote" in stack
            if name in ("List", "Table") and (not stack or stack[-1] != "Item"):
                self._separate(found["start"])
            if name == "HtmlBlock" and self._data.startswith(b"<details", found["start"]):
                self.details.append(self._line(found["start"]))
            if name == "BlockQuote" and not quoted:
                self.quotes.append((self._line(found["start"]), self._last(found)))
            if name == "Item":
                depth += 1
                if not quoted:
                    self._item(found, depth)
            stack.append(name)

    def _last(self, found: dict[str, int]) -> int:
        trimmed = self._data[found["start"] : found["end"]].rstrip()
        return self._line(found["start"] + max(len(trimmed) - 1, 0))

    def _separate(self, start: int) -> None:
        line = self._line(start)
        prefix = self._data[self._starts[line] : start].decode(errors="replace")
        before = self._data[self._starts[line - 1] : self._starts[line] - 1] if line else b""
        if before.strip(b" \t>") and not prefix.strip(" \t>"):
            self.blanks[line] = prefix.rstrip()

    def _item(self, found: dict[str, int], depth: int) -> None:
        first, last = self._line(found["start"]), self._last(found)
        before = self._data[self._starts[first] : found["start"]]
        marker = _MARKER.match(self._data, found["start"])
        if before.strip() or not marker:
            return
        column = len(before.expandtabs(4))
        content = column + len(marker[1]) + len(marker[2] or b" ")
        self.markers[first] = depth
        self.inside.pop(first, None)
        for line in range(first + 1, last + 1):
            self.inside[line] = (depth, content)


def _block(event: Any) -> tuple[str | None, bool]:
    """The name of the block that an event opens or closes; None for all else."""
    if isinstance(event, dict):
        for kind in ("Start", "End"):
            if kind in event:
                value = event[kind]
                return (value if isinstance(value, str) else next(iter(value))), kind == "Start"
    return None, False
