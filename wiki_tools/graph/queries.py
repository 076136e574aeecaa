"""Questions to a link graph."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from wiki_tools.config import Config
from wiki_tools.graph.names import Names, fold, without_extension
from wiki_tools.graph.outline import Outline
from wiki_tools.graph.types import BrokenLink, LinkGraph, ResolvedLink

if TYPE_CHECKING:
    import networkx as nx

ENTRANCES = ("index", "readme")
"""Names of pages that a reader comes in by, so that nothing needs to link to them."""


def backlinks(graph: LinkGraph) -> dict[str, tuple[ResolvedLink, ...]]:
    """Key to the links that lead to it from other pages, a duplicate's handed on."""
    found: dict[str, list[ResolvedLink]] = {}
    for link in graph.resolved:
        if link.source != link.canonical:
            found.setdefault(link.canonical, []).append(link)
    return {key: tuple(links) for key, links in found.items()}


def wanted(graph: LinkGraph) -> dict[str, tuple[BrokenLink, ...]]:
    """Target that no page answers to, to the links that ask for it; the most asked for first.

    Spellings that would name one page are one target, under the spelling that comes first.
    """
    rows: dict[str, list[BrokenLink]] = {}
    for link in graph.broken:
        if link.resolution == "wanted":
            rows.setdefault(fold(without_extension(link.link.target)), []).append(link)
    ranked = sorted(rows.values(), key=lambda links: -len({link.source for link in links}))
    return {links[0].link.target: tuple(links) for links in ranked}


def orphans(pages: Sequence[Outline], graph: LinkGraph) -> tuple[str, ...]:
    """Keys of the pages that no other page leads to, in the order of the pages."""
    reached = {link.canonical for link in graph.resolved if link.source != link.canonical}
    reached |= {link.target for link in graph.resolved if link.source != link.target}
    return unreached(((p.key, p.path, p.duplicate_of) for p in pages), reached)


def unreached(pages: Iterable[tuple[str, str, str]], reached: Collection[str]) -> tuple[str, ...]:
    """Of pages (key, path, `duplicate_of`) the keys of those that nothing leads to.

    A duplicate redirects and is none; nor is a page that readers come in by.
    """
    found = {
        key: None
        for key, path, duplicate_of in pages
        if key not in reached
        and fold(duplicate_of) in ("", "none")
        and fold(path.rpartition("/")[2].partition(".")[0]) not in ENTRANCES
    }
    return tuple(found)


def as_networkx(graph: LinkGraph, pages: Sequence[Outline]) -> "nx.MultiDiGraph":
    """The graph of pages and resolved links: a node a page, an edge a link to its canonical page.

    Nodes have `title` and `path`; edges have `relation`, `path`, `line` and `column`.
    """
    import networkx as nx

    made = nx.MultiDiGraph()
    for page in pages:
        if page.key not in made:
            made.add_node(page.key, title=page.title, path=page.path)
    for link in graph.resolved:
        made.add_edge(
            link.source,
            link.canonical,
            relation=link.relation,
            path=link.path,
            line=link.link.span.line,
            column=link.link.span.column,
        )
    return made


def path_between(graph: LinkGraph, start: str, end: str) -> tuple[ResolvedLink, ...] | None:
    """The shortest chain of links from one page to another; None where there is none.

    Both are keys; from a page to itself the chain is empty.
    """
    outgoing: dict[str, list[ResolvedLink]] = {}
    for link in graph.resolved:
        outgoing.setdefault(link.source, []).append(link)
    came: dict[str, ResolvedLink] = {}
    todo = [start]
    for key in todo:
        if key == end:
            return _chain(came, start, end)
        for link in outgoing.get(key, ()):
            if link.canonical != start and link.canonical not in came:
                came[link.canonical] = link
                todo.append(link.canonical)
    return None


def _chain(came: Mapping[str, ResolvedLink], start: str, end: str) -> tuple[ResolvedLink, ...]:
    chain: list[ResolvedLink] = []
    while end != start:
        chain.append(came[end])
        end = came[end].source
    return tuple(reversed(chain))


def find_pages(name: str, pages: Sequence[Outline], config: Config) -> tuple[Outline, ...]:
    """The pages that a person may mean by a path, a file name, a title, an alias or an id.

    A path may begin with the docs folder. Translations of one page count once, in the default
    language where there is one.
    """
    path = name.removeprefix("./").removeprefix(f"{config.docs.name}/")
    found = [page for page in pages if page.path == path]
    if not found:
        names = Names(page.names for page in pages)
        rows = names.at(path) or names.named(name) or names.below(path)
        found = [pages[row[1]] for row in rows]
    by_key: dict[str, Outline] = {}
    for page in found:
        if page.key not in by_key or page.language == config.languages[0]:
            by_key[page.key] = page
    return tuple(by_key.values())
