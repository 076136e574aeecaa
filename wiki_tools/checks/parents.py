"""Circles of parents."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki

Parents = dict[str, dict[str, tuple[str, int, int]]]
"""Key of a page to the keys of its parents, each with the path, line and column that say so."""


def find_parent_cycles(wiki: Wiki) -> Iterator[Diagnostic]:
    """Circles of `parent` links, each said once, at the page that comes first by its path."""
    parents: Parents = {}
    for page in wiki.pages:
        for key, line, column in wiki.links[page.path].parents:
            parents.setdefault(page.key, {}).setdefault(key, (page.path, line, column))
    seen: set[frozenset[str]] = set()
    for ring in _cycles(parents):
        if frozenset(ring) in seen:
            continue
        seen.add(frozenset(ring))
        places = [parents[key][ring[(i + 1) % len(ring)]] for i, key in enumerate(ring)]
        at = min(range(len(ring)), key=lambda i: places[i])
        turned = (*ring[at:], *ring[: at + 1])
        path, line, column = places[at]
        message = f"Each is the parent of the one before: {' → '.join(turned)}."
        yield finding("parent-cycle", path, message, line, column)


def _cycles(parents: Parents) -> Iterator[tuple[str, ...]]:
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
