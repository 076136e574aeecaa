"""The parser's events, the same dialect of Markdown for all that ask."""

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


def read_events(text: str) -> list[tuple[Any, dict[str, int]]]:
    """Give the events of a text, each with the UTF-8 bytes that it stands at."""
    return pyromark.events_with_range(text, options=_OPTIONS, merge_text=True)  # type: ignore[no-any-return]
