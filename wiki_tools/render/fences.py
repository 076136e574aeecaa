"""Fences with a bare language and the attributes that every highlighter knows."""

import re

from wiki_tools.markup import Fence
from wiki_tools.render.words import say

_LANGUAGE = re.compile(r"[\w#.+-]+", re.ASCII)
_VALUES = {
    "hl_lines": re.compile(r"\d+(?:-\d+)?(?:[ ,]+\d+(?:-\d+)?)*"),
    "linenums": re.compile(r"\d+"),
}


def fence_text(text: str, fence: Fence, language: str) -> str:
    """Write a fence anew; a role becomes its title, where the author gave none."""
    source = text[fence.span.start : fence.span.end]
    opening, newline, rest = source.partition("\n")
    marks = re.match(r"`+|~+", opening)
    fenced = marks[0] if marks else "```"
    written = fenced + " ".join([_language(fence), *_attributes(fence, language)])
    closing = "" if fence.closed else ("" if rest.endswith("\n") else "\n") + fenced
    return written + newline + rest + closing


def _language(fence: Fence) -> str:
    return fence.language if _LANGUAGE.fullmatch(fence.language) else ""


def _attributes(fence: Fence, language: str) -> list[str]:
    title = fence.attributes.get("title", "")
    if fence.role and not title:
        title = say(language, f"role-{fence.role}")
    found = [f'title="{title.replace(chr(34), chr(39))}"'] if title else []
    for name, form in _VALUES.items():
        value = fence.attributes.get(name, "").replace(",", " ")
        if form.fullmatch(value):
            found.append(f'{name}="{value}"')
    if found and not _language(fence):
        found.insert(0, "text")
    return found
