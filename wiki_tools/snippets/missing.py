"""Says in words what nothing provides, and what an editor can do about it."""

import re
from collections.abc import Iterable

from wiki_tools.snippets.types import Missing

_PLACEHOLDER = re.compile(
    r"(?i)(?:do_)?(?:stuff|something|things?|work|whatever)|(?:your|some|any)_\w+"
    r"|foo|bar|baz|qux|placeholder|todo|xxx+"
)
"""Names that stand for what a reader has, and for nothing of the page."""


def describe_missing(missing: Iterable[Missing]) -> str:
    """Name what nothing provides, each with its line, and say what to do."""
    names = ", ".join(map(_describe, missing))
    return f"nothing provides {names}; define it in a setup fence or in snippets/fixtures/wiki.py"


def _describe(missing: Missing) -> str:
    said = f"line {missing.line}"
    if missing.near:
        said += f", did you mean {missing.near!r}?"
    elif _PLACEHOLDER.fullmatch(missing.name):
        said += ", a placeholder"
    return f"{missing.name} ({said})"
