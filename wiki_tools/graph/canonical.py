"""What a duplicate stands for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from wiki_tools.graph.names import fold
from wiki_tools.pages import Page


class Declares(Protocol):
    """What says which page it stands for: an outline, or a declaration."""

    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def canonical_id(self) -> str: ...  # noqa: D102
    @property
    def duplicate_of(self) -> str: ...  # noqa: D102


class Declaration(NamedTuple):
    """What a page says it stands for."""

    key: str
    id: str
    canonical_id: str
    duplicate_of: str


def declaration_of(page: Page) -> Declaration:
    """What a page says it stands for."""
    matter = page.frontmatter
    return Declaration(page.key, matter.id, matter.canonical_id, matter.duplicate_of)


def declared_target(page: Declares) -> tuple[str, str]:
    """The front-matter key and the id of the page that this one says it stands for."""
    if fold(page.duplicate_of) not in ("", "none"):
        return "duplicate_of", page.duplicate_of
    if fold(page.canonical_id) not in ("", "self") and page.canonical_id != page.id:
        return "canonical_id", page.canonical_id
    return "", ""


def ids_of(pages: Sequence[Declares]) -> dict[str, str]:
    """Id, and id as it is compared, to the key of the page that has it."""
    exact = {page.key: page.key for page in pages}
    return {fold(page.key): page.key for page in reversed(pages)} | exact


def declared_keys(pages: Sequence[Declares]) -> dict[str, str]:
    """Key of each page that stands for another, to the key of that one; missing ones left out."""
    named = [(page.key, name) for page in pages if (name := declared_target(page)[1])]
    ids = ids_of(pages) if named else {}
    found: dict[str, str] = {}
    for own, name in named:
        key = ids.get(name) or ids.get(fold(name))
        if key and key != own:
            found.setdefault(own, key)
    return found


def resolve(declared: Mapping[str, str]) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Each key that stands for another to the last of its chain, and every loop of such keys.

    A key that leads into a loop has no last one, which is empty. Every key is looked at once:
    a chain of ten thousand pages takes no quadratic time.
    """
    last: dict[str, str] = {}
    loops: list[tuple[str, ...]] = []
    for start in declared:
        path: dict[str, None] = {}
        key = start
        while key in declared and key not in last and key not in path:
            path[key] = None
            key = declared[key]
        if key in path:
            chain = tuple(path)
            loops.append(chain[chain.index(key) :])
        last.update(dict.fromkeys(path, "" if key in path else last.get(key, key)))
    return last, loops


class Standing(NamedTuple):
    """Which pages stand for others, as they say and as it follows."""

    declared: Mapping[str, str]
    """Key of each page that stands for another, to the key of that one; missing ones left out."""
    canonical: Mapping[str, str]
    """Key of every page to the key that it stands for; a loop leads back to the page itself."""


def stand(pages: Sequence[Declares]) -> Standing:
    """Find what each page stands for."""
    declared = declared_keys(pages)
    last, _ = resolve(declared)
    return Standing(declared, {page.key: last.get(page.key) or page.key for page in pages})


def canonical_keys(pages: Sequence[Declares]) -> Mapping[str, str]:
    """Key of every page to the key that it stands for; a loop leads back to the page itself."""
    return stand(pages).canonical
