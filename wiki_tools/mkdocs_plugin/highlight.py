"""Colours the code of a site whose mkdocs.yml leaves highlighting to us.

`pymdownx.highlight` makes some thirty elements of each fence while a page is still Markdown, and
all that comes after, the search above all, goes through each of them: a tenth more for a whole
build. Here the search has read the page already, and all cores share the work.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from typing import Any

from wiki_tools.parallel import spread

HIGHLIGHTERS = frozenset(["codehilite", "pymdownx.highlight", "pymdownx.superfences"])
"""Markdown extensions with which mkdocs.yml says how code is coloured."""

Colours = dict[tuple[str, str], str]
"""Language and text of a block, as they stand in HTML, to the block in colour."""

_BLOCK = re.compile(r'<pre><code class="language-([\w#.+-]+)">(.*?)</code></pre>', re.DOTALL)
_MANY = 500
"""Blocks from which on it pays to work on all cores."""


def colour_blocks(contents: Iterable[str]) -> Colours:
    """Colour every block of code of some pages whose language is known."""
    found = dict.fromkeys(
        (match[1], match[2]) for content in contents for match in _BLOCK.finditer(content)
    )
    blocks = list(found)

    def colour(first: int, last: int) -> list[str]:
        return [_coloured(language, code) for language, code in blocks[first:last]]

    coloured = (one for part in spread(colour, len(blocks), least=_MANY) for one in part)
    return {block: one for block, one in zip(blocks, coloured, strict=True) if one}


def put_colours(html: str, colours: Colours) -> str:
    """Put coloured blocks in the place of plain ones."""
    return _BLOCK.sub(lambda match: colours.get((match[1], match[2]), match[0]), html)


def _coloured(language: str, code: str) -> str:
    lexer = _lexer(language)
    if lexer is None:
        return ""
    text = "".join(_spans(lexer.get_tokens(unescape(code))))
    return f'<div class="highlight"><pre><span></span><code>{text}</code></pre></div>'


def _spans(tokens: Iterable[tuple[Any, str]]) -> Iterator[str]:
    from pygments.token import STANDARD_TYPES

    for kind, text in tokens:
        name = "" if text.isspace() else STANDARD_TYPES.get(kind, "")
        written = escape(text, quote=False)
        yield f'<span class="{name}">{written}</span>' if name else written


@functools.cache
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None
