"""Finds where in a page's text a link's target stands, and writes another one there."""

import html
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

import pyromark

from wiki_tools.graph.names import fold, without_extension
from wiki_tools.markup import Link
from wiki_tools.markup.links import read_markdown
from wiki_tools.pages import Page

_OPTIONS = pyromark.Options.ENABLE_WIKILINKS | pyromark.Options.ENABLE_FOOTNOTES
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DESTINATION = re.compile(r"[ \t\n]*(?:<((?:[^<>\n\\]|\\.)*)>|([^\s<][^\s]*))")
_LABEL = re.compile(r"\[(?:[^\]\\]|\\.)*\]:")
_PATH = re.compile(r"[^?#]*")
SAFE = "/~!$'*+,;=@-._"
"""What a percent-encoded path keeps as it is."""
_TRIED, _LONGEST = 20, 4_000
"""What is looked at in one link: more would take quadratic time where a page is made to."""
_BARE_ODD = re.compile(r"[\x00-\x20()<>%#?:&\\\x7f]")
_ANGLED_ODD = re.compile(r"[\x00-\x1f<>%#?:&\\\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a target stands: offsets in `Markup.text`."""

    start: int
    end: int
    written: str
    """The target as the page has it, decoded."""
    kind: str
    """`wikilink`, `angled` (`<a b.md>`) or `bare` (`a%20b.md`)."""
    name_end: int = 0
    """Of a wikilink, where its name and heading end: a display text may be put there."""


def find_places(page: Page, link: Link, names: Collection[str]) -> tuple[Place, ...]:
    """The places that a link's target is written at; more than one where it is defined apart.

    Args:
        page: the page that the link stands in.
        link: one of its links.
        names: the names, folded, of the page that it leads to; one of them may hold a `#`.
    """
    text = page.markup.text
    if text[link.span.start : link.span.end] != link.text:
        return ()
    if link.form != "markdown":
        place = _in_wikilink(link, names)
        return (place,) if place else ()
    inline = _inline(link)
    return (inline,) if inline else tuple(_defined(page, link))


def _in_wikilink(link: Link, names: Collection[str]) -> Place | None:
    at = link.text.find("[[") + 2
    if at < 2 or not link.text.endswith("]]"):
        return None
    whole = link.text[at:-2].partition("|")[0].removesuffix("\\")
    cut = _cut(whole, names)
    written = whole[:cut].strip()
    start = link.span.start + at + len(whole[:cut]) - len(whole[:cut].lstrip())
    name_end = link.span.start + at + len(whole)
    return Place(
        start=start, end=start + len(written), written=written, kind="wikilink", name_end=name_end
    )


def _cut(whole: str, names: Collection[str]) -> int:
    """Where the name ends and the heading begins."""
    first = whole.find("#")
    if first < 0:
        return len(whole)
    cut = len(whole)
    while cut > first:
        if fold(without_extension(whole[:cut].strip().lstrip("./"))) in names:
            return cut
        cut = whole.rfind("#", 0, cut)
    return first


def _inline(link: Link) -> Place | None:
    """The destination in `[text](destination "title")`: the last that reads as the link does."""
    at = len(link.text)
    for _ in range(_TRIED):
        at = link.text.rfind("](", 0, at)
        place = _read(link, link.text, at + 2, link.span.start) if at >= 0 else None
        if place or at < 0:
            return place
    return None


def _defined(page: Page, link: Link) -> Iterator[Place]:
    """The definitions `[label]: destination` of the page that read as the link does.

    All of them lead where the link leads, so that all are mended, whichever it uses.
    """
    body = page.markup.text[page.markup.body :]
    data = body.encode()
    for row in pyromark.reference_definitions(body, options=_OPTIONS).values():
        start = len(data[: row["span"]["start"]].decode())
        source = data[row["span"]["start"] : row["span"]["end"]].decode()
        label = _LABEL.match(source)
        if label:
            place = _read(link, source, label.end(), page.markup.body + start)
            if place:
                yield place


def _read(link: Link, text: str, at: int, base: int) -> Place | None:
    """The destination that begins here, if it is the link's."""
    match = _DESTINATION.match(text, at)
    if not match or match.end() - at > _LONGEST:
        return None
    kind, group = ("angled", 1) if match[1] is not None else ("bare", 2)
    for end in range(len(match[group]), 0, -1):  # `(a(b).md)` ends at some parenthesis
        source = match[group][:end]
        if kind == "bare" and end < len(match[group]) and match[group][end] != ")":
            continue
        destination = html.unescape(_ESCAPE.sub(r"\1", source))
        read = read_markdown(text="", span=link.span, destination=destination, display="")
        if read and (read.target, read.heading) == (link.target, link.heading):
            path = _PATH.match(source)
            start = base + match.start(group)
            stop = start + (path.end() if path else 0)
            return Place(start=start, end=stop, written=link.target, kind=kind)
        if kind == "angled":
            break
    return None


def encode(target: str, place: Place, text: str) -> str:
    """A target as it is written at a place of a page's text: encoded like the one before it."""
    if place.kind == "wikilink":
        return target
    before = text[place.start : place.end]
    if "%" in before and before.isascii() and unquote(before) != before:
        return quote(target, safe=SAFE)
    odd = _ANGLED_ODD if place.kind == "angled" else _BARE_ODD
    return odd.sub(lambda match: quote(match[0], safe=""), target)
