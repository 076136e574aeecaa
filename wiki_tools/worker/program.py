"""Lays a program out in a real file, makes its namespace and runs its cells.

`inspect.getsource`, `torch.jit.script` and dynamo read source text from files, so every cell is
compiled from one. A program is one file: the page's own cells stand on the page's own lines, all
others (fixtures, generated calls and checks) follow below the last of them, and `locate` says
where a line of the file was written.
"""

import __future__

import ast
import inspect
import os
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from wiki_tools.protocol import Cell, Cells

Namespace = dict[str, Any]

_FUTURE = reduce(or_, (getattr(__future__, n).compiler_flag for n in __future__.all_feature_names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a line was written."""

    cell: int
    """Index into the program's cells."""
    path: str
    """Relative to the vault's root; empty for generated text."""
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A program in one file."""

    file: str
    page: str
    """What the file stands for, relative to the vault's root."""
    cells: Cells
    starts: tuple[int, ...]
    """The 1-based line of `file` on which each cell begins."""

    def locate(self, line: int) -> Place | None:
        """Find where a line of the file was written; None between cells."""
        for index, (cell, start) in enumerate(zip(self.cells, self.starts, strict=True)):
            if start <= line < start + _height(cell.code):
                return Place(cell=index, path=cell.path, line=cell.line + line - start)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A cell as it runs."""

    code: types.CodeType
    shown: types.CodeType | None
    """Its trailing expression, whose value is shown."""
    checked: tuple[str, ...]
    """What it asserts, as `line: text`, where it is a check."""
    flags: int
    """What `from __future__` has turned on up to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A program as it is to be written, with those of its first cells that are compiled already."""

    layout: Layout
    text: str
    compiled: tuple[Compiled, ...] = ()


_layouts: dict[str, Layout] = {}
"""Every program of this process by its file: a traceback names nothing but the file."""


def locate(file: str, line: int) -> Place | None:
    """Find where a line of a program's file was written; None for any other file."""
    layout = _layouts.get(file)
    return layout.locate(line) if layout else None


def hide_folders(text: str) -> str:
    """Name the page as the vault does wherever text names a program's file."""
    for layout in _layouts.values():
        text = text.replace(layout.file, layout.page)
    return text


def make_namespace(
    cells: Cells,
    *,
    folder: str,
    device: str = "cpu",
    frameworks: tuple[str, ...] = (),
    plan: Plan | None = None,
) -> Namespace:
    """Write `cells` into a file in `folder` and make a fresh namespace for them; run nothing.

    The namespace belongs to a module named `__main__`, registered as such (pickle, dataclasses
    and inspect need that, and `if __name__ == "__main__":` runs). It holds `device`, `dtype`
    and `framework`. Every call gives another file and another module, so that two programs of
    one process do not share names.

    Args:
        cells: the program.
        folder: where its file is to lie.
        device: what the name is to hold.
        frameworks: those that are loaded.
        plan: what `plan_program` says of the same cells and folder, where that is known.
    """
    plan = plan or plan_program(cells, folder, len(_layouts))
    layout = plan.layout
    _write(layout.file, plan.text)
    _layouts[layout.file] = layout
    if plan.compiled:
        _flags[layout.file] = plan.compiled[-1].flags
    module = types.ModuleType("__main__")
    names = module.__dict__
    framework = "torch" if "torch" in frameworks else "jax" if "jax" in frameworks else "numpy"
    names["__file__"] = layout.file
    names["device"] = device
    names["dtype"] = _dtype(framework)
    names["framework"] = framework
    sys.modules["__main__"] = module
    _owners[id(names)] = (module, layout)
    return names


def _write(file: str, text: str) -> None:
    data = text.encode("utf-8", "replace")
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def forget_programs() -> None:
    """Forget every program that this process has laid out, as after a rehearsal."""
    _layouts.clear()
    _owners.clear()
    _flags.clear()


_owners: dict[int, tuple[types.ModuleType, Layout]] = {}
"""Namespace to its layout; keeps the module alive, since a freed module clears its namespace."""


def layout_of(namespace: Namespace) -> Layout:
    """Give the layout that a namespace of `make_namespace` was made with."""
    return _owners[id(namespace)][1]


def _dtype(framework: str) -> Any:
    if framework == "torch":
        return getattr(sys.modules.get("torch"), "float32", "float32")
    return getattr(sys.modules.get("numpy"), "float32", "float32")


def plan_program(cells: Cells, folder: str, number: int = 0) -> Plan:
    """Decide where each cell stands in a program's file, and what the file holds.

    Args:
        cells: the program.
        folder: where its file is to lie.
        number: which program of a process it is; the first is 0.
    """
    page = next((c.path for c in reversed(cells) if c.role == "pattern" and c.path), "")
    page = page or next((c.path for c in cells if c.path), "snippet.py")
    lines: list[str] = []
    starts = [_put(lines, cell, cell.line) if cell.path == page else 0 for cell in cells]
    for index, cell in enumerate(cells):
        starts[index] = starts[index] or _put(lines, cell, len(lines) + 2)
    name = page.replace("\\", "/").rstrip("/").rpartition("/")[2].replace("\0", "")
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        name = "page"
    file = f"{folder}/.program{number}-{name}"
    layout = Layout(file=file, page=page, cells=cells, starts=tuple(starts))
    return Plan(layout=layout, text="\n".join([*lines, ""]))


LONGEST_NAME = 200
"""Bytes of a page's name that are kept in its program's; a system allows 255 for both."""


def _put(lines: list[str], cell: Cell, start: int) -> int:
    """Write a cell into `lines` from line `start`; 0 where those lines are taken."""
    start = max(start, 1)
    end = start - 1 + _height(cell.code)
    if any(lines[start - 1 : end]):
        return 0
    lines.extend([""] * (end - len(lines)))
    lines[start - 1 : end] = _text(cell.code).split("\n")
    return start


def _height(code: str) -> int:
    return _text(code).count("\n") + 1


def _text(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\r", "\n")


def parse_cells(cells: Cells, namespace: Namespace) -> tuple[ast.Module, ...]:
    """Parse a program, one tree a cell, with the lines of its file.

    `cells` are those that the namespace was made for, or some of them.

    Raises:
        SyntaxError: a cell is not Python. Its line is one of the program's file.
    """
    layout = layout_of(namespace)
    return tuple(_parse(layout, layout.cells.index(cell)) for cell in cells)


def _parse(layout: Layout, index: int) -> ast.Module:
    start = layout.starts[index]
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    text = "\n" * (start - 1) + _text(layout.cells[index].code)
    try:
        tree = compile(text, layout.file, "exec", flags, dont_inherit=True)
    except (ValueError, OverflowError) as error:  # a NUL byte, a lone surrogate
        raise SyntaxError(str(error), (layout.file, start, None, None)) from None
    except (RecursionError, MemoryError):
        raise SyntaxError("too deeply nested", (layout.file, start, None, None)) from None
    assert isinstance(tree, ast.Module)
    return tree


def compile_tree(tree: ast.Module | ast.Expression, namespace: Namespace) -> types.CodeType:
    """Compile a tree, or a part of one, for the namespace's file.

    `from __future__` holds for what is compiled later in the same namespace, as in a notebook.
    """
    file = layout_of(namespace).file
    code, _flags[file] = _compile(tree, file, _flags.get(file, 0))
    return code


def _compile(
    tree: ast.Module | ast.Expression, file: str, flags: int
) -> tuple[types.CodeType, int]:
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    allowed = flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code: types.CodeType = compile(tree, file, mode, allowed, dont_inherit=True)
    return code, (allowed | code.co_flags) & _FUTURE


def compile_next(index: int, namespace: Namespace) -> Compiled:
    """Compile the next cell of a namespace's program, when its turn has come.

    Raises:
        SyntaxError: it is not Python.
    """
    layout = layout_of(namespace)
    compiled = compile_cell(layout, index, _flags.get(layout.file, 0))
    _flags[layout.file] = compiled.flags
    return compiled


def compile_cell(layout: Layout, index: int, flags: int) -> Compiled:
    """Compile a cell; a trailing expression is kept apart, so that its value can be shown.

    Raises:
        SyntaxError: it is not Python. Its line is one of the program's file.
    """
    cell = layout.cells[index]
    tree = _parse(layout, index)
    checked = tuple(_assertions(cell, tree, layout.starts[index]))
    last = tree.body[-1] if tree.body and cell.role in SHOWN else None
    shown = None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    code, flags = _compile(tree, layout.file, flags)
    if isinstance(last, ast.Expr):
        shown, flags = _compile(ast.Expression(last.value), layout.file, flags)
    return Compiled(code=code, shown=shown, checked=checked, flags=flags)


SHOWN = ("setup", "context", "pattern", "drive", "check", "result")
"""Roles whose last expression is shown; imports and fixtures are not the page's own words."""


def _assertions(cell: Cell, tree: ast.Module, start: int) -> Iterator[str]:
    """Name what a check asserts."""
    if cell.role != "check":
        return
    found = [node for node in tree.body if isinstance(node, ast.Assert)]
    for node in found:
        yield f"{cell.line + node.lineno - start}: {ast.unparse(node.test)}"
    if not found:
        yield f"{cell.line}: check"


_flags: dict[str, int] = {}


def run_code(code: types.CodeType, namespace: Namespace) -> Any:
    """Run compiled code; a top-level `await` is awaited. Gives the value of an expression."""
    value = eval(code, namespace)
    if code.co_flags & inspect.CO_COROUTINE:
        return _event_loop().run_until_complete(value)
    return value


_loops: list[Any] = []


def _event_loop() -> Any:
    import asyncio  # 40 ms that most programs do without

    if not _loops:
        _loops.append(asyncio.new_event_loop())
    return _loops[0]
