"""Fills the free names of a fence, in the order that the page format promises."""

import ast
import re
from collections.abc import Collection, Iterator
from typing import Literal

from wiki_tools.code import find_kind, statements
from wiki_tools.markup import Fence
from wiki_tools.protocol import Cell
from wiki_tools.snippets.context import PageContext, code_of, definitions
from wiki_tools.snippets.fixtures import Fixture, parse_fixtures
from wiki_tools.snippets.hints import Hints, contradicts, find_made
from wiki_tools.snippets.imports import (
    IMPORTS,
    PROBES,
)
from wiki_tools.snippets.names import Names, find_names
from wiki_tools.snippets.sections import Group
from wiki_tools.snippets.slices import keep_makers
from wiki_tools.snippets.sources import Source
from wiki_tools.snippets.types import Missing, Variant
from wiki_tools.stock import WORLDS, find_kin, find_literal, find_rank, find_size, find_source

ABOVE = "everything above"
"""The label of all earlier fences together."""
MOST_ABOVE = 100
"""Earlier fences that are run together at most: each fence of a page may ask for its own."""
KEYED = ("batch", "data", "sample", "item", "example", "inputs")
"""Names of what a data loader gives, which some pages index by name."""
LINEN = re.compile(r"\bnn\.(?:compact|Dense|DenseGeneral|scan|remat|vmap|jit|nowrap)\b")
"""What only Flax has under the name that torch uses as well."""


