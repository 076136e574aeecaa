"""The keys that the wiki knows: how each value is read, what is expected, and its schema."""

import datetime
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from wiki_tools.pages.nodes import LARGEST, Node, plain

Read = Callable[[Node], Any]
"""Reads a value; raises ValueError where it is of the wrong kind."""

_NOTHING = {"", "~", "null", "Null", "NULL"}
_SHARE = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_QUOTED_SHARE = r"(0(\.[0-9]*)?|\.[0-9]+|1(\.0*)?)"
_DATE = re.compile(r"([0-9]{4}-[0-9][0-9]?-[0-9][0-9]?)(?:[T ].*)?")
_DAYS = (
    r"(?!0000)([0-9]{4}-(0?[13578]|1[02])-(0?[1-9]|[12][0-9]|3[01])"
    r"|[0-9]{4}-(0?[469]|11)-(0?[1-9]|[12][0-9]|30)"
    r"|[0-9]{4}-0?2-(0?[1-9]|1[0-9]|2[0-8])"
    r"|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-0?2-29)([T ].*)?"
)
"""A day that the calendar has, with or without a time."""


class WrongItemsError(ValueError):
    """Items of a list are of the wrong kind; the others are its value."""

    def __init__(self, value: tuple[str, ...], wrong: list[Node]) -> None:
        super().__init__()
        self.value = value
        self.wrong = wrong


class Field(NamedTuple):
    """A known key."""

    read: Read
    expected: str
    """What is expected of its value, in words."""
    about: str
    schema: dict[str, Any]


def _text(node: Node) -> str:
    content, quoted, _, _ = node
    if content.__class__ is not str:
        raise ValueError
    return "" if not quoted and content in _NOTHING else content


def item_text(node: Node) -> str:
    """An item keeps its text, `null` included: a page may bear that name."""
    content, quoted, _, _ = node
    if content.__class__ is not str:
        raise ValueError
    return "" if not quoted and content == "~" else content


def _names(node: Node) -> tuple[str, ...]:
    content = node[0]
    if not isinstance(content, list):
        return tuple(text for text in (_text(node),) if text)
    try:
        return tuple([text for item in content if (text := item_text(item))])
    except ValueError:
        wrong = [item for item in content if not isinstance(item[0], str)]
        kept = [item for item in content if isinstance(item[0], str)]
        raise WrongItemsError(_names((kept, False, *node[2:])), wrong) from None


def split_names(text: str) -> tuple[str, ...]:
    """The names in a text without quotes: commas part them, as in Obsidian and Foam."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _aliases(node: Node) -> tuple[str, ...]:
    content, quoted, _, _ = node
    if content.__class__ is str and not quoted:
        return split_names(_text(node))
    return _names(node)


def _tags(node: Node) -> tuple[str, ...]:
    if isinstance(node[0], str):
        words = _text(node).split(",")
        return tuple(word for part in words if (word := part.strip().removeprefix("#")))
    try:
        return tuple([name.removeprefix("#") or name for name in _names(node)])
    except WrongItemsError as error:
        value = tuple(name.removeprefix("#") or name for name in error.value)
        raise WrongItemsError(value, error.wrong) from None


def _share(node: Node) -> float | None:
    text = _text(node)
    if not text:
        return None
    if not (re.fullmatch(_QUOTED_SHARE, text) if node[1] else _SHARE.fullmatch(text)):
        raise ValueError
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def _date(node: Node) -> datetime.date | None:
    text = _text(node)
    if not text:
        return None
    if len(text) == 10 and text[7] == "-" and text.isascii():
        return datetime.date.fromisoformat(text)
    match = _DATE.fullmatch(text)
    if not match:
        raise ValueError
    return datetime.date(*map(int, match[1].split("-")))


def _flag(node: Node) -> bool:
    text = _text(node)
    if text.casefold() not in ("", "true", "false"):
        raise ValueError
    return text.casefold() == "true"


def _map(node: Node) -> dict[str, Any]:
    if isinstance(node[0], dict):
        value: dict[str, Any] = plain(node)
        return value
    if _text(node):
        raise ValueError
    return {}


_TEXT: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
_NAMES: dict[str, Any] = {"type": [*_TEXT["type"], "array"], "items": _TEXT}


def _free(expected: str, about: str) -> Field:
    return Field(_text, expected, about, _TEXT)


def _list(expected: str, about: str) -> Field:
    return Field(_names, expected, about, _NAMES)


def _choice(*words: str, about: str) -> Field:
    known = {*words, ""}

    def read(node: Node) -> str:
        text = _text(node)
        if text not in known:
            raise ValueError
        return text

    expected = f"{', '.join(words[:-1])} or {words[-1]}"
    return Field(read, expected, about, {"enum": [*words, "", None]})


FIELDS: dict[str, Field] = {
    "id": _free("a text", "The page's own name, unique; translations share it."),
    "title": _free("a text", "The page's title; else its first # heading, else the file's name."),
    "category": _free("a path such as 10_Wiki/Topics", "A path that the page lies at or below."),
    "status": _choice(
        "draft", "review", "verified", "deprecated", about="What the page's author declares."
    ),
    "canonical_id": _free("self or the id of a page", "`self`, or the id of the page to read."),
    "aliases": Field(
        _aliases, "a list of names", "Other names of the page, which links may use.", _NAMES
    ),
    "duplicate_of": _free("none or the id of a page", "`none`, or the id of the page to read."),
    "source_trust_level": _choice("A", "B", "C", "D", about="How far its sources are trusted."),
    "confidence_score": Field(
        _share,
        "a number from 0 to 1",
        "How sure the page's author is.",
        {
            "type": ["number", "string", "null"],
            "minimum": 0,
            "maximum": 1,
            "pattern": f"^(|{_QUOTED_SHARE})$",
        },
    ),
    "verification_status": _choice(
        "pending", "applied", "conceptual", "failed", about="How far its patterns were tried."
    ),
    "tags": Field(_tags, "a list of words", "Words that the page is found by.", _NAMES),
    "raw_sources": _list("a list of URLs or links", "What the page was made from."),
    "last_reinforced": Field(
        _date,
        "a date such as 2026-05-10",
        "When the page was last read again; long ago means that it is aged.",
        {"type": ["string", "null"], "pattern": f"^(|{_DAYS})$"},
    ),
    "github_commit": _free("pending or a commit", "`pending`, or the commit that was measured."),
    "tech_stack": Field(
        _map,
        "a map such as { language: python, framework: pytorch }",
        "What the page's code is written in: `language`, `framework`.",
        {"type": ["object", "string", "null"], "maxLength": 0},
    ),
    "lab": Field(
        _flag,
        "true or false",
        "Whether the page is read as a notebook: what its code prints and draws stands below it.",
        {"enum": [True, False, "true", "false", "", None]},
    ),
}
"""The keys of a front matter, in the order in which a page has them."""

OWN = frozenset(
    {
        "canonical_id",
        "duplicate_of",
        "source_trust_level",
        "confidence_score",
        "verification_status",
        "last_reinforced",
        "github_commit",
    }
)
"""Keys that no other tool gives: a page without any may mean its own by `status: read`."""

_OTHERS = {"alias": "aliases", "aliases": "aliases", "tag": "tags", "tags": "tags"}


def known_name(key: str) -> str:
    """The known key that a key is: `alias`, `Tag` and the like as in Obsidian, else itself."""
    return _OTHERS.get(key.casefold(), key)


OTHER = Field(plain, f"at most {LARGEST} values", "", {})
"""A key that the wiki does not know: its value is kept."""
