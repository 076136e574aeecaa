"""What a duplicate stands for."""

from collections.abc import Mapping, Sequence

from wiki_tools.graph.names import fold
from wiki_tools.pages import Page


def declared_target(page: Page) -> tuple[str, str]:
    """The front-matter key and the id of the page that this one says it stands for."""
    matter = page.frontmatter
    if fold(matter.duplicate_of) not in ("", "none"):
        return "duplicate_of", matter.duplicate_of
    if fold(matter.canonical_id) not in ("", "self") and matter.canonical_id != matter.id:
        return "canonical_id", matter.canonical_id
    return "", ""


def ids_of(pages: Sequence[Page]) -> dict[str, str]:
    """Id, and id as it is compared, to the key of the page that has it."""
    exact = {page.key: page.key for page in pages}
    return {fold(page.key): page.key for page in reversed(pages)} | exact


def declared_keys(pages: Sequence[Page]) -> dict[str, str]:
    """Key of each page that stands for another, to the key of that one; missing ones left out."""
    ids = ids_of(pages)
    found: dict[str, str] = {}
    for page in pages:
        _, name = declared_target(page)
        key = ids.get(name) or ids.get(fold(name)) if name else None
        if key and key != page.key:
            found.setdefault(page.key, key)
    return found


def follow(key: str, declared: Mapping[str, str]) -> tuple[str, ...]:
    """The keys that one leads to, in turn, itself first; a loop ends where it would repeat."""
    seen = [key]
    while (step := declared.get(seen[-1])) and step not in seen:
        seen.append(step)
    return tuple(seen)


def canonical_keys(pages: Sequence[Page]) -> dict[str, str]:
    """Key of every page to the key that it stands for; a loop leads back to the page itself."""
    declared = declared_keys(pages)
    found = {}
    for page in pages:
        chain = follow(page.key, declared)
        found[page.key] = page.key if chain[-1] in declared else chain[-1]
    return found
