"""Changes a program in one place at a time, to see whether its checks notice.

Mutation analysis: R. A. DeMillo, R. J. Lipton, F. G. Sayward, "Hints on Test Data Selection: Help
for the Practicing Programmer", Computer 11 (1978) 34-41. The changes are those that such pages
get wrong: an operator, a comparison, a constant, an axis.
"""

import ast
import random
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wiki_tools.code import parse_code
from wiki_tools.protocol import Cells

AXES = ("dim", "axis", "dims", "in_axes", "in_dims")
"""Arguments that choose an axis."""
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),  # of square matrices the shape stays
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A program that differs in one place."""

    kind: str
    """`operator`, `comparison`, `constant` or `axis`."""
    path: str
    line: int
    """1-based, in the page."""
    before: str
    after: str
    cells: Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """Bytes of one line that become others."""

    kind: str
    line: int
    start: int
    end: int
    after: str


def find_mutants(cells: Cells, most: int = 12) -> tuple[Mutant, ...]:
    """Make the mutants of a program, in the order of its text; its checks stay as they are.

    Args:
        cells: the program; only what is the page's own pattern is changed.
        most: how many; of more, some are drawn, the same ones each time, each kind in turn.
    """
    found = [
        (index, change)
        for index, cell in enumerate(cells)
        if cell.role == "pattern"
        for change in _changes(cell.code)
    ]
    return tuple(_mutant(cells, index, change) for index, change in _draw(found, most))


def _draw(found: Sequence[tuple[int, _Change]], most: int) -> list[tuple[int, _Change]]:
    """Draw from each kind in turn: a page of constants would show nothing else."""
    order = random.Random(zlib.crc32(repr([c.after for _, c in found]).encode()))
    kinds: dict[str, list[int]] = {}
    for position in order.sample(range(len(found)), len(found)):
        kinds.setdefault(found[position][1].kind, []).append(position)
    drawn: list[int] = []
    while len(drawn) < min(most, len(found)):
        drawn += [rest.pop() for rest in kinds.values() if rest]
    return [found[position] for position in sorted(drawn[:most])]


def _mutant(cells: Cells, index: int, change: _Change) -> Mutant:
    cell = cells[index]
    lines = cell.code.split("\n")
    row = lines[change.line - 1].encode()
    code = b"".join((row[: change.start], change.after.encode(), row[change.end :])).decode()
    lines[change.line - 1] = code
    changed = replace(cell, code="\n".join(lines))
    return Mutant(
        kind=change.kind,
        path=cell.path,
        line=cell.line + change.line - 1,
        before=row.decode().strip(),
        after=code.strip(),
        cells=(*cells[:index], changed, *cells[index + 1 :]),
    )


def _changes(code: str) -> Iterator[_Change]:
    tree = parse_code(code)
    if tree is None or "\r" in code or "\f" in code:  # lines would be counted in another way
        return
    rows = [row.encode() for row in code.split("\n")]
    silent = _unseen(tree)
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        match node:
            case ast.BinOp() if type(node.op) in OPERATORS:
                pair = OPERATORS[type(node.op)]
                yield from _between(rows, "operator", node.left, node.right, pair)
            case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
                pair = COMPARISONS[type(operator)]
                yield from _between(rows, "comparison", node.left, node.comparators[0], pair)
            case ast.keyword(arg=str(name), value=value) if name in AXES:
                yield from _axis(value)
            case ast.Constant(value=bool() | int() | float() as value):
                yield _replaced("constant", node, repr(_another(value)))
            case _:
                continue


def _unseen(tree: ast.AST) -> set[int]:
    """Nodes that are no constants of their own: axes, and parts of f-strings, which have none."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.keyword) and node.arg in AXES):
            found |= {id(part) for part in ast.walk(node) if part is not node}
    return found


def _between(
    rows: list[bytes], kind: str, left: ast.expr, right: ast.expr, pair: tuple[str, str]
) -> Iterator[_Change]:
    """Exchange an operator, which has no position of its own; parentheses may stand beside it."""
    before, after = pair
    line, start = left.end_lineno or 0, left.end_col_offset or 0
    if line != right.lineno:
        return
    gap = rows[line - 1][start : right.col_offset]
    at = gap.find(before.encode())
    if at >= 0 and not gap.replace(before.encode(), b"", 1).strip(b" \t()"):
        yield _Change(
            kind=kind, line=line, start=start + at, end=start + at + len(before), after=after
        )


def _axis(value: ast.expr) -> Iterator[_Change]:
    """Take another axis: the last for the first, else the first."""
    try:
        axis = ast.literal_eval(value)
    except ValueError:
        return
    if type(axis) is int:
        yield _replaced("axis", value, "-1" if axis == 0 else "0")


def _another(value: float) -> float:
    """Another number of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return 2 * value if 0 < abs(value) < sys.float_info.max / 2 else 1.0


def _replaced(kind: str, node: ast.expr, after: str) -> _Change:
    end = node.end_col_offset or 0
    return _Change(kind=kind, line=node.lineno, start=node.col_offset, end=end, after=after)
