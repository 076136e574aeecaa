"""The sentence that a link stands in, for backlinks."""

import functools
import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from wiki_tools.markup import Link, Markup, find_prose
from wiki_tools.pages import Page

_END = re.compile(r"(?<=[.!?。！？])[\"'”’)]*\s+")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]*?)\\?(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(
    r"\*\*|__|~~|`|^[ \t]*(?:>[ \t]*)+|\[![\w-]+\][+-]?|<[^<>\n]*>|\s\^[\w-]+$", re.MULTILINE
)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=\S)\*(?![\w*])")
_LONGEST = 300
_HERE = "\0"
"""Stands in the place of the link until the markup around it is off."""


class Sentence(NamedTuple):
    """A sentence as plain text, in three parts that make it up when joined."""

    before: str
    link: str
    """The words of the link itself, which may stand in the sentence more than once."""
    after: str


def sentence_around(page: Page, link: Link) -> str:
    """The sentence that a link of the page stands in, as plain text.

    A bullet's whole text counts as one sentence where it has no full stop; a sentence of more
    than 300 characters is cut around the link.
    """
    return "".join(split_sentence(page, link, {}))


def split_sentence(page: Page, link: Link, names: Mapping[str, str]) -> Sentence:
    """The same in parts; `names` has what a reader sees of a link by how it is written."""
    text = page.markup.text
    start, end = _block(page, link)
    for match in _END.finditer(text, start, end):
        if match.end() <= link.span.start:
            start = match.end()
        elif match.start() >= link.span.end:
            end = match.start()
            break
    before = text[max(start, link.span.start - _LONGEST) : link.span.start]
    after = text[link.span.end : min(end, link.span.end + _LONGEST)]
    whole = _plain(before.replace(_HERE, "") + _HERE + after, names)
    before, _, after = whole.partition(_HERE)
    return Sentence(before=before, link=_plain(link.text, names), after=after)


def _block(page: Page, link: Link) -> tuple[int, int]:
    text = page.markup.text
    blocks = _blocks(text, page.markup.body)
    index = bisect_right(blocks, (link.span.start, len(text))) - 1
    if index >= 0 and link.span.end <= blocks[index][1]:
        return blocks[index]
    end = text.find("\n", link.span.end)
    return text.rfind("\n", 0, link.span.start) + 1, len(text) if end < 0 else end


@functools.lru_cache(maxsize=512)
def _blocks(text: str, body: int) -> tuple[tuple[int, int], ...]:
    """Where the blocks of a text are; remembered, since its links are asked for one by one."""
    markup = Markup(text=text, body=body, frontmatter=None)
    return tuple((span.start, span.end) for span in find_prose(markup))


def _plain(part: str, names: Mapping[str, str]) -> str:
    part = _WIKILINK.sub(lambda m: names.get(m[0]) or (m[2] or m[1]).strip(), part)
    part = _EMPHASIS.sub(r"\1", _MARKS.sub("", _LINK.sub(r"\1", part)))
    return " ".join(part.strip("# \t\n").split())
