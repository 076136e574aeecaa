"""The sentence that a link stands in, for backlinks."""

import functools
import re
from bisect import bisect_right

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


def sentence_around(page: Page, link: Link) -> str:
    """The sentence that a link of the page stands in, as plain text.

    A bullet's whole text counts as one sentence where it has no full stop; a sentence of more
    than 300 characters is cut around the link.
    """
    text = page.markup.text
    start, end = _block(page, link)
    for match in _END.finditer(text, start, end):
        if match.end() <= link.span.start:
            start = match.end()
        elif match.start() >= link.span.end:
            end = match.start()
            break
    return _plain(text, max(start, link.span.start - _LONGEST), min(end, link.span.end + _LONGEST))


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


def _plain(text: str, start: int, end: int) -> str:
    part = _WIKILINK.sub(lambda match: (match[2] or match[1]).strip(), text[start:end])
    part = _EMPHASIS.sub(r"\1", _MARKS.sub("", _LINK.sub(r"\1", part)))
    return " ".join(part.strip("# \t\n").split())
