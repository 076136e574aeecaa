"""What other pages may ask of a page: its names, and the places in it that links lead to."""

import marshal
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wiki_tools.config import Config
from wiki_tools.graph.anchors import Landing, bare_heading
from wiki_tools.graph.names import Name, names_of
from wiki_tools.markup import Heading, Link, Span, has_hole
from wiki_tools.pages import Claimant, Page, assign_keys, key_of

NOWHERE = (1, 1)
STABLE = 2
"""The version of `marshal` in which equal values are equal bytes, however they came about."""


class Outline(NamedTuple):
    """A page without its text: ten thousand fit into memory, and all into a cache.

    All fields are plain values of Python, so that `marshal` can write them.
    """

    path: str
    stem: str
    """The path without its language and `.md`: translations share it."""
    key: str
    language: str
    title: str
    titled: bool
    """Whether the page claims its title, which else is its file's name."""
    id: str
    """The front matter's own; empty where there is none."""
    aliases: tuple[str, ...]
    canonical_id: str
    duplicate_of: str
    names: tuple[Name, ...]
    headings: tuple[Landing, ...]
    blocks: tuple[str, ...]
    anchors: tuple[str, ...]
    last_reinforced: str
    """ISO date, or empty; this and what follows decides nothing about links."""
    status: str
    category: str
    tags: tuple[str, ...]
    places: bytes
    """Front-matter key to its line and column, as in `Page.places`, written by `marshal`."""

    @property
    def face(self) -> tuple[Any, ...]:
        """What decides which page links of other pages lead to."""
        return self[:_FACE]

    @property
    def landings(self) -> tuple[Any, ...]:
        """What decides where in the page those links lead; not where it stands in the text."""
        return self[_FACE:_BACK]

    @property
    def back(self) -> tuple[Any, ...]:
        """All the rest."""
        return self[_BACK:]

    def place(self, key: str, index: int | None = None) -> tuple[int, int]:
        """Line and column of a front-matter key, or of a list's item."""
        places = marshal.loads(self.places)
        place: tuple[int, int] | None = places.get(f"{key}[{index}]")
        return place or places.get(key, NOWHERE)


_FACE = Outline._fields.index("headings")
_BACK = Outline._fields.index("last_reinforced")


PackedOutline = tuple[bytes, bytes, bytes]
"""Face, landings and back, as `marshal` writes them."""


def unpack_outline(face: bytes, landings: bytes, back: bytes) -> Outline:
    """Make an outline again; its key is not decided among all yet."""
    loads = marshal.loads
    return Outline._make(loads(face) + loads(landings) + loads(back))


def outline_of(page: Page, config: Config) -> Outline:
    """Outline a page."""
    matter, markup = page.frontmatter, page.markup
    stem = key_of(page.path, config)
    date = matter.last_reinforced
    return Outline(
        path=page.path,
        stem=stem,
        key=page.key,
        language=page.language,
        title=page.title,
        titled=_is_titled(page),
        id=matter.id,
        aliases=matter.aliases,
        canonical_id=matter.canonical_id,
        duplicate_of=matter.duplicate_of,
        names=names_of(page),
        headings=_landings(markup.headings),
        blocks=markup.blocks,
        anchors=markup.anchors,
        last_reinforced=date.isoformat() if date else "",
        status=matter.status,
        category=matter.category,
        tags=matter.tags,
        places=marshal.dumps(_places(page), STABLE),
    )


def _is_titled(page: Page) -> bool:
    """A template's `{{title}}` is not claimed by anybody yet."""
    claimed = page.frontmatter.title or any(h.text == page.title for h in page.markup.headings)
    return bool(claimed) and not has_hole(page.title)


def give_outline_keys(outlines: Sequence[Outline], config: Config) -> tuple[Outline, ...]:
    """Give outlines the keys that their pages have among each other."""
    keys = assign_keys(
        [Claimant(o.path, o.stem, o.language, o.id) for o in outlines], config.languages
    )
    return tuple(
        outline if outline.key == key else outline._replace(key=key)
        for outline, key in zip(outlines, keys, strict=True)
    )


def _places(page: Page) -> dict[str, tuple[int, int]]:
    """The places of the front matter's keys; a title that is a heading has the heading's."""
    if "title" not in page.places:
        for heading in page.markup.headings:
            if heading.text == page.title:
                return page.places | {"title": (heading.span.line, heading.span.column)}
    return page.places


def _landings(headings: Sequence[Heading]) -> tuple[Landing, ...]:
    starts = [row.span.start for row in headings]
    return tuple(
        (row.text, row.anchor, bare_heading(row.text), i, bisect_left(starts, row.end))
        for i, row in enumerate(headings)
    )


PackedLink = tuple[str, str, str, str, str, str, int, int, int, int]
"""A relation and a link's fields, those of its span last: what `marshal` can write."""


def pack_links(links: Iterable[tuple[Link, str]]) -> tuple[PackedLink, ...]:
    """Make plain values of links with their relations."""
    return tuple([(relation, *link[:-1], *link.span) for link, relation in links])


def unpack_link(packed: Any) -> tuple[Link, str]:
    """Make a link of its plain values again."""
    relation, form, target, heading, text, display, start, end, line, column = packed
    span = Span(start, end, line, column)
    return Link(form, target, heading, text, display, span), relation
