"""What is kept of a page once its text is gone, in a form that can be remembered."""

import datetime
import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wiki_tools.cache import digest
from wiki_tools.checks.rules import LINK_RULES, PAGE_RULES
from wiki_tools.checks.similar import sign_page
from wiki_tools.checks.suggest import Suggestions
from wiki_tools.checks.translations import fence_shapes
from wiki_tools.checks.types import Diagnostic, FenceShape, PageLinks, Wiki
from wiki_tools.config import Config
from wiki_tools.graph import (
    BrokenLink,
    Outline,
    ResolvedLink,
    Resolver,
    Standing,
    TypedLinks,
    fold,
    outline_of,
    pack_link,
    typed_links,
    unpack_link,
    without_extension,
)
from wiki_tools.markup import Link, Problem
from wiki_tools.pages import Page

STABLE = 2
"""The version of `marshal` in which equal values are equal bytes, however they came about."""


class Record(NamedTuple):
    """A page as it is remembered: bytes, so that what nobody asks for is never decoded."""

    seen: bytes
    """What was seen of the file: `see` of its bytes."""
    translated: bool
    """Whether the page had translations."""
    face: bytes
    """Of its outline, what decides where links of other pages lead."""
    back: bytes
    """The rest of its outline."""
    found: bytes
    """The rest of its head."""
    stamps: tuple[bytes, bytes]
    """What stands for its face, and for its whole outline."""
    links: bytes


class Head(NamedTuple):
    """What rules need to know of a page, its links apart."""

    outline: Outline
    diagnostics: tuple[Diagnostic, ...]
    """Of the rules that look at one page."""
    fences: tuple[FenceShape, ...]
    """Of a page that has translations."""
    signature: bytes
    """What the page says, to find others that say the same."""


def make_head(config: Config, page: Page, *, translated: bool) -> Head:
    """Look at one page by itself."""
    found = tuple(row for rule in PAGE_RULES for row in rule.find(config, page))
    fences = fence_shapes(page) if translated else ()
    return Head(outline_of(page, config), found, fences, sign_page(page))


def see(data: bytes, problems: Sequence[Problem]) -> bytes:
    """Digest what a file holds, or why it cannot be read."""
    if problems:
        data = b"\0".join((data, *(row.message.encode() for row in problems)))
    return digest(data)


def make_record(
    config: Config, page: Page, seen: bytes, words: dict[str, str], *, translated: bool
) -> Record:
    """Pack what is kept of a page."""
    head = make_head(config, page, translated=translated)
    packed: tuple[Any, ...] = (
        tuple(_pack(row) for row in head.diagnostics),
        tuple(tuple(row) for row in head.fences),
        head.signature,
    )
    links = tuple(pack_link(link, relation) for link, relation in typed_links(page, words))
    face = marshal.dumps(head.outline.face, STABLE)
    back = marshal.dumps(head.outline.back, STABLE)
    stamps = (digest(face), digest(face + back))
    found = marshal.dumps(packed)
    return Record(seen, translated, face, back, found, stamps, marshal.dumps(links))


def read_head(record: Record) -> Head:
    """Unpack all but the links."""
    diagnostics, fences, signature = marshal.loads(record.found)
    return Head(
        Outline._make(marshal.loads(record.face) + marshal.loads(record.back)),
        tuple(_unpack(row) for row in diagnostics),
        tuple(FenceShape._make(row) for row in fences),
        signature,
    )


def read_links(record: Record) -> Iterator[tuple[Link, str]]:
    """Unpack the links, each with its relation."""
    return map(unpack_link, marshal.loads(record.links))


class Linked(NamedTuple):
    """What a page's links are found to be."""

    links: PageLinks
    diagnostics: tuple[Diagnostic, ...]
    """Of the rules that look at links."""


def link_page(
    resolver: Resolver, suggestions: Suggestions, page: Outline, links: TypedLinks
) -> Linked:
    """Resolve the links of a page, and look at them."""
    rows = [resolver.resolve(page, link, relation) for link, relation in links]
    found = tuple(diagnostic for rule in LINK_RULES for diagnostic in rule.find(rows))
    reached: dict[str, None] = {}
    parents: list[tuple[str, int, int]] = []
    wanted: list[tuple[str, str, int, int, str]] = []
    for row in rows:
        if isinstance(row, ResolvedLink):
            reached[row.target] = reached[row.canonical] = None
            within = row.link.heading or row.target_path != page.path
            if row.relation == "parent" and not (row.target == page.key and within):
                span = row.link.span
                parents.append((row.canonical, span.line, span.column))
        elif isinstance(row, BrokenLink) and row.reason == "wanted-page":
            wanted.append(_wanted(row.link, suggestions))
    reached.pop(page.key, None)
    return Linked(PageLinks(len(rows), tuple(reached), tuple(parents), tuple(wanted)), found)


def _wanted(link: Link, suggestions: Suggestions) -> tuple[str, str, int, int, str]:
    name = fold(without_extension(link.target))
    near = suggestions.nearest(link.target.rpartition("/")[2])
    return (name, link.text, link.span.line, link.span.column, near)


def make_wiki(
    config: Config,
    heads: Sequence[Head],
    standing: Standing,
    links: Mapping[str, PageLinks],
    today: datetime.date,
) -> Wiki:
    """All that rules of the whole wiki look at."""
    pages = tuple(head.outline for head in heads)
    return Wiki(
        config=config,
        pages=pages,
        declared=standing.declared,
        canonical=standing.canonical,
        links=links,
        fences={head.outline.path: head.fences for head in heads if head.fences},
        signatures={head.outline.path: head.signature for head in heads},
        today=today,
    )


def pack_linked(linked: Linked) -> bytes:
    """Pack what was found."""
    return marshal.dumps((tuple(linked.links), tuple(_pack(row) for row in linked.diagnostics)))


def read_linked(packed: bytes) -> Linked:
    """Unpack what was found."""
    links, diagnostics = marshal.loads(packed)
    return Linked(PageLinks._make(links), tuple(_unpack(row) for row in diagnostics))


PackedDiagnostic = tuple[str, str, str, int, int, str, str]


def _pack(row: Diagnostic) -> PackedDiagnostic:
    return (row.code, row.severity, row.path, row.line, row.column, row.message, row.hint)


def _unpack(row: PackedDiagnostic) -> Diagnostic:
    code, severity, path, line, column, message, hint = row
    return Diagnostic(
        code=code,
        severity=severity,
        path=path,
        line=line,
        column=column,
        message=message,
        hint=hint,
    )


def pack_diagnostics(rows: Iterable[Diagnostic]) -> tuple[PackedDiagnostic, ...]:
    """Make plain values of findings."""
    return tuple(map(_pack, rows))


def read_diagnostics(rows: Iterable[PackedDiagnostic]) -> tuple[Diagnostic, ...]:
    """Make findings of their plain values again."""
    return tuple(map(_unpack, rows))
