"""Narrows what is timed to what an accelerator has a say in."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from wiki_tools.code import parse_code
from wiki_tools.measure.ablations import Ablation
from wiki_tools.measure.signs import imported_names, mentions, signs_of_call
from wiki_tools.protocol import Cell, Cells
from wiki_tools.snippets.names import names_of

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def join_timed(cells: Cells) -> Cells:
    """Join the timed pieces of one fence, between which its assertions stood; drop the checks.

    A name that one piece needs may be made by the one before.
    """
    joined: list[Cell] = []
    for cell in cells:
        if cell.role in ("check", "result"):
            continue
        last = joined[-1] if joined else None
        if last and last.timed and cell.timed and (last.role, last.path) == (cell.role, cell.path):
            gap = cell.line - last.line - last.code.count("\n")
            if gap > 0 and cell.path:
                joined[-1] = replace(last, code=last.code + "\n" * gap + cell.code)
                continue
        joined.append(cell)
    return tuple(joined)


def focus(cells: Cells, row: Ablation) -> Cells:
    """Make set-up of what stands before the first statement that uses the accelerator.

    It is the same on both sides, and would only blur the ratio. Where the accelerator prepares
    (wraps a function, converts an input) that is set-up as well, and what is timed begins with
    the first use of what was prepared.
    """
    cells = join_timed(cells)
    timed = [cell for cell in cells if cell.timed]
    if len(timed) != 1 or timed[0].role == "drive":
        return cells
    line = _first_use(cells, timed[0], row)
    lines = timed[0].code.split("\n")
    before = replace(timed[0], code="\n".join(lines[: line - 1]), timed=False)
    if not any(_statements(before.code)):
        return cells
    after = replace(timed[0], code="\n".join(lines[line - 1 :]), line=timed[0].line + line - 1)
    return tuple(
        part for cell in cells for part in ((before, after) if cell is timed[0] else (cell,))
    )


class _Seen(NamedTuple):
    """A statement, and what it has to do with an accelerator."""

    cell: Cell
    statement: ast.stmt
    direct: bool
    """It shows the accelerator."""
    used: bool
    """It uses what an earlier statement made with it, or made of that."""


def _look(cells: Cells, row: Ablation, names: Mapping[str, str]) -> Iterator[_Seen]:
    """Follow an accelerator through a program, statement by statement."""
    touched: set[str] = set()
    for cell in cells:
        for statement in _statements(cell.code):
            found = names_of(ast.Module(body=[statement], type_ignores=[]))
            direct = mentions(statement, names, row.used_by)
            used = not touched.isdisjoint(found.free)
            yield _Seen(cell, statement, direct, used)
            if direct or used:
                touched |= found.bound


def is_used(cells: Cells, row: Ablation) -> bool:
    """Say whether timed code uses what the accelerator made, rather than only making it."""
    names = imported_names(cell.code for cell in cells)
    return any(
        used or (direct and not _only_makes(statement, names, row))
        for cell, statement, direct, used in _look(cells, row, names)
        if cell.timed and not isinstance(statement, DEFINITIONS)
    )


def _only_makes(statement: ast.stmt, names: Mapping[str, str], row: Ablation) -> bool:
    """Whether a statement's value is the very call that shows the accelerator."""
    value = getattr(statement, "value", None)
    signs = signs_of_call(value, names) if isinstance(value, ast.Call) else ()
    return any(sign in row.used_by for sign in signs)


def _first_use(cells: Cells, timed: Cell, row: Ablation) -> int:
    """Give the 1-based line of the first statement to time; 1 where nothing can be left out."""
    names = imported_names(cell.code for cell in cells)
    first = 0
    end = 0
    for cell, statement, direct, used in _look(cells, row, names):
        if cell is not timed:
            continue
        begins = statement.lineno if statement.lineno > end else 1
        end = statement.end_lineno or statement.lineno
        if isinstance(statement, DEFINITIONS):
            continue
        if (used and not (direct and row.prepares)) or (direct and not row.prepares):
            return begins
        if direct and not first:
            first = begins
    return first or 1


def _statements(code: str) -> Iterator[ast.stmt]:
    tree = parse_code(code)
    yield from tree.body if tree else ()
