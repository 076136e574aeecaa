"""The values of a front matter with their places, whichever reader made them."""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Any, TypeAlias

Node: TypeAlias = tuple["str | list[Node] | dict[str, Node]", bool, int, int]
"""A text, list or map; whether it is a text in quotes, never a number, a word such as `true` or
nothing; how many lines below its key it stands, and its column. A plain tuple, since a vault has
300,000 of them, and without its line in the page, since pages share most lines."""

Rows: TypeAlias = dict[str, tuple[int, int, Node]]
"""Key to its line in the page, its column and its value."""

LARGEST = 5_000
"""Values that one key may hold: YAML's aliases can make a few lines exponentially many."""
DEEPEST = 50

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


class Lines:
    """Offsets in a front matter into lines and columns of its page."""

    __slots__ = ("_first", "_starts")

    def __init__(self, text: str, first_line: int) -> None:
        self._first = first_line
        self._starts = [0, *accumulate(len(row) + 1 for row in text.split("\n"))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, 1-based, of an offset."""
        row = bisect_right(self._starts, offset) - 1
        return self._first + row, offset - self._starts[row] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column."""
        return self._starts[line - self._first] + column - 1


def plain(node: Node) -> Any:
    """A value as JSON has it; a text that YAML would change stays as it is written."""
    content, quoted, _, _ = node
    if isinstance(content, list):
        return [plain(item) for item in content]
    if isinstance(content, dict):
        return {key: plain(value) for key, value in content.items()}
    if quoted:
        return content
    if len(content) <= 5 and content.lower() in _WORDS:
        return _WORDS[content.lower()]
    match = _NUMBER.fullmatch(content)
    if not match or len(content) > 15:
        return content
    number = float(content) if match[1] else int(content)
    return number if str(number) == content else content  # 1.10 is a version
