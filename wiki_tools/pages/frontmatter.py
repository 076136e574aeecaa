"""Types the front matter, each wrong value a problem at its own line and column."""

import datetime
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import yaml

from wiki_tools.errors import nearest
from wiki_tools.markup import Problem
from wiki_tools.pages.matter import LARGEST, Entry, compose_entries, plain, source_text
from wiki_tools.pages.types import Frontmatter

FIRST_LINE = 2
"""The front matter's first line, below the opening `---`."""


Convert = Callable[[yaml.Node, str], Any]
"""Reads a value; raises ValueError where it is of the wrong kind."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def _text(node: yaml.Node, source: str) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "" if not node.style and node.value in ("~", "null") else node.value
    linked = source_text(node, source)
    if linked.startswith("[["):
        return linked
    raise ValueError


def _names(node: yaml.Node, source: str) -> tuple[str, ...]:
    if isinstance(node, yaml.SequenceNode) and not source_text(node, source).startswith("[["):
        texts = (_item(item, source) for item in node.value)
        return tuple(text for text in texts if text)
    return tuple(text for text in (_text(node, source),) if text)


def _item(node: yaml.Node, source: str) -> str:
    """An item keeps its text, `null` included: a page may bear that name."""
    if isinstance(node, yaml.ScalarNode):
        return "" if not node.style and node.value == "~" else node.value
    return _text(node, source)


def _tags(node: yaml.Node, source: str) -> tuple[str, ...]:
    if isinstance(node, yaml.ScalarNode):
        return tuple(word.strip() for word in _text(node, source).split(",") if word.strip())
    return _names(node, source)


def _word(*words: str) -> Convert:
    """One of a few words."""

    def convert(node: yaml.Node, source: str) -> str:
        text = _text(node, source)
        if text and text not in words:
            raise ValueError
        return text

    return convert


def _share(node: yaml.Node, source: str) -> float | None:
    """A number from 0 to 1."""
    text = _text(node, source)
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or not 0 <= float(text) <= 1:
        raise ValueError
    return float(text)


def _date(node: yaml.Node, source: str) -> datetime.date | None:
    text = _text(node, source)
    match = re.match(r"(\d{4}-\d\d?-\d\d?)(?:[T\s].*)?$", text)
    if match:
        return datetime.date(*map(int, match[1].split("-")))
    if text:
        raise ValueError
    return None


def _map(node: yaml.Node, source: str) -> dict[str, Any]:
    if isinstance(node, yaml.MappingNode):
        value = plain(node)
        return value if isinstance(value, dict) else {}
    if _text(node, source):
        raise ValueError
    return {}


FIELDS: dict[str, tuple[Convert, str]] = {
    "id": (_text, "a text"),
    "title": (_text, "a text"),
    "category": (_text, "a path such as 10_Wiki/Topics"),
    "status": (
        _word("draft", "review", "verified", "deprecated"),
        "draft, review, verified or deprecated",
    ),
    "canonical_id": (_text, "self or the id of a page"),
    "aliases": (_names, "a list of names"),
    "duplicate_of": (_text, "none or the id of a page"),
    "source_trust_level": (_word("A", "B", "C", "D"), "A, B, C or D"),
    "confidence_score": (_share, "a number from 0 to 1"),
    "verification_status": (
        _word("pending", "applied", "conceptual", "failed"),
        "pending, applied, conceptual or failed",
    ),
    "tags": (_tags, "a list of words"),
    "raw_sources": (_names, "a list of URLs or links"),
    "last_reinforced": (_date, "a date such as 2026-05-10"),
    "github_commit": (_text, "pending or a commit"),
    "tech_stack": (_map, "a map such as { language: python, framework: pytorch }"),
}
"""Key to how its value is read, and what is expected of it, in words."""

_OTHER: tuple[Convert, str] = (lambda node, _: plain(node), f"at most {LARGEST} values")


def read_frontmatter(
    text: str | None,
) -> tuple[Frontmatter, dict[str, tuple[int, int]], tuple[Problem, ...]]:
    """Type a front matter's YAML.

    Returns the typed values, the place of each key and list item, and what is wrong. A wrong
    value is left at its default, and what is no YAML is recovered key by key.
    """
    if not text or text.isspace():
        return Frontmatter(), {}, ()
    entries, problems = compose_entries(text, FIRST_LINE)
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for entry in entries.values():
        problems += _misspelt(entry, entries)
        try:
            value = FIELDS.get(entry.key, _OTHER)[0](entry.node, text)
        except ValueError:
            problems.append(_wrong(entry, text))
            continue
        if entry.key not in FIELDS:
            extra[entry.key] = value
        elif value != "":
            known[entry.key] = value
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return Frontmatter(**known, extra=extra), _places(entries), tuple(problems)


def _places(entries: dict[str, Entry]) -> dict[str, tuple[int, int]]:
    places = {key: (entry.line, entry.column) for key, entry in entries.items()}
    for key, entry in entries.items():
        if isinstance(entry.node, yaml.SequenceNode):
            for index, item in enumerate(entry.node.value):
                mark = item.start_mark
                line = entry.value_line + mark.line - entry.node.start_mark.line
                places.setdefault(f"{key}[{index}]", (line, mark.column + 1))
    return places


def _wrong(entry: Entry, text: str) -> Problem:
    expected = FIELDS.get(entry.key, _OTHER)[1]
    shown = " ".join(source_text(entry.node, text).split())
    near = None
    if isinstance(entry.node, yaml.ScalarNode):
        near = nearest(entry.node.value, re.split(r", | or ", expected))
    hint = f"Did you mean {near!r}?" if near else "Until then the key counts as absent."
    return Problem(
        code="frontmatter-value",
        line=entry.value_line,
        column=entry.value_column,
        message=f"{entry.key} is {shown[:60]!r}; {expected} was expected.",
        hint=hint,
    )


def _misspelt(entry: Entry, present: dict[str, Entry]) -> list[Problem]:
    """A warning for an unknown key that is within edit distance 2 of a known one."""
    near = None if entry.key in FIELDS else _near(entry.key)
    if not near or near in present:
        return []
    return [
        Problem(
            code="unknown-key",
            line=entry.line,
            column=entry.column,
            message=f"{entry.key!r} is no key that the wiki knows.",
            hint=f"Did you mean {near!r}?",
            severity="warning",
        )
    ]


@lru_cache(maxsize=1024)
def _near(key: str) -> str | None:
    """The known key within two letters, or one where it has but two itself."""
    from rapidfuzz.distance import OSA

    rows = ((OSA.distance(key.casefold(), known, score_cutoff=2), known) for known in FIELDS)
    near = sorted((d, known) for d, known in rows if d <= min(2, len(known) // 2))
    return near[0][1] if near else None
