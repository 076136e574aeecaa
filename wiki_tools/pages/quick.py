"""Reads a plain line of front matter, which nearly all are, without libyaml.

It knows `key: text`, texts in quotes without escapes, `[a, b]`, `{ a: b }` and `- a`, each with a
comment or without, and gives up on the slightest doubt: then libyaml reads the whole block. Where
it answers, its answer is libyaml's.
"""

import re

from wiki_tools.pages.nodes import Node

_DOUBTFUL = re.compile(
    "[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Tabs, what YAML refuses, and line breaks that only YAML knows."""

_KEY = r"\w[\w\-]*+(?:\ [\w\-]++)*+"
_LONGEST_KEY = 200
"""YAML allows 1,024."""
_FIRST = r"""[^\s\-?:,\[\]{}#&*!|>'"%@`]"""
_QUOTED = r"""(?: "[^"\\\n]*+" | '[^'\n]*+' )"""
_TEXT = rf"(?: {_FIRST} [^:#\n]*+ (?: (?: :(?!\ |\Z) | (?<!\ )\# ) [^:#\n]*+ )*+ )"
_INNER = r"[^:#,?\[\]{}\n]*+"
_FLOW = rf"(?: {_FIRST} {_INNER} (?: (?: :(?=[\w/]) | (?<!\ )\# ) {_INNER} )*+ | {_QUOTED} \ *+ )"
_NEXT = r"(?: ,\ *+ | (?=[\]}]) )"
_LIST = rf"\[ \ *+ (?: {_FLOW} {_NEXT} )*+ \]"
_MAP = rf"\{{ \ *+ (?: {_KEY}:\ ++ {_FLOW} {_NEXT} )*+ \}}"
_COMMENT = r"(?: (?<=\ )\#.*+ )?+"

_LINE = re.compile(
    rf"""({_KEY}): (\ *+)
    (?: (?<=\ ) ({_TEXT} | {_QUOTED} | {_LIST} | {_MAP}) \ *+ {_COMMENT} )?+""",
    re.VERBOSE,
)
_ITEM = re.compile(rf"(\ *+-\ ++) ({_TEXT} | {_QUOTED}) \ *+ {_COMMENT}", re.VERBOSE)
_PART = r"""( "[^"]*+" \ *+ | '[^']*+' \ *+ | [^,]++ ) ,?+"""
_ITEMS = re.compile(rf"(\ *+) {_PART}", re.VERBOSE)
_PAIRS = re.compile(rf"(\ *+) ([^:]++) (:\ ++) {_PART}", re.VERBOSE)
"""What stands between brackets, once `_LINE` has found it to be plain."""


def read_line(row: str) -> tuple[str, Node] | None:
    """Read a plain line: its key, empty for an item of a list, and its value.

    None where only libyaml knows.
    """
    if not row.isprintable() and _DOUBTFUL.search(row):
        return None
    match = _LINE.fullmatch(row)
    if match:
        key, gap, value = match.groups()
        if len(key) > _LONGEST_KEY:
            return None
        if value is None:
            return key, ("", False, 0, len(key) + 2)
        node = _value(value, len(key) + len(gap) + 2)
        return None if node is None else (key, node)
    match = _ITEM.fullmatch(row)
    return ("", _scalar(match[2], len(match[1]) + 1)) if match else None


def _scalar(text: str, column: int) -> Node:
    text = text.rstrip(" ")
    return (text[1:-1], True, 0, column) if text[0] in "\"'" else (text, False, 0, column)


def _value(text: str, column: int) -> Node | None:
    """The value that a line ends with; None where keys of a map are equal."""
    if text[0] == "[":
        return _items(text, column), False, 0, column
    if text[0] != "{":
        return _scalar(text, column)
    pairs = _pairs(text, column)
    return None if pairs is None else (pairs, False, 0, column)


def _pairs(text: str, column: int) -> dict[str, Node] | None:
    """The map between braces; None where two of its keys are equal."""
    pairs: dict[str, Node] = {}
    column += 1
    for before, key, gap, value in _PAIRS.findall(text, 1, len(text) - 1):
        if key in pairs or len(key) > _LONGEST_KEY:
            return None
        column += len(before) + len(key) + len(gap)
        pairs[key] = _scalar(value, column)
        column += len(value) + 1
    return pairs


def _items(text: str, column: int) -> list[Node]:
    """The items of a list between brackets."""
    items: list[Node] = []
    column += 1
    if '"' not in text and "'" not in text:
        for part in text[1:-1].split(","):
            item = part.strip(" ")
            if item:
                items.append((item, False, 0, column + part.index(item)))
            column += len(part) + 1
        return items
    for gap, item in _ITEMS.findall(text, 1, len(text) - 1):
        column += len(gap)
        items.append(_scalar(item, column))
        column += len(item) + 1
    return items
