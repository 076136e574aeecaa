"""The parser's events, the same dialect of Markdown for all that ask."""

from collections.abc import Iterator
from typing import Any

import pyromark

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)

Place = dict[str, int]
"""The UTF-8 bytes of an event: `start` and `end`."""


def read_events(text: str) -> Iterator[tuple[Any, Place]]:
    """Give the events of a text, each with its place; text comes in parts, which is faster."""
    return pyromark.events_with_range(text, options=_OPTIONS, merge_text=False)  # type: ignore[no-any-return]
