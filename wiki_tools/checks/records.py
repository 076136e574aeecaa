"""What is kept of a page once its text is gone, in a form that can be remembered."""

import marshal
from typing import Any, NamedTuple

from wiki_tools.checks.diagnostic import Diagnostic, pack_diagnostics, read_diagnostics
from wiki_tools.checks.rules import PAGE_RULES
from wiki_tools.checks.similar import sign_page
from wiki_tools.checks.translations import fence_shapes
from wiki_tools.checks.types import FenceShape
from wiki_tools.config import Config
from wiki_tools.graph import (
    Outline,
    PackedLink,
    outline_of,
    pack_links,
    typed_links,
    unpack_outline,
)
from wiki_tools.graph.outline import STABLE
from wiki_tools.pages import Page


class Record(NamedTuple):
    """A page as it is remembered: bytes, so that what nobody asks for is never decoded."""

    seen: bytes
    """What was seen of the file: `see` of its bytes."""
    translated: bool
    """Whether the page had translations."""
    face: bytes
    """Of its outline, what decides which page links of other pages lead to."""
    landings: bytes
    """Of its outline, what decides where in the page links lead."""
    back: bytes
    """The rest of its outline."""
    found: bytes
    """Of its head, the findings and fences; nothing where there are none."""
    signature: bytes
    links: bytes

    @property
    def outline(self) -> bytes:
        """All of the outline; of two pages these are equal where their outlines are."""
        return self.face + self.landings + self.back


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


def make_record(
    config: Config, page: Page, seen: bytes, words: dict[str, str], *, translated: bool
) -> Record:
    """Pack what is kept of a page."""
    head = make_head(config, page, translated=translated)
    found = b""
    if head.diagnostics or head.fences:
        fences: Any = tuple(tuple(row) for row in head.fences)
        found = marshal.dumps((pack_diagnostics(head.diagnostics), fences))
    links = pack_links(typed_links(page, words))
    face = marshal.dumps(head.outline.face, STABLE)
    landings = marshal.dumps(head.outline.landings, STABLE)
    back = marshal.dumps(head.outline.back, STABLE)
    row = (seen, translated, face, landings, back, found, head.signature, marshal.dumps(links))
    return Record._make(row)


def read_outline(record: Record) -> Outline:
    """Unpack what other pages may ask of a page; its key is not decided among all yet."""
    return unpack_outline(record.face, record.landings, record.back)


def read_found(record: Record) -> tuple[tuple[Diagnostic, ...], tuple[FenceShape, ...]]:
    """Unpack what was found by looking at the page, and its fences if it has translations."""
    if not record.found:
        return (), ()
    diagnostics, fences = marshal.loads(record.found)
    return read_diagnostics(diagnostics), tuple(FenceShape._make(row) for row in fences)


def read_links(record: Record) -> tuple[PackedLink, ...]:
    """Read the links, each with its relation, as plain values."""
    links: tuple[PackedLink, ...] = marshal.loads(record.links)
    return links
