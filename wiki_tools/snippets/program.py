"""Completes a fence into programs that run on their own."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace as changed

from wiki_tools.code import find_kind, statements
from wiki_tools.config import Config
from wiki_tools.markup import Fence
from wiki_tools.pages import Page
from wiki_tools.protocol import Cell
from wiki_tools.snippets.assertions import RECORDER, cut_code, print_check, shape_check
from wiki_tools.snippets.context import PageContext, code_of
from wiki_tools.snippets.devices import retarget
from wiki_tools.snippets.drives import Drive, find_drive, find_method
from wiki_tools.snippets.edits import apply_edits, replace
from wiki_tools.snippets.filler import Filler
from wiki_tools.snippets.hints import Hints
from wiki_tools.snippets.imports import IMPORTS, frameworks_imported
from wiki_tools.snippets.names import find_names, names_of
from wiki_tools.snippets.outputs import is_settled
from wiki_tools.snippets.sections import Group
from wiki_tools.snippets.sessions import retarget_session, session_cells
from wiki_tools.snippets.sources import Source, in_order
from wiki_tools.snippets.types import Missing, Program, Variant
from wiki_tools.snippets.variants import differs, find_resorts, find_variants, read_hints

ALTERNATIVES = 3
"""How many programs of a snippet are tried at most."""


def complete(
    config: Config,
    page: Page,
    fence: Fence,
    *,
    sizes: Mapping[str, int] | None = None,
    like: Program | None = None,
) -> tuple[Program, ...]:
    """Complete a fence of a page, whatever its role.

    Args:
        config: where the vault lies.
        page: the page that holds the fence.
        fence: a pattern, baseline or any other runnable fence.
        sizes: sizes of fixtures (and of `S = 512` in the code) to use instead of their own.
        like: make only the program that guesses as this one does, so that a baseline gets the
            same inputs as its pattern.

    Returns:
        At least one program, first choice first; the others are for when it fails.

    Raises:
        ConfigError: a fixture file cannot be read.
    """
    context = PageContext(config, page)
    group = context.by_line.get(fence.line) or Group(place="", fence=fence, heading=None)
    return complete_group(context, group, sizes=sizes, like=like)


def complete_group(
    context: PageContext,
    group: Group,
    *,
    sizes: Mapping[str, int] | None = None,
    like: Program | None = None,
) -> tuple[Program, ...]:
    """Complete a group of fences; see `complete`."""
    hints = read_hints(group)
    if like is not None:
        return (_Builder(context, group, like.variant, hints, sizes or {}).program(),)
    programs: list[Program] = []
    for variant in find_variants(hints):
        if programs and not programs[0].guesses:
            break
        if programs and not differs(variant, programs[0]):
            continue
        program = _Builder(context, group, variant, hints, sizes or {}).program()
        if all(program.cells != other.cells for other in programs):
            programs.append(program)
        if len(programs) == ALTERNATIVES and not any(p.missing for p in programs):
            break
    fewest = min(len(program.missing) for program in programs)
    first = [p for p in programs if len(p.missing) == fewest][:ALTERNATIVES]
    if first[0].missing:
        named = tuple(changed(m, near=context.nearest(m.name)) for m in first[0].missing)
        first[0] = changed(first[0], missing=named)
    return (*first, *_resorts(context, group, hints, first[0]))


def _resorts(context: PageContext, group: Group, hints: Hints, first: Program) -> Iterator[Program]:
    """Give what is tried only where all else failed; see `Variant`."""
    for variant in find_resorts(first):
        program = _Builder(context, group, variant, hints, {}).program()
        if not program.missing and program.cells != first.cells:
            yield program


class _Builder:
    """Makes one program."""

    def __init__(
        self,
        context: PageContext,
        group: Group,
        variant: Variant,
        hints: Hints,
        sizes: Mapping[str, int],
    ) -> None:
        self.context = context
        self.group = group
        self.variant = variant
        self.sizes = sizes
        self.filler = Filler(context, variant, hints)
        self.framework = context.framework(group.fence)
        self.parts = (group.fence, *group.continued)
        self.filled: dict[str, Source] = {}
        self.missing: list[Missing] = []
        self.unchecked: list[str] = []
        self.notes: list[str] = []
        self.letters: set[str] = set()
        self.device = "device"
        self.retargeted = False

    def program(self) -> Program:
        drive = self._fill()
        setups = self.filler.setups(self.group.fence)
        sources = in_order(tuple(dict.fromkeys([*setups, *self.filled.values()])))
        fences = [c.code for s in sources for c in s.cells] + [code_of(f) for f in self.parts]
        if any("device" in find_names(code).bound for code in fences):
            self.device = "_device"
        body = [*self._sources(sources), *self._own(drive)]
        cells = [
            c for c in [self._imports(sources), *body] if c.code.strip() or c.role == "pattern"
        ]
        missing = [m for source in sources for m in source.missing] + self.missing
        return Program(
            cells=tuple(cells),
            context={name: source.label for name, source in self.filled.items()},
            missing=tuple(dict.fromkeys(missing)),
            retargeted=self.retargeted,
            frameworks=frameworks_imported(c.code for c in cells),
            sizes=tuple(dict.fromkeys(self._sizes(sources, fences))),
            variant=self.variant,
            unchecked=tuple(self.unchecked),
            notes=tuple(self.notes),
            guesses=_guesses(sources, missing),
        )

    # ------------------------------------------------------------------- names

    def _fill(self) -> Drive | None:
        bound: set[str] = set()
        for part in self.parts:
            self._fill_code(code_of(part), bound, part)
        drive = self._drive(bound)
        for check in self.group.checks:
            self._fill_code(code_of(check), bound | {"result"}, check)
            bound |= find_names(code_of(check)).bound
        return drive

    def _fill_code(self, code: str, bound: set[str], part: Fence) -> None:
        taken = bound | self.filled.keys()
        found, missing = self.filler.fill(self.group.fence, code, taken, part)
        self.filled |= found
        self.missing += missing
        bound |= find_names(code).bound

    def _drive(self, bound: set[str]) -> Drive | None:
        codes = [code_of(part) for part in self.parts]
        fence = self.group.fence
        if fence.role == "check" or find_kind(fence.code, fence.role, fence.line).session:
            return None
        drive = find_drive("\n".join(codes))
        if drive is None:
            if method := find_method(codes[0]):
                at, name = fence.line + method[0] - 1, method[1]
                self.notes.append(f"line {at}: {name} is a method without its class")
            return None
        wanted = [n for n in drive.parameters if n not in bound and n not in self.filled]
        found = {name: self.filler.find(name, fence, self.framework) for name in wanted}
        lacking = [name for name, source in found.items() if source is None]
        line = fence.line + drive.line - 1
        if lacking or not self.variant.driven:
            why = (
                f"nothing provides {', '.join(lacking)}"
                if lacking
                else "no guess fits its parameters"
            )
            self.notes.append(f"line {line}: {drive.name} was defined and not called: {why}")
            return None
        self.filled |= {name: source for name, source in found.items() if source is not None}
        return drive

    # ------------------------------------------------------------------- cells

    def _imports(self, sources: list[Source]) -> Cell:
        order = [row.statement for row in IMPORTS.values()]
        wanted = dict.fromkeys(text for source in sources for text in source.imports)
        known = [text for text in dict.fromkeys(order) if text in wanted]
        lines = [*known, *(text for text in wanted if text not in known)]
        if "framework" in self.filled:
            lines.append(f"framework = {self.framework!r}")
        if self.device != "device":
            lines.append(f"{self.device} = device  # the page gives `device` another value")
        return Cell(role="imports", code="\n".join(lines))

    def _sources(self, sources: list[Source]) -> Iterator[Cell]:
        last: dict[str, Source] = {}
        for source in sources:
            yield from self._source_cells(source)
            last |= dict.fromkeys(source.provides, source)
        for name, source in self.filled.items():
            # an earlier fence that was taken for another name has bound this one as well
            if source.kind == "fixture" and last[name] is not source:
                yield from self._source_cells(source)

    def _source_cells(self, source: Source) -> Iterator[Cell]:
        fixture = source.fixture
        if fixture is None:
            for cell in source.cells:
                yield changed(cell, code=self._adapted(cell.code))
            return
        code = retarget(fixture.code, self.device)
        sizes = self.sizes if fixture.path else dict(self.variant.sizes) | dict(self.sizes)
        call = fixture.call(sizes, source.framework).replace(
            "device=device", f"device={self.device}"
        )
        if fixture.path:
            yield Cell(role="fixture", code=code, path=fixture.path, line=fixture.line)
            yield Cell(role="fixture", code=call)
        else:
            yield Cell(role="fixture", code=f"{code}\n\n\n{call}")

    def _own(self, drive: Drive | None) -> Iterator[Cell]:
        fence = self.group.fence
        kind = find_kind(fence.code, fence.role, fence.line)
        self.notes += [kind.note] if kind.note else []
        if kind.session:
            self.retargeted |= retarget_session(kind.code, self.device) != kind.code
            codes = [code_of(fence), *(c.code for s in self.filled.values() for c in s.cells)]
            guessed = any(s.label.startswith("stock: ") for s in self.filled.values())
            yield from session_cells(
                kind.code,
                self.context.path,
                fence.line,
                self.device,
                loose=guessed or not is_settled(codes, ()),
            )
        else:
            own = list(self._parts(drive))
            if any(piece.prints for f in self._all() for piece in cut_code(code_of(f)).pieces):
                yield Cell(role="check", code=RECORDER.rstrip())
            yield from own
        for check in self.group.checks:
            yield from self._cut(check, "check", timed=False)
        if not fence.attributes.get("raises") and not self.group.raised:
            yield _result_cell([code_of(part) for part in self.parts], drive)

    def _all(self) -> tuple[Fence, ...]:
        return (*self.parts, *self.group.checks)

    def _parts(self, drive: Drive | None) -> Iterator[Cell]:
        is_check = self.group.fence.role == "check"
        for part in self.parts:
            role = "check" if is_check else "pattern"
            yield from self._cut(part, role, timed=not is_check and drive is None)
        if drive is not None:
            yield Cell(role="drive", code=drive.code(_result_name(drive)), timed=True)

    def _cut(self, fence: Fence, role: str, *, timed: bool) -> Iterator[Cell]:
        """Give a fence's text with its assertions between the statements that they speak of."""
        asserted = cut_code(self._adapted(code_of(fence)))
        path = self.context.path
        self.unchecked += [f"{fence.line + n - 1}: {text}" for n, text in asserted.unchecked]
        for piece in asserted.pieces:
            line = fence.line + piece.line - 1
            yield Cell(role=role, code=piece.code.rstrip("\n"), path=path, line=line, timed=timed)
            for shape in piece.shapes:
                line = fence.line + shape.line - 1
                code = shape_check(shape, f"{path}:{line}", self.letters)
                yield Cell(role="check", code=code, path=path, line=line)
            for printed in piece.prints:
                line = fence.line + printed.line - 1
                yield Cell(
                    role="check", code=print_check(printed, f"{path}:{line}"), path=path, line=line
                )

    # ------------------------------------------------------- devices and sizes

    def _adapted(self, code: str) -> str:
        """Make a fence's text use the run's device and the sweep's sizes."""
        target = retarget(code, self.device)
        self.retargeted |= target != code
        if not self.sizes:
            return target
        edits = [
            replace(node.value, str(self.sizes[name]))
            for name, node in _literal_sizes(target)
            if name in self.sizes and node.value is not None
        ]
        return apply_edits(target, edits)

    def _sizes(self, sources: list[Source], fences: list[str]) -> Iterator[str]:
        for source in sources:
            yield from source.fixture.sizes if source.fixture else ()
        for code in fences:
            yield from (name for name, _ in _literal_sizes(code))


