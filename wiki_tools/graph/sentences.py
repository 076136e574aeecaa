"""The sentence that a link stands in, for backlinks."""

import re

from wiki_tools.markup import Link
from wiki_tools.pages import Page

_END = re.compile(r"(?<=[.!?。！？])[\"'”’)]*\s+")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]*?)\\?(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(
    r"\*\*|__|~~|`|^[ \t]*(?:>[ \t]*)+|\[![\w-]+\][+-]?|<[^<>\n]*>|\s\^[\w-]+$", re.MULTILINE
)
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
    for span in page.markup.prose:
        if span.start <= link.span.start and link.span.end <= span.end:
            return span.start, span.end
    text = page.markup.text
    end = text.find("\n", link.span.end)
    return text.rfind("\n", 0, link.span.start) + 1, len(text) if end < 0 else end


def _plain(text: str, start: int, end: int) -> str:
    part = _WIKILINK.sub(lambda match: (match[2] or match[1]).strip(), text[start:end])
    part = _MARKS.sub("", _LINK.sub(r"\1", part))
    return " ".join(part.strip("# \t\n").split())
