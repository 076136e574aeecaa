"""The ways in which the names of a fence may be filled, and in which order they are tried."""

from collections.abc import Iterator
from dataclasses import replace

from wiki_tools.snippets.context import code_of
from wiki_tools.snippets.fitting import find_fit
from wiki_tools.snippets.hints import Hints, find_hints
from wiki_tools.snippets.sections import Group
from wiki_tools.snippets.types import Program, Variant
from wiki_tools.stock import WORLDS, find_rank

_WRITTEN = ("setup", "context", "pattern")
"""Roles of cells that the page itself wrote."""


def read_hints(group: Group) -> Hints:
    """Read hints from a fence; its pattern's come first, so that both get the same inputs."""
    own = find_hints("".join(code_of(f) for f in (group.fence, *group.continued)))
    if group.partner is None:
        return own
    first = find_hints(code_of(group.partner))
    return Hints(
        ranks=own.ranks | first.ranks,
        sizes=own.sizes | first.sizes,
        images=own.images or first.images,
    )


def find_variants(hints: Hints) -> Iterator[Variant]:
    """Give the ways to fill names, likeliest first: worlds that contradict the code come last."""

    def contradictions(world: str) -> tuple[int, bool]:
        known = ((find_rank(name, world), rank) for name, rank in hints.ranks.items())
        wrong = sum(found is not None and found != rank for found, rank in known)
        return wrong, hints.images and world != "image"

    worlds = sorted(WORLDS, key=contradictions)
    yield Variant(world=worlds[0])
    yield from (Variant(world=world, earlier=False) for world in worlds)
    yield from (Variant(world=world) for world in worlds[1:])


def differs(variant: Variant, first: Program) -> bool:
    """Whether another variant's guesses can give another program than the first one's."""
    other_world = variant.world != first.variant.world and "world" in first.guesses
    return other_world or (variant.earlier != first.variant.earlier and "earlier" in first.guesses)


def find_resorts(first: Program) -> Iterator[Variant]:
    """Give what is tried only where all else failed; see `Variant`."""
    written = [cell.code for cell in first.cells if cell.role in _WRITTEN]
    fit = find_fit(written) if "world" in first.guesses else None
    for world in dict.fromkeys([fit.world, first.variant.world]) if fit else ():
        yield replace(first.variant, world=world, sizes=fit.sizes if fit else ())
    if "earlier" in first.guesses:
        yield replace(first.variant, sliced=True)
    if "earlier" in first.guesses or first.missing:
        yield replace(first.variant, whole=True)
    if any(cell.role == "drive" for cell in first.cells):
        yield replace(first.variant, driven=False)
