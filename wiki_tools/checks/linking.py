"""What the links of each page are found to be, and which names those meant that lead nowhere."""

import marshal
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from wiki_tools.checks.diagnostic import Diagnostic, pack_diagnostics, read_diagnostics
from wiki_tools.checks.rules import LINK_RULES
from wiki_tools.checks.types import PageLinks
from wiki_tools.graph import (
    AnyLink,
    BrokenLink,
    FileLink,
    Outline,
    PackedLink,
    ResolvedLink,
    Resolver,
    fold,
    unpack_link,
    without_extension,
)

MOST_HELPED = 20_000
"""Names that no page has for which a similar one is looked for, those that most links give: it
takes 0.03 ms each, and a vault of 240,000 of them has other worries."""


class Linked(NamedTuple):
    """What a page's links are found to be."""

    links: PageLinks
    diagnostics: tuple[Diagnostic, ...]
    """Of the rules that look at links."""
    landed: tuple[str, ...]
    """Paths of the pages whose headings or blocks were looked at, or may have been."""


def link_page(resolver: Resolver, page: Outline, links: Iterable[PackedLink]) -> Linked:
    """Resolve the links of a page, and look at those that rules may find something in."""
    own = page.key
    rows: list[AnyLink] = []
    reached: dict[str, None] = {}
    landed: dict[str, None] = {}
    parents: list[tuple[str, int, int]] = []
    wanted: list[tuple[str, str, int, int, str]] = []
    total = 0
    for total, packed in enumerate(links, 1):  # noqa: B007 - their number
        relation = packed[0]
        lead = resolver.lead(page, packed)
        key = lead.key if lead else own
        if lead and key != own:  # nine of ten, and no rule speaks of them
            reached[key] = None
            if packed[3]:
                landed[lead.path] = None
            if relation == "parent":
                parents.append((key, *packed[-2:]))
            continue
        row = resolver.resolve(page, *unpack_link(packed))
        rows.append(row)
        if not isinstance(row, FileLink) and row.target_path:
            landed[row.target_path] = None
        if isinstance(row, ResolvedLink):
            reached[row.target] = reached[row.canonical] = None
            within = row.link.heading or row.target_path != page.path
            if relation == "parent" and not (row.target == own and within):
                parents.append((row.canonical, *packed[-2:]))
        elif isinstance(row, BrokenLink) and row.reason == "wanted-page":
            name = fold(without_extension(row.link.target))
            said = row.link.target.rpartition("/")[2]
            wanted.append((name, row.link.text, *packed[-2:], said))
    reached.pop(own, None)
    found = tuple(diagnostic for rule in LINK_RULES for diagnostic in rule.find(rows))
    links_ = PageLinks(total, tuple(reached), tuple(parents), tuple(wanted))
    return Linked(links_, found, tuple(landed))


def most_wanted(links: Iterable[PageLinks]) -> list[str]:
    """What links call the pages that are not there: those names of which similar ones are told."""
    counts = Counter(said for page in links for *_, said in page.wanted)
    if len(counts) <= MOST_HELPED:
        return list(counts)
    return sorted(counts, key=lambda said: (-counts[said], said))[:MOST_HELPED]


PackedLinked = tuple[bytes, tuple[str, ...]]
"""What `landed` holds stays readable: it decides whether the rest need be read."""


def pack_linked(linked: Linked) -> PackedLinked:
    """Make of what was found what can be sent and remembered."""
    links, diagnostics, landed = linked
    return marshal.dumps((tuple(links), pack_diagnostics(diagnostics))), landed


def read_linked(packed: PackedLinked) -> Linked:
    """Make of it again what was found."""
    found, landed = packed
    links, diagnostics = marshal.loads(found)
    return Linked(PageLinks._make(links), read_diagnostics(diagnostics), landed)
