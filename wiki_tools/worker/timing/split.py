"""Splits a program into what runs once and what is timed."""

import ast
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from wiki_tools.protocol import Cells

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
UNSEEN = ("print", "display")
"""Calls that show something and give nothing."""
VALUE = "__wiki_value"
"""The name that the value of a last expression gets."""
REPEATS, SAVED, WAIT = "__wiki_repeats", "__wiki_saved", "__wiki_wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Statements of one cell that stand together and are all timed, or all not."""

    statements: tuple[ast.stmt, ...]
    timed: bool

    @property
    def seed(self) -> int:
        """A number that depends on the code alone.

        Set-up that draws at random is seeded with it: both sides then get the same inputs, even
        where one of them has one more fixture, or the same ones in another order.
        """
        return zlib.crc32("\n".join(ast.unparse(s) for s in self.statements).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A program in the order in which it first runs."""

    chunks: tuple[Chunk, ...]
    results: tuple[tuple[str, ...], ...]
    """Groups of names that hold what the timed statements give, the last statement's first."""
    overwritten: frozenset[str]
    """Names that the timed statements bind."""

    @property
    def timed(self) -> tuple[ast.stmt, ...]:
        """All timed statements."""
        return tuple(s for chunk in self.chunks if chunk.timed for s in chunk.statements)


def split_program(cells: Cells, trees: Sequence[ast.Module]) -> Split:
    """Split cells, with their trees, into definitions and timed statements.

    Imports, functions and classes run once, wherever they stand. Where the program's own code
    only defines something, the call in its `drive` cell is what is timed.
    """
    drives = any(cell.timed and cell.role == "drive" for cell in cells)
    pieces: list[tuple[ast.stmt, bool, int]] = []
    for index, (cell, tree) in enumerate(zip(cells, trees, strict=True)):
        if cell.role in ("check", "result"):
            continue
        timed = cell.timed and (cell.role == "drive" or not drives)
        pieces += [(s, timed and not isinstance(s, DEFINITIONS), index) for s in tree.body]
    statements = [s for s, timed, _ in pieces if timed]
    if statements and isinstance(statements[-1], ast.Expr):
        named = _name_value(statements[-1])
        pieces = [(named if s is statements[-1] else s, t, i) for s, t, i in pieces]
    return Split(
        chunks=tuple(_chunks(pieces)),
        results=tuple(_results(statements)),
        overwritten=frozenset(_bound(statements)) | _declared_global(trees),
    )


def loop(
    statements: Sequence[ast.stmt], restored: Iterable[str], waited: Iterable[str]
) -> ast.Module:
    """Wrap statements in a loop that puts back `restored` and waits for `waited` each time."""
    before = [_parse_one(f"{name} = {SAVED}_{name}") for name in restored]
    after = [_parse_one(f"{WAIT}({', '.join(waited)})")] if waited else []
    outer = _parse_one(f"for {REPEATS}_i in {REPEATS}: pass")
    assert isinstance(outer, ast.For)
    outer.body = [*before, *statements, *after]
    return ast.fix_missing_locations(ast.Module(body=[outer], type_ignores=[]))


def _parse_one(code: str) -> ast.stmt:
    return ast.parse(code).body[0]


def _name_value(statement: ast.Expr) -> ast.Assign:
    target = ast.Name(id=VALUE, ctx=ast.Store())
    named = ast.Assign(targets=[target], value=statement.value)
    return ast.fix_missing_locations(ast.copy_location(named, statement))


def _chunks(pieces: Iterable[tuple[ast.stmt, bool, int]]) -> Iterator[Chunk]:
    for (timed, _), together in groupby(pieces, key=lambda piece: piece[1:]):
        yield Chunk(statements=tuple(statement for statement, _, _ in together), timed=timed)


def _results(statements: Sequence[ast.stmt]) -> Iterator[tuple[str, ...]]:
    if statements and isinstance(statements[-1], ast.Expr) and not _shows(statements[-1]):
        yield (VALUE,)
    for statement in reversed(statements):
        if names := tuple(dict.fromkeys(_given(statement))):
            yield names


def _shows(statement: ast.Expr) -> bool:
    call = statement.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in UNSEEN


def _given(statement: ast.stmt) -> Iterator[str]:
    """Name what a statement leaves behind: assigned names, and objects written into."""
    match statement:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _roots(target)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield from _roots(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner), keywords=keywords)):
            yield from _roots(owner)
            yield from (name for k in keywords if k.arg == "out" for name in _roots(k.value))
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield from next((n for n in map(tuple, map(_given, reversed(body))) if n), ())
        case ast.For(body=body, target=target) | ast.AsyncFor(body=body, target=target):
            names = [name for inner in body for name in _given(inner)]
            yield from (n for n in names if n not in set(_roots(target)))
        case ast.While(body=body):
            yield from (name for inner in body for name in _given(inner))
        case ast.If(body=body, orelse=other) | ast.Try(body=body, orelse=other):
            yield from (name for inner in (*body, *other) for name in _given(inner))
        case _:
            pass


def _roots(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
            yield from _roots(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _roots(part)
        case _:
            pass


def _bound(statements: Iterable[ast.AST]) -> Iterator[str]:
    """Name what statements bind in their own scope."""
    for node in statements:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=renamed):
                yield renamed or name.partition(".")[0]
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from (n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
                continue
            case _:
                pass
        if not isinstance(node, SCOPES):
            yield from _bound(ast.iter_child_nodes(node))


def _declared_global(trees: Iterable[ast.Module]) -> frozenset[str]:
    nodes = (node for tree in trees for node in ast.walk(tree))
    return frozenset(n for node in nodes if isinstance(node, ast.Global) for n in node.names)
