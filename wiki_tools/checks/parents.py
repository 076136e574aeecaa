"""Circles of parents."""

from collections.abc import Iterator, Mapping

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import Wiki

MOST = 10
"""Circles that are told of pages which all lead to each other: mending one mends others."""
_SHOWN = 8
"""Pages of a circle that a message names."""

Parents = Mapping[str, Mapping[str, tuple[str, int, int]]]
"""Key of a page to the keys of its parents, each with the path, line and column that say so."""


def find_parent_cycles(wiki: Wiki) -> Iterator[Diagnostic]:
    """Circles of `parent` links, each said once, at the page that comes first by its path."""
    parents: dict[str, dict[str, tuple[str, int, int]]] = {}
    for path, own in wiki.keys.items():
        for key, line, column in wiki.links[path].parents:
            parents.setdefault(own, {}).setdefault(key, (path, line, column))
    for group in _groups(parents):
        for ring in _rings(group, parents):
            path, line, column = parents[ring[0]][ring[1 % len(ring)]]
            yield finding("parent-cycle", path, _said(ring), line, column)


def _said(ring: tuple[str, ...]) -> str:
    if len(ring) == 1:
        return f"{ring[0]} is its own parent."
    shown = ring if len(ring) <= _SHOWN else (*ring[:_SHOWN], "…")
    return f"Each is the parent of the one before: {' → '.join((*shown, ring[0]))}."


def _rings(group: list[str], parents: Parents) -> Iterator[tuple[str, ...]]:
    """Short circles through pages that all lead to each other, none through a page told before."""
    inside = set(group)
    told: set[str] = set()
    count = 0
    for start in sorted(group, key=lambda key: min(parents[key].values())):
        if start not in told and count < MOST:
            ring = _shortest(start, inside, parents)
            told.update(ring)
            count += 1
            yield ring


def _shortest(start: str, inside: set[str], parents: Parents) -> tuple[str, ...]:
    """The shortest circle through a page, by a walk in breadth."""
    came: dict[str, str] = {}
    todo = [start]
    for key in todo:
        for step in parents[key]:
            if step == start:
                ring = [key]
                while ring[-1] != start:
                    ring.append(came[ring[-1]])
                return tuple(reversed(ring))
            if step in inside and step not in came:
                came[step] = key
                todo.append(step)
    raise AssertionError(f"{start} leads to itself")


def _groups(parents: Parents) -> Iterator[list[str]]:
    """Pages that all lead to each other, a group of them at a time, and pages that lead to itself.

    Tarjan's algorithm (1972), without recursion: linear in the number of links.
    """
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: dict[str, None] = {}
    """Pages of groups that are not complete, in the order in which they were met."""
    for start in parents:
        todo = [] if start in order else [(start, iter(parents[start]))]
        while todo:
            key, steps = todo[-1]
            if key not in order:
                order[key] = low[key] = len(order)
                open_[key] = None
            step = next((s for s in steps if s in parents and (s not in order or s in open_)), None)
            if step is None:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[key])
                if low[key] == order[key]:
                    group = _pop(open_, key)
                    if len(group) > 1 or key in parents[key]:
                        yield group
            elif step in order:
                low[key] = min(low[key], order[step])
            else:
                todo.append((step, iter(parents[step])))


def _pop(open_: dict[str, None], key: str) -> list[str]:
    """Take out a complete group: the page that was met first, and all that came after it."""
    group: list[str] = []
    while not group or group[-1] != key:
        group.append(open_.popitem()[0])
    return group