class Filler:
    """Fills names for one variant; every answer is remembered."""

    def __init__(self, context: PageContext, variant: Variant, hints: Hints) -> None:
        self.context = context
        self.variant = variant
        self.hints = hints
        self.worlds = [variant.world, *(w for w in WORLDS if w != variant.world)]
        self._found: dict[tuple[str, int, str], Source | None] = {}
        self._fences: dict[tuple[int, str | None], Source] = {}
        self._fixtures: dict[tuple[str, str, str], Source] = {}
        self._above_of: Source | Literal[False] | None = None

    def find(self, name: str, fence: Fence, framework: str) -> Source | None:
        """Find what provides `name` to a fence; None where nothing does."""
        key = (name, fence.line, framework)
        if key not in self._found:
            self._found[key] = None  # a name that is asked for while it is being found is missing
            self._found[key] = next(self._providers(name, fence, framework), None)
        return self._found[key]

    def _providers(self, name: str, fence: Fence, framework: str) -> Iterator[Source]:
        """Go through what may provide a name, first choice first."""
        context = self.context
        if name in ("device", "framework"):
            yield Source(kind="run", label="run", provides=frozenset({name}))
        yield from self._setup(name, fence)
        yield from self._partner(name, fence)
        yield from self._fixture(name, context.own_fixtures.get(name), fence, framework)
        yield from self._above(name, fence) if self.variant.whole else self._earlier(name, fence)
        yield from self._later(name, fence)
        yield from self._fixture(name, context.wiki_fixtures.get(name), fence, framework)
        yield from self._keyed(name, fence, framework)
        yield from self._stock(name, fence, framework)
        yield from _import(name, code_of(fence))
        yield from self._imported_below(name, fence)
        yield from self._kin(name, fence, framework)

    def _imported_below(self, name: str, fence: Fence) -> Iterator[Source]:
        """What another fence of the page imports under this name, wherever it stands."""
        for group in self.context.binders(name):
            names = find_names(code_of(group.fence))
            if name in names.imports and self.context.is_kin(group, fence):
                yield _imported(name, names, f"#{group.place}")

    def _keyed(self, name: str, fence: Fence, framework: str) -> Iterator[Source]:
        """`batch["input"]` is no tensor: a batch whose parts have names."""
        if name in KEYED and framework == "torch":
            code = code_of(fence)
            if f'{name}["' in code or f"{name}['" in code:
                for source in self._stock("dataloader", fence, framework):
                    yield _alias(name, "dataloader[0]", source)

    def _kin(self, name: str, fence: Fence, framework: str) -> Iterator[Source]:
        """What the stock knows under another name: `x_train`, `val_loader`, `proj_dim`."""
        others = () if name in self.hints.sizes else find_kin(name)
        for other in others:
            for source in self._stock(other, fence, framework):
                if source.fixture:
                    yield _alias(name, other, source)
        if literal := find_literal(name):
            yield _alias(name, literal, None)

    def _setup(self, name: str, fence: Fence) -> Iterator[Source]:
        for setup in reversed(self.setups(fence)):
            if name in setup.provides:
                yield setup

    def setups(self, fence: Fence) -> list[Source]:
        """Give the set-up that runs before a fence, whether needed or not."""
        group = self.context.by_line.get(fence.line)
        return [self.include(s, "setup", "setup") for s in (group.setups if group else ())]

    def _partner(self, name: str, fence: Fence) -> Iterator[Source]:
        """A baseline takes the names that its pattern's own fence makes, and what makes them."""
        group = self.context.by_line.get(fence.line)
        partner = group.partner if group else None
        if partner is None or find_kind(partner.code, partner.role).skip:
            return
        wanted = find_names(fence.code).free.keys()
        names = find_names(partner.code)
        if name in names.imports:
            yield _imported(name, names, f"#{self.context.by_line[partner.line].place}")
        elif name in names.bound and name not in names.free:
            made = wanted & (names.bound - names.free.keys() - names.imports.keys())
            label = f"#{self.context.by_line[partner.line].place}"
            shared = keep_makers(partner.code, made)
            yield from _whole(self.include(partner, "context", label, code=shared))

    def _earlier(self, name: str, fence: Fence) -> Iterator[Source]:
        wanted = code_of(fence)
        for group in reversed(self.context.binders(name)):
            if not self.context.is_earlier(group, fence):
                continue
            code = code_of(group.fence)
            names = find_names(code)
            if name in names.free or find_kind(group.fence.code).skip:
                continue
            made = find_made(code).get(name)
            if name in names.imports:
                yield _imported(name, names, f"#{group.place}")
            elif self.variant.earlier and not contradicts(name, made, wanted):
                yield from self._made(name, group, wanted)

    def _made(self, name: str, group: Group, wanted: str) -> Iterator[Source]:
        """Take an earlier fence, or what makes the wanted names where the rest lacks something."""
        label = f"#{group.place}"
        raising = group.raised or "raises" in group.fence.attributes
        if not self.variant.sliced and not raising:
            yield from _whole(self.include(group.fence, "context", label))
        code = code_of(group.fence)
        names = find_names(code)
        makes = names.bound - names.free.keys() - names.imports.keys()
        sliced = keep_makers(code, {name, *(find_names(wanted).free.keys() & makes)})
        if sliced.strip():
            yield from _whole(self.include(group.fence, "context", label, code=sliced))

    def _later(self, name: str, fence: Fence) -> Iterator[Source]:
        """A function or class that the page shows further down, for what looks it up late."""
        if name not in find_names(code_of(fence)).late:
            return
        for group in self.context.binders(name):
            if group.fence.line > fence.line and self.context.is_kin(group, fence):
                code = code_of(group.fence)
                if name in definitions(code) and not find_kind(group.fence.code).skip:
                    sliced = keep_makers(code, {name})
                    yield from _whole(
                        self.include(group.fence, "context", f"#{group.place}", code=sliced)
                    )

    def _fixture(
        self, name: str, fixture: Fixture | None, fence: Fence, framework: str, label: str = ""
    ) -> Iterator[Source]:
        if fixture is None:
            return
        asks = [*fixture.asks, *(["dtype"] if "dtype" in fixture.given else [])]
        asked = [self.find(name, fence, framework) for name in asks]
        needs = tuple(source for source in asked if source is not None)
        if len(needs) < len(asked):
            return
        label = label or fixture.path
        key = (name, label, framework)
        if key not in self._fixtures or self._fixtures[key].needs != needs:
            self._fixtures[key] = Source(
                kind="fixture",
                label=label,
                provides=frozenset({name}),
                needs=needs,
                imports=fixture.imports,
                fixture=fixture,
                framework=framework,
            )
        yield self._fixtures[key]

    def _stock(self, name: str, fence: Fence, framework: str) -> Iterator[Source]:
        worlds = self.worlds
        wanted = self.hints.ranks.get(name)
        if wanted is not None:
            worlds = sorted(worlds, key=lambda w: find_rank(name, w) != wanted)
        is_size = name in self.hints.sizes
        for world in worlds:
            size = find_size(name, world)
            text = find_source(name, world, framework) if not (is_size and size) else None
            if text:
                fixture = parse_fixtures(text, "").get(name)
                yield from self._fixture(name, fixture, fence, framework, f"stock: {world}")
            elif size and (is_size or not self._is_other(name, framework)):
                cell = Cell(role="fixture", code=f"{name} = {size}")
                yield Source(
                    kind="fixture",
                    label=f"stock: {world}",
                    provides=frozenset({name}),
                    cells=(cell,),
                )

    def _is_other(self, name: str, framework: str) -> bool:
        """Whether a size's name means an array or a module as well, such as `K` and `F`."""
        return name in IMPORTS or any(find_source(name, world, framework) for world in WORLDS)

    def include(
        self, fence: Fence, kind: Literal["setup", "context"], label: str, code: str | None = None
    ) -> Source:
        """Make a source of a whole fence (or of the part that `code` keeps), with its needs."""
        key = (fence.line, code)
        if key not in self._fences:
            code = code_of(fence) if code is None else code
            setups = [] if kind == "setup" else self.setups(fence)
            found, missing = self.fill(fence, code, frozenset())
            if kind == "context":  # whether it calls what looks them up is for the run to tell
                late = find_names(code).late
                missing = tuple(m for m in missing if m.name not in late)
            self._fences[key] = Source(
                kind=kind,
                label=label,
                order=fence.line,
                provides=find_names(code).bound,
                needs=tuple(dict.fromkeys([*setups, *found.values()])),
                cells=(Cell(role=kind, code=code, path=self.context.path, line=fence.line),),
                missing=missing,
            )
        return self._fences[key]

    def fill(
        self, fence: Fence, code: str, bound: Collection[str], part: Fence | None = None
    ) -> tuple[dict[str, Source], tuple[Missing, ...]]:
        """Fill the free names of `code` that are not `bound` yet.

        `part` is the fence that holds the code, where it belongs to `fence` (its check, say).
        """
        part = part or fence
        names = find_names(code)
        found: dict[str, Source] = {}
        missing: list[Missing] = []
        for name, line in names.free.items():
            if name in bound:
                continue
            source = self.find(name, fence, self.context.framework(fence))
            if source is None and part.role == "check" and name in PROBES:
                source = _probe(name)
            if source is not None:
                found[name] = source
            elif not names.star:
                missing.append(Missing(name=name, line=part.line + line - 1))
        return found, tuple(missing)

    def _above(self, name: str, fence: Fence) -> Iterator[Source]:
        """All that stands above a fence, as one source."""
        if self._above_of is None:
            self._above_of = False  # its own fences have nothing above them
            self._above_of = self._gather(fence)
        if self._above_of and name in self._above_of.provides:
            yield self._above_of

    def _gather(self, fence: Fence) -> Source | Literal[False]:
        """Put the earlier fences that lack nothing into one source, in the page's order."""
        groups = [g for g in self.context.groups if self.context.is_earlier(g, fence)]
        needs: dict[str, Source] = {}
        bound: set[str] = set()
        cells: list[Cell] = []
        for group in groups if len(groups) <= MOST_ABOVE else ():
            code = code_of(group.fence)
            names = find_names(code)
            if find_kind(group.fence.code).skip or group.raised or not statements(code):
                continue
            found, missing = self.fill(group.fence, code, bound)
            if any(m.name not in names.late for m in missing):
                continue
            needs = found | needs
            bound |= names.bound
            cells.append(
                Cell(role="context", code=code, path=self.context.path, line=group.fence.line)
            )
        if not cells:
            return False
        return Source(
            kind="context",
            label=ABOVE,
            order=cells[0].line,
            provides=frozenset(bound),
            needs=tuple(dict.fromkeys(needs.values())),
            cells=tuple(cells),
        )


