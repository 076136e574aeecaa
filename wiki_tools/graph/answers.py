"""Answers to questions about the graph, as the documents that `wiki graph` prints."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wiki_tools.graph.canonical import canonical_keys
from wiki_tools.graph.central import central
from wiki_tools.graph.document import AnyLink, edge_row
from wiki_tools.graph.outline import Outline
from wiki_tools.graph.queries import backlinks, orphans, path_between, wanted
from wiki_tools.graph.sentences import sentence_around
from wiki_tools.graph.types import BrokenLink, LinkGraph
from wiki_tools.pages import Page

Document = dict[str, Any]
"""The name of a question to its answer; rows of links have the keys of the graph's `edges`."""


def wanted_answer(graph: LinkGraph) -> Document:
    """Targets that no page answers to, the one that most pages ask for first."""
    rows = [
        {
            "target": target,
            "pages": len({link.source for link in links}),
            "links": [edge_row(link) for link in links],
        }
        for target, links in wanted(graph).items()
    ]
    return {"wanted": rows}


def orphans_answer(pages: Sequence[Outline], graph: LinkGraph) -> Document:
    """Pages that no other page leads to, in the order of their paths."""
    named = _named(pages)
    return {"orphans": [named[key] for key in orphans(pages, graph)]}


def backlinks_answer(
    pages: Sequence[Outline], graph: LinkGraph, key: str, read: Callable[[str], Page]
) -> Document:
    """The links that lead to a page, each with the sentence that it stands in.

    One that names a heading or block which the page lacks leads there as well, and is broken.
    `read` gives the page at a path; it is asked for those that link there, one after another.
    """
    rows = []
    page: Page | None = None
    found: list[AnyLink] = [*backlinks(graph).get(key, ()), *_landless(pages, graph, key)]
    for link in sorted(found, key=lambda link: (link.path, link.link.span.start)):
        if page is None or page.path != link.path:
            page = read(link.path)
        rows.append(edge_row(link) | {"sentence": sentence_around(page, link.link)})
    return {"page": _named(pages)[key], "backlinks": rows}


def _landless(pages: Sequence[Outline], graph: LinkGraph, key: str) -> Iterator[BrokenLink]:
    """The links of other pages that lead to a page and to no place in it."""
    stands_for = canonical_keys(pages)
    paths = {page.path for page in pages if stands_for[page.key] == key}
    for link in graph.broken:
        if link.target_path in paths and stands_for[link.source] != key:
            yield link


def path_answer(pages: Sequence[Outline], graph: LinkGraph, start: str, end: str) -> Document:
    """The shortest chain of links from a page to another; `path` is null where there is none."""
    named = _named(pages)
    chain = path_between(graph, start, end)
    rows = None if chain is None else [edge_row(link) for link in chain]
    return {"from": named[start], "to": named[end], "path": rows}


def central_answer(pages: Sequence[Outline], graph: LinkGraph, limit: int) -> Document:
    """The pages that matter most, by PageRank, with the number of pages that link to them."""
    named = _named(pages)
    rows = [
        named[row.key] | {"rank": round(row.rank, 9), "backlinks": row.backlinks}
        for row in central(pages, graph)[:limit]
    ]
    return {"central": rows}


def _named(pages: Sequence[Outline]) -> Mapping[str, dict[str, Any]]:
    """Key to the page's id, path and title; of translations the one without a suffix."""
    named: dict[str, Outline] = {}
    for page in pages:
        known = named.setdefault(page.key, page)
        if len(page.path) < len(known.path):
            named[page.key] = page
    return {key: {"id": key, "path": page.path, "title": page.title} for key, page in named.items()}
