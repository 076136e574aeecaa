"""Findings in ids, titles, aliases and in what stands for what."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.errors import nearest
from wiki_tools.graph import Outline, declared_target, fold
from wiki_tools.graph.canonical import declared_keys, follow, ids_of


def find_duplicate_ids(wiki: Wiki) -> Iterator[Diagnostic]:
    """Ids that two pages claim; translations share theirs."""
    first: dict[str, Outline] = {}
    for page in wiki.pages:
        if not page.id:
            continue
        known = first.setdefault(fold(page.id), page)
        if known.stem != page.stem:
            message = f"The id {page.id!r} is that of {known.path} already."
            yield finding("duplicate-id", page.path, message, *page.place("id"))


def find_duplicate_names(wiki: Wiki) -> Iterator[Diagnostic]:
    """Titles and aliases that another page claims; a duplicate may share its page's."""
    stands_for = declared_keys(wiki.pages)
    titles: dict[str, list[Outline]] = {}
    names: dict[str, list[Outline]] = {}
    for page in wiki.pages:
        titles.setdefault(fold(page.title), []).append(page)
        for name in {fold(page.title), fold(page.id)} - {""}:
            names.setdefault(name, []).append(page)
    for page in wiki.pages:
        other = _claimed(page, titles[fold(page.title)], stands_for)
        if other and other.path < page.path:
            message = f"The title {page.title!r} is that of {other.path} as well."
            yield finding("duplicate-title", page.path, message, *page.place("title"))
    for page in wiki.pages:
        for index, alias in enumerate(page.aliases):
            other = _claimed(page, names.get(fold(alias), []), stands_for)
            if other:
                yield _alias(page, index, other)
            names.setdefault(fold(alias), []).append(page)


def _alias(page: Outline, index: int, other: Outline) -> Diagnostic:
    message = f"The alias {page.aliases[index]!r} is a name of {other.path} as well."
    return finding("duplicate-alias", page.path, message, *page.place("aliases", index))


def _claimed(page: Outline, pages: list[Outline], stands_for: dict[str, str]) -> Outline | None:
    """The first other page of a name, unless one of both stands for the other."""
    for other in pages:
        if other.key != page.key and not (
            stands_for.get(page.key) == other.key or stands_for.get(other.key) == page.key
        ):
            return other
    return None


def find_canonical_faults(wiki: Wiki) -> Iterator[Diagnostic]:
    """What a page stands for is there, and stands for nothing else."""
    declared = declared_keys(wiki.pages)
    ids = ids_of(wiki.pages)
    cycles: set[frozenset[str]] = set()
    for page in wiki.pages:
        field, name = declared_target(page)
        if not field:
            continue
        place = page.place(field)
        if name not in ids and fold(name) not in ids:
            near = nearest(name, ids.values())
            hint = f"Did you mean {near!r}?" if near else ""
            message = f"{field} names {name!r}, which is the id of no page."
            yield finding("missing-canonical", page.path, message, *place, hint=hint)
            continue
        chain = follow(page.key, declared)
        if chain[-1] in declared:
            ring = chain[chain.index(declared[chain[-1]]) :]
            if page.key in ring and frozenset(ring) not in cycles:
                cycles.add(frozenset(ring))
                message = f"Outlines stand for each other: {' → '.join((*ring, ring[0]))}."
                yield finding("canonical-cycle", page.path, message, *place)
        elif len(chain) > 2:
            message = f"{field} leads on: {' → '.join(chain)}."
            hint = f"Name {chain[-1]!r}."
            yield finding("canonical-chain", page.path, message, *place, hint=hint)
