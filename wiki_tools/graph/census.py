"""What is decided among all pages of a vault: their keys, their names, which stands for which."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

from wiki_tools.config import Config
from wiki_tools.graph.canonical import Standing, stand
from wiki_tools.graph.names import Names
from wiki_tools.graph.outline import (
    Outline,
    PackedOutline,
    give_outline_keys,
    unpack_outline,
)


class Census(NamedTuple):
    """All pages of a vault, in the order of their paths."""

    outlines: Sequence[Outline]
    keys: Sequence[str]
    """Those of the outlines, which need not be looked at for them."""
    standing: Standing
    names: Names


def take_census(config: Config, outlines: Iterable[Outline]) -> Census:
    """Decide among pages; their outlines may come one after another."""
    rows: list[Outline] = []
    names = Names()
    for outline in outlines:
        names.add(outline.names)
        rows.append(outline)
    keyed = give_outline_keys(rows, config)
    return Census(keyed, [outline.key for outline in keyed], stand(keyed), names)


def pack_census(census: Census) -> tuple[Any, ...]:
    """Make plain values of all but the outlines."""
    declared, canonical = census.standing
    others = {key: other for key, other in canonical.items() if key != other}
    return list(census.keys), dict(declared), others, census.names.pack()


def unpack_census(packed: tuple[Any, ...], outlines: Sequence[PackedOutline]) -> Census:
    """Make a census again of what `pack_census` gave, where no outline has changed since."""
    keys, declared, others, names = packed
    standing = Standing(declared, dict(zip(keys, keys, strict=True)) | others)
    rows = _PackedOutlines(outlines, keys)
    return Census(rows, keys, standing, Names.unpack(names, lambda index: rows[index].names))


class _PackedOutlines(Sequence[Outline]):
    """Outlines that are read only when somebody looks at them."""

    def __init__(self, packed: Sequence[PackedOutline], keys: Sequence[str]) -> None:
        self._packed, self._keys = packed, keys
        self._read: dict[int, Outline] = {}

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, index: int) -> Outline: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Outline]: ...
    def __getitem__(self, index: int | slice) -> Outline | Sequence[Outline]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        found = self._read.get(index)
        if found is None:
            outline = unpack_outline(*self._packed[index])
            found = self._read[index] = outline._replace(key=self._keys[index])
        return found
