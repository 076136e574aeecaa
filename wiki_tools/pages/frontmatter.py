"""Types the front matter, each wrong value a problem at its own line and column."""

import json
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from wiki_tools.errors import nearest
from wiki_tools.markup import Problem, has_hole
from wiki_tools.pages.fields import (
    FIELDS,
    OTHER,
    OWN,
    Field,
    WrongItemsError,
    item_text,
    known_name,
)
from wiki_tools.pages.nodes import Node
from wiki_tools.pages.quick import read_line
from wiki_tools.pages.types import Frontmatter

FIRST_LINE = 2
"""The front matter's first line, below the opening `---`."""

Places = dict[str, tuple[int, int]]


Typed = dict[str, tuple[int, int, Node, Any]]
"""Key to its line, its column, its value as it stands there, and that value typed."""

_WRONG = object()
"""The typed value of one that is of the wrong kind."""
_DATE = re.compile(r"([0-9]{4})[./년 ]{1,2}([0-9]{1,2})[./월 ]{1,2}([0-9]{1,2})[.일]?")
_PERCENT = re.compile(r"([0-9]{1,3}) ?%")
_LONGEST_LINE = 1_000


def read_frontmatter(
    text: str | None, first_line: int = FIRST_LINE
) -> tuple[Frontmatter, Places, list[Problem]]:
    """Type a front matter's YAML.

    Returns the typed values, the place of each key and list item, and what is wrong. A wrong
    value is left at its default, and what is no YAML is recovered key by key.
    """
    if not text or text.isspace():
        return Frontmatter(), {}, []
    typed = type_quickly(text, first_line)
    if typed is not None:
        return _assemble(typed, text, first_line, [])
    typed, problems = type_carefully(text, first_line)
    return _assemble(typed, text, first_line, problems)


def find_json(text: str) -> str | None:
    """The JSON that a page opens with, without `---` lines, as front matter of other tools."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return text[:end] if isinstance(value, dict) and value else None


@lru_cache(maxsize=4096)
def _typed_line(row: str) -> tuple[str, Node, Any] | None:
    """A line, typed; lines such as `status: draft` stand on page after page."""
    found = read_line(row)
    if found is None:
        return None
    key, node = found
    return key, node, _typed(key, node) if key else None


def _typed(key: str, node: Node) -> Any:
    try:
        return FIELDS.get(key, OTHER).read(node)
    except ValueError:
        return _WRONG


def type_quickly(text: str, first_line: int) -> Typed | None:
    """Type a front matter of plain lines; None where libyaml must read it."""
    typed: Typed = {}
    lists: dict[str, tuple[int, list[Node]]] = {}
    last = ""
    for line, row in enumerate(text.split("\n"), first_line):
        if not row:
            last = ""
            continue
        if row[0] == "#" and row.isprintable():
            continue
        found = _typed_line(row) if len(row) < _LONGEST_LINE else None
        if found is None:
            return None
        key, node, value = found
        if key:
            if key in typed:
                return None
            typed[key] = line, 1, node, value
            last = key if node[0] == "" and not node[1] else ""
            continue
        if not last:
            return None
        dash = row.index("-")
        indent, items = lists.setdefault(last, (dash, []))
        if dash != indent:
            return None
        content, quoted, _, column = node
        items.append((content, quoted, line - typed[last][0], column))
    for key, (dash, items) in lists.items():
        whole: Node = (items, False, items[0][2], dash + 1)
        typed[key] = typed[key][0], 1, whole, _typed(key, whole)
    return typed


def type_carefully(text: str, first_line: int) -> tuple[Typed, list[Problem]]:
    """Type any front matter by libyaml; of a list's items the wrong ones alone are left out."""
    from wiki_tools.pages.compose import compose_rows  # a vault of plain pages needs no YAML

    rows, problems = compose_rows(text, first_line)
    typed: Typed = {}
    for key, (line, column, node) in rows.items():
        field = FIELDS.get(key, OTHER)
        try:
            value = field.read(node)
        except WrongItemsError as error:
            value = error.value
            problems += [_wrong_item(key, n, line) for n in error.wrong]
        except ValueError:
            value = _WRONG
        typed[key] = line, column, node, value
    return typed, problems