def _whole(source: Source) -> Iterator[Source]:
    """Take a fence only where it is self-sufficient."""
    if not source.missing:
        yield source


def _imported(name: str, names: Names, label: str) -> Source:
    statement = ast.unparse(names.imports[name])
    usual = name in IMPORTS and IMPORTS[name].statement == statement
    return Source(
        kind="import",
        label="import" if usual else label,
        provides=frozenset({name}),
        imports=(statement,),
    )


def _alias(name: str, value: str, source: Source | None) -> Source:
    """Bind a name to what another source provides, or to a literal."""
    return Source(
        kind="fixture",
        label=source.label if source else "stock: literal",
        provides=frozenset({name}),
        needs=(source,) if source else (),
        cells=(Cell(role="fixture", code=f"{name} = {value}"),),
    )


def _import(name: str, code: str) -> Iterator[Source]:
    if name in IMPORTS:
        is_linen = name == "nn" and LINEN.search(code)
        imports = ("from flax import linen as nn" if is_linen else IMPORTS[name].statement,)
        yield Source(kind="import", label="import", provides=frozenset({name}), imports=imports)


def _probe(name: str) -> Source:
    imports = (f"from wiki_tools.probes import {name}",)
    return Source(kind="import", label="import", provides=frozenset({name}), imports=imports)
