"""Circles of parents."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.graph import ResolvedLink


def find_parent_cycles(wiki: Wiki) -> Iterator[Diagnostic]:
    """Circles of `parent` links, each said once, at the page that comes first by its path."""
    parents: dict[str, dict[str, ResolvedLink]] = {}
    for row in wiki.graph.resolved:
        if row.relation == "parent" and row.source != row.canonical:
            parents.setdefault(row.source, {}).setdefault(row.canonical, row)
    seen: set[frozenset[str]] = set()
    for ring in _cycles(parents):
        if frozenset(ring) in seen:
            continue
        seen.add(frozenset(ring))
        links = [parents[key][ring[(i + 1) % len(ring)]] for i, key in enumerate(ring)]
        at = min(range(len(ring)), key=lambda i: links[i].path)
        turned = (*ring[at:], *ring[: at + 1])
        span = links[at].link.span
        message = f"Each is the parent of the one before: {' → '.join(turned)}."
        yield finding("parent-cycle", links[at].path, message, span.line, span.column)


def _cycles(parents: dict[str, dict[str, ResolvedLink]]) -> Iterator[tuple[str, ...]]:
    """One circle for each link that leads back to a page above it, by a walk in depth."""
    done: set[str] = set()
    for start, above in parents.items():
        if start in done:
            continue
        path: dict[str, int] = {start: 0}
        todo = [iter(above)]
        while todo:
            step = next(todo[-1], None)
            if step is None:
                todo.pop()
                done.add(path.popitem()[0])
            elif step in path:
                yield tuple(path)[path[step] :]
            elif step not in done and step in parents:
                path[step] = len(path)
                todo.append(iter(parents[step]))