def _assemble(
    typed: Typed, text: str, first_line: int, problems: list[Problem]
) -> tuple[Frontmatter, Places, list[Problem]]:
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    places: Places = {}
    own = not OWN.isdisjoint(typed)
    for written, (line, column, node, found) in typed.items():
        key, field, value = written, FIELDS.get(written), found
        name = known_name(written) if field is None else written
        if name != written and name not in typed and name not in known:
            key, field, value = name, FIELDS[name], _typed(name, node)
        places[written] = places[key] = line, column
        if value is _WRONG:
            wrong = _wrong(written, field or OTHER, node, line, text, first_line)
            if key in ("status", "category") and not own:  # words of its owner's
                wrong = replace(wrong, severity="info")
            problems.append(wrong)
            continue
        if field is None:
            extra[key] = value
            near = _near(key)
            if near and near not in typed:
                problems.append(_misspelt(key, near, line, column))
        elif value != "":
            known[key] = value
        items = node[0]
        if items.__class__ is list:
            if field and len(value) != len(items):
                items = _that_count(items)
            for index, (_, _, down, col) in enumerate(items):
                places.setdefault(f"{key}[{index}]", (line + down, col))
    if problems and has_hole(text):
        problems = _without_holes(problems, text, first_line)
    if len(problems) > 1:
        problems.sort(key=lambda problem: (problem.line, problem.column))
    return Frontmatter(**known, extra=extra), places, problems


def _without_holes(problems: list[Problem], text: str, first_line: int) -> list[Problem]:
    """The problems on lines that are no template's: what it fills in is not there yet."""
    rows = text.split("\n")
    return [row for row in problems if not has_hole(rows[row.line - first_line])]


def _that_count(items: Any) -> Any:
    """The items of a known key's list that are its value: not those without a name."""
    return [item for item in items if isinstance(item[0], str) and item_text(item)]


def _wrong(key: str, field: Field, node: Node, line: int, text: str, first_line: int) -> Problem:
    content, _, down, column = node
    line += down
    row = text.split("\n")[line - first_line]
    shown = row[column - 1 :].strip() or (content if isinstance(content, str) else "nothing")
    near = None
    if isinstance(content, str):
        near = nearest(content, re.split(r", | or ", field.expected))
    return Problem(
        code="frontmatter-value",
        line=line,
        column=column,
        message=f"{key} is {shown[:60]!r}; {field.expected} was expected.",
        hint=f"Did you mean {near!r}?" if near else _rewritten(content, field),
    )


def _rewritten(content: object, field: Field) -> str:
    """The remedy for a value whose meaning is plain though its form is not the expected one."""
    date = _DATE.fullmatch(str(content))
    if date and field is FIELDS["last_reinforced"]:
        year, month, day = map(int, date.groups())
        return f"Write {year:04}-{month:02}-{day:02}."
    share = _PERCENT.fullmatch(str(content))
    if share and field is FIELDS["confidence_score"]:
        return f"Write {int(share[1]) / 100:g}."
    return "Until then the value counts as absent."


def _wrong_item(key: str, node: Node, line: int) -> Problem:
    kind = "list" if isinstance(node[0], list) else "map"
    return Problem(
        code="frontmatter-value",
        line=line + node[2],
        column=node[3],
        message=f"An item of {key} is a {kind}; a text was expected.",
        hint="Put it in quotes; until then it is left out.",
    )


def _misspelt(key: str, near: str, line: int, column: int) -> Problem:
    return Problem(
        code="unknown-key",
        line=line,
        column=column,
        message=f"{key!r} is no key that the wiki knows.",
        hint=f"Did you mean {near!r}?",
        severity="info" if key.casefold() == near else "warning",
    )


@lru_cache(maxsize=1024)
def _near(key: str) -> str | None:
    """The known key within two letters, or fewer where either is short."""
    from rapidfuzz.distance import OSA

    rows = ((OSA.distance(key.casefold(), known, score_cutoff=2), known) for known in FIELDS)
    near = sorted((d, known) for d, known in rows if d <= _slips(key, known))
    return near[0][1] if near else None


def _slips(key: str, known: str) -> int:
    """How many letters may differ: `time` and `state` are words of their own, and so is `uid`."""
    shorter = min(len(key), len(known))
    return 2 if shorter > 5 else int(shorter > 2)
