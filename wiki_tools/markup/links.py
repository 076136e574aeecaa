"""Links as a page has them, in all their forms."""

import re
from urllib.parse import unquote

from wiki_tools.markup.types import Link, Span

WIKILINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]")
_SPACES = " \t\n\r\f\v\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, [*range(0x2000, 0x2010), 0x2060, 0xFEFF])
)
"""White space, and what takes no space at all: it comes along when a name is copied."""
_new = tuple.__new__
_FILE = re.compile(r"\.(?!html?\Z)\w{1,8}\Z")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//")


def has_hole(text: str) -> bool:
    """Whether a text has a place that a template fills in: `{{date}}`, `<% tp.file.title %>`."""
    return "{{" in text or "<%" in text


def read_wikilink(text: str, span: Span) -> Link | None:
    """Read `[[target#heading|display]]` or `![[...]]`; None where that is no link after all.

    A name holds no square brackets and no line break: `[[1, 2], [3, 4]]` is a matrix.
    """
    form, inner = ("embed", text[3:-2]) if text[0] == "!" else ("wikilink", text[2:-2])
    heading = display = ""
    if "|" in inner:
        inner, _, display = inner.partition("|")
        inner = inner.removesuffix("\\")
        display = display.strip()
        if "\n" in display:
            display = " ".join(display.split())
    if "[" in inner or "]" in inner or "\n" in inner:
        return None
    if has_hole(inner):
        return None
    if "#" in inner:
        inner, _, heading = inner.partition("#")
        heading = heading.strip(_SPACES)
    target = inner.strip(_SPACES)
    if not target and not heading:
        return None
    return _new(Link, (form, target, heading, text, display, span))  # `Link(...)` takes 1.5 times


def read_markdown(text: str, span: Span, destination: str, display: str) -> Link | None:
    """Read `[display](destination)`; None where it leads out of the wiki."""
    if not destination or _EXTERNAL.match(destination):
        return None
    path, _, heading = destination.partition("#")
    target = unquote(path.partition("?")[0], errors="replace")
    if (not target and not heading) or has_hole(destination):
        return None
    return Link("markdown", target, unquote(heading, errors="replace"), text, display, span)


def read_address(text: str, span: Span, address: str) -> Link | None:
    """Read the address of a raw HTML tag; None where it names no file of the wiki.

    What begins at the site's root, has no ending or ends in `.html` is an address of a built site.
    """
    if "&" in address:
        import html  # 4 ms, for what is rare

        address = html.unescape(address)
    link = None if address.startswith("/") else read_markdown(text, span, address.strip(), "")
    if link is None or not _FILE.search(link.target):
        return None
    return link._replace(form="html", heading="")
