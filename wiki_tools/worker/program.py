"""Lays a program out in a real file, makes its namespace and runs its cells.

`inspect.getsource`, `torch.jit.script` and dynamo read source text from files, so every cell is
compiled from one. A program is one file: the page's own cells stand on the page's own lines, all
others (fixtures, generated calls and checks) follow below the last of them, and `locate` says
where a line of the file was written.
"""

# ruff: noqa: PTH103, PTH123
# pathlib costs every forked child half a millisecond of page faults.

import __future__

import ast
import inspect
import os
import sys
import types
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
    cells: Cells, *, folder: str, device: str = "cpu", frameworks: tuple[str, ...] = ()
) -> Namespace:
    """Write `cells` into a file below `folder` and make a fresh namespace for them; run nothing.

    The namespace belongs to a module named `__main__`, registered as such (pickle, dataclasses
    and inspect need that, and `if __name__ == "__main__":` runs). It holds `device`, `dtype`
    and `framework`. Every call gives another file and another module, so that two programs of
    one process do not share names.
    """
    layout = lay_out(cells, program_folder(folder, len(_layouts)))
    module = types.ModuleType("__main__")
    framework = next((f for f in ("torch", "jax") if f in frameworks), "numpy")
    module.__dict__.update(
        __file__=layout.file, device=device, dtype=_dtype(framework), framework=framework
    )
    sys.modules["__main__"] = module
    _owners[id(module.__dict__)] = (module, layout)
    return module.__dict__


def program_folder(folder: str, number: int) -> str:
    """Where the file of the `number`th program of a process lies; the first is 0."""
    return f"{folder}/.program{number}"


_owners: dict[int, tuple[types.ModuleType, Layout]] = {}
"""Namespace to its layout; keeps the module alive, since a freed module clears its namespace."""


def layout_of(namespace: Namespace) -> Layout:
    """Give the layout that a namespace of `make_namespace` was made with."""
    return _owners[id(namespace)][1]


def _dtype(framework: str) -> Any:
    if framework == "torch":
        return getattr(sys.modules.get("torch"), "float32", "float32")
    return getattr(sys.modules.get("numpy"), "float32", "float32")


def lay_out(cells: Cells, folder: str) -> Layout:
    """Write a program's file below `folder`, which need not exist."""
    layout, text = plan_layout(cells, folder)
    os.makedirs(folder, exist_ok=True)
    with open(layout.file, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    _layouts[layout.file] = layout
    return layout


def plan_layout(cells: Cells, folder: str) -> tuple[Layout, str]:
    """Decide where each cell stands in a program's file, and what the file holds."""
    page = next((c.path for c in reversed(cells) if c.role == "pattern" and c.path), "")
    page = page or next((c.path for c in cells if c.path), "snippet.py")
    lines: list[str] = []
    starts = [_put(lines, cell, cell.line) if cell.path == page else 0 for cell in cells]
    for index, cell in enumerate(cells):
        starts[index] = starts[index] or _put(lines, cell, len(lines) + 2)
    name = page.replace("\\", "/").rstrip("/").rpartition("/")[2].replace("\0", "")
    file = f"{folder}/{name if name not in ('', '.', '..') else 'page'}"
    return Layout(file=file, page=page, cells=cells, starts=tuple(starts)), "\n".join([*lines, ""])


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
    return tuple(_parse(cell, namespace) for cell in cells)


def _parse(cell: Cell, namespace: Namespace) -> ast.Module:
    layout = layout_of(namespace)
    start = layout.starts[layout.cells.index(cell)]
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    text = "\n" * (start - 1) + _text(cell.code)
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
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    file = layout_of(namespace).file
    flags = _flags.get(file, 0) | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code: types.CodeType = compile(tree, file, mode, flags, dont_inherit=True)
    _flags[file] = (flags | code.co_flags) & _FUTURE
    return code


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
