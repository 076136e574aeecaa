"""Findings in what a page says it stands for: `canonical_id` and `duplicate_of`."""

from collections.abc import Iterator, Mapping

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.suggest import Suggestions, as_names
from wiki_tools.checks.types import Wiki
from wiki_tools.graph import Outline, declared_target, fold
from wiki_tools.graph.canonical import ids_of, resolve

_SHOWN = 6
"""Pages of a chain that a message names."""


def find_missing_canonicals(wiki: Wiki) -> Iterator[Diagnostic]:
    """What a page says it stands for is the id of a page."""
    named = [(page, *row) for page in wiki.pages for row in _declared(page)]
    ids = ids_of(wiki.pages) if named else {}
    suggestions = Suggestions(as_names(ids.values()))
    for page, field, name in named:
        if name not in ids and fold(name) not in ids:
            near = suggestions.nearest(name)
            hint = f"Did you mean {near!r}?" if near else ""
            message = f"{field} names {name!r}, which is the id of no page."
            yield finding("missing-canonical", page.path, message, *page.place(field), hint)


def _declared(page: Outline) -> Iterator[tuple[str, str]]:
    """The keys that name another page, with what they name."""
    if fold(page.duplicate_of) not in ("", "none"):
        yield "duplicate_of", page.duplicate_of
    if fold(page.canonical_id) not in ("", "self"):
        yield "canonical_id", page.canonical_id


def find_canonical_chains(wiki: Wiki) -> Iterator[Diagnostic]:
    """What a page stands for stands for nothing else, so that one step leads there."""
    for page in wiki.pages:
        end = wiki.canonical[page.key]
        field, _ = declared_target(page)
        if field and end not in (page.key, wiki.declared.get(page.key)):
            message = f"{field} leads on: {_drawn(page.key, wiki.declared)}."
            hint = f"Name {end!r}."
            yield finding("canonical-chain", page.path, message, *page.place(field), hint)


def find_canonical_cycles(wiki: Wiki) -> Iterator[Diagnostic]:
    """No page stands for itself by way of others; each circle is said once, at its first page."""
    declared = wiki.declared
    _, loops = resolve(declared)
    ring_of = {key: number for number, loop in enumerate(loops) for key in loop}
    said: set[int] = set()
    for page in wiki.pages:
        field, name = declared_target(page)
        if field == "duplicate_of" and name in (page.key, page.id):
            message = f"{field} names the page itself."
            yield finding("canonical-cycle", page.path, message, *page.place(field))
        ring = ring_of.get(page.key, -1)
        if field and ring >= 0 and ring not in said:
            said.add(ring)
            message = f"Pages stand for each other: {_drawn(page.key, declared)}."
            yield finding("canonical-cycle", page.path, message, *page.place(field))


def _drawn(key: str, declared: Mapping[str, str]) -> str:
    """The chain from a key on, to its end or back to the key; a long one is cut."""
    shown = [key]
    while shown[-1] in declared and (len(shown) == 1 or shown[-1] != key):
        if len(shown) > _SHOWN:
            shown.append("…")
            break
        shown.append(declared[shown[-1]])
    return " → ".join(shown)
