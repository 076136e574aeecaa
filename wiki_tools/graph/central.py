"""Which pages matter most: PageRank over what pages stand for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wiki_tools.graph.canonical import canonical_keys
from wiki_tools.graph.outline import Outline
from wiki_tools.graph.types import LinkGraph

DAMPING = 0.85
"""How often a reader follows a link rather than opening any page: Brin and Page 1998."""
_MOST = 100
_CLOSE = 1e-6
"""Change of all ranks in one round that ends the search."""


class Central(NamedTuple):
    """A page and how much it matters."""

    key: str
    rank: float
    """Of all pages together 1."""
    backlinks: int
    """Pages that link to it, each counted once."""


def central(pages: Sequence[Outline], graph: LinkGraph) -> tuple[Central, ...]:
    """Rank pages by PageRank, the most central first.

    Duplicates count as what they stand for and links to the own page are left out. It agrees
    with `networkx.pagerank`, which would need SciPy.
    """
    stands_for = canonical_keys(pages)
    names = sorted(set(stands_for.values()))
    index = {key: number for number, key in enumerate(names)}
    leads: list[list[int]] = [[] for _ in names]
    asked = [0] * len(names)
    for source, target in _edges(stands_for, graph):
        leads[index[source]].append(index[target])
        asked[index[target]] += 1
    rows = zip(names, _ranks(leads), asked, strict=True)
    return tuple(sorted((Central(*row) for row in rows), key=lambda row: (-row.rank, row.key)))


def _edges(stands_for: Mapping[str, str], graph: LinkGraph) -> set[tuple[str, str]]:
    found = {(stands_for[link.source], link.canonical) for link in graph.resolved}
    return {edge for edge in found if edge[0] != edge[1]}


def _ranks(leads: list[list[int]]) -> list[float]:
    """Power iteration; a page that links to none leads to all alike."""
    count = len(leads)
    if not count:
        return []
    ranks = [1 / count] * count
    for _ in range(_MOST):
        lost = sum(rank for rank, targets in zip(ranks, leads, strict=True) if not targets)
        new = [(1 - DAMPING + DAMPING * lost) / count] * count
        for rank, targets in zip(ranks, leads, strict=True):
            share = DAMPING * rank / (len(targets) or 1)
            for target in targets:
                new[target] += share
        change = sum(abs(a - b) for a, b in zip(ranks, new, strict=True))
        ranks = new
        if change < _CLOSE:
            break
    return ranks
