"""Shares the pages of a wiki among several runs, so that each takes about as long."""

import heapq
import statistics
from collections.abc import Iterable, Mapping

from wiki_tools.ledger import LOCAL, Evidence, Ledger
from wiki_tools.snippets import Snippet

UNKNOWN = 1.0
"""Seconds that a snippet is taken for, where no snippet has a history."""
LEAST = 0.001
"""Seconds that any snippet takes: also one that does not run has to be looked at."""


def share_pages(weights: Mapping[str, float], index: int, count: int) -> set[str]:
    """The pages of share `index` (from 1) of `count`: the longest first, each to the least busy.

    Every share knows all: whoever has the same evidence comes to the same shares. Pages are not
    cut: what is measured needs its siblings.
    """
    loads = [(0.0, number) for number in range(1, count + 1)]
    mine = set()
    for page in sorted(weights, key=lambda page: (-weights[page], page)):
        load, number = heapq.heappop(loads)
        heapq.heappush(loads, (load + weights[page], number))
        if number == index:
            mine.add(page)
    return mine


def weigh_snippets(
    snippets: Iterable[Snippet], ledger: Ledger, folder: str, budget: float
) -> dict[str, float]:
    """Say how many seconds each snippet took the last time, by its id.

    The history is this environment's own where it has one, else any that is committed. A snippet
    without history counts as the median of those that have one. `budget` is what a measurement
    takes beside its first calls.

    What ran in a share counts as it did when that was made: the shares of one checkout may be
    verified one after another, and must not change meanwhile. A median does not change where
    copies of it are added.
    """
    rows = {snippet.id: _last(snippet, ledger, folder) for snippet in snippets}
    known = {name: _seconds(row, budget) for name, row in rows.items() if row is not None}
    usual = statistics.median(known.values()) if known else UNKNOWN
    return {name: known.get(name, usual) for name in rows}


def weigh_pages(snippets: Iterable[Snippet], weights: Mapping[str, float]) -> dict[str, float]:
    """Sum up what the snippets of each page weigh, by its key."""
    pages: dict[str, float] = {}
    for snippet in snippets:
        pages[snippet.page] = pages.get(snippet.page, 0.0) + weights[snippet.id]
    return pages


def _last(snippet: Snippet, ledger: Ledger, folder: str) -> Evidence | None:
    others = sorted(name for name in ledger.evidence if name not in (folder, LOCAL))
    for name in (folder, *others):
        if found := ledger.find(name, snippet.id):
            return found
    return None


def _seconds(evidence: Evidence, budget: float) -> float:
    if evidence.weight:
        return evidence.weight
    first = [sum(measured.samples.first_call) for measured in evidence.measured]
    return max(evidence.outcome.seconds + sum(first) + budget * len(first), LEAST)