def _guesses(sources: list[Source], missing: list[Missing]) -> frozenset[str]:
    """Say which parts of the variant had a say in a program."""
    told = {"world" for source in sources if source.label.startswith("stock: ")}
    told |= {"earlier" for source in sources if source.kind == "context"}
    return frozenset(told | {"world"} if missing else told)


def _literal_sizes(code: str) -> Iterator[tuple[str, ast.Assign]]:
    """Find `S = 512` at the top level of code."""
    for node in statements(code):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            number = isinstance(value, ast.Constant) and type(value.value) is int
            if isinstance(target, ast.Name) and number:
                yield target.id, node


def _result_name(drive: Drive) -> str:
    return "result" if "result" not in (drive.name, *drive.parameters) else "result_"


def _result_cell(codes: Iterable[str], drive: Drive | None) -> Cell:
    names = [_result_name(drive)] if drive else _assigned(codes)
    if not names:
        return Cell(role="result", code="")
    listed = ", ".join(repr(name) for name in names) + ("," if len(names) == 1 else "")
    code = f"""for _name in ({listed}):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{{_name}}: {{_text}} {{getattr(_value, 'dtype', '')}}".rstrip())"""
    return Cell(role="result", code=code)


def _assigned(codes: Iterable[str]) -> list[str]:
    """Names that top-level statements assign, in order; imports and definitions are none."""
    names: dict[str, None] = {}
    for code in codes:
        for node in statements(code):
            targets = node.targets if isinstance(node, ast.Assign) and ":=" not in code else []
            plain = [target.id for target in targets if isinstance(target, ast.Name)]
            if plain and len(plain) == len(targets):
                names |= dict.fromkeys(plain)
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.With):
                bound = names_of(ast.Module(body=[node], type_ignores=[])).bound
                stored = (n for n in ast.walk(node) if isinstance(n, ast.Name))
                names |= dict.fromkeys(
                    n.id for n in stored if isinstance(n.ctx, ast.Store) and n.id in bound
                )
    return [name for name in names if not name.startswith("_")][:8]
