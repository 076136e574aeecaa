"""Links as a page has them, in all their forms."""

import re
from urllib.parse import unquote

from wiki_tools.markup.types import Link, Span

WIKILINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//")


def read_wikilink(text: str, span: Span) -> Link | None:
    """Read `[[target#heading|display]]` or `![[...]]`; None where that is no link after all.

    A name holds no square brackets and no line break: `[[1, 2], [3, 4]]` is a matrix.
    """
    form = "embed" if text[0] == "!" else "wikilink"
    inner = text[3:-2] if form == "embed" else text[2:-2]
    name, _, display = inner.partition("|")
    name = name.removesuffix("\\").strip()
    if not name or "\n" in name or "[" in name or "]" in name:
        return None
    target, _, heading = name.partition("#")
    return Link(
        form=form,
        target=target.strip(),
        heading=heading.strip(),
        text=text,
        display=display.strip(),
        span=span,
    )


def read_markdown(destination: str, text: str, display: str, span: Span) -> Link | None:
    """Read `[display](destination)`; None where it leads out of the wiki."""
    if not destination or _EXTERNAL.match(destination):
        return None
    path, _, heading = destination.partition("#")
    target = unquote(path.partition("?")[0], errors="replace")
    if not target and not heading:
        return None
    return Link(
        form="markdown",
        target=target,
        heading=unquote(heading, errors="replace"),
        text=text,
        display=display,
        span=span,
    )
