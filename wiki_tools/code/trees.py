"""Parses code once for all that look at it."""

import ast
import functools
import warnings
from collections.abc import Iterator

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast.parse` and `compile` raise on text that is no Python, however hostile."""
_LEAVES = frozenset(
    [int, str, type(None), float, complex, bool, bytes, type(...)]
    + [
        kind
        for group in (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
        for kind in group.__subclasses__()
    ]
)
_MOST = 2048
"""Trees that are kept: those of a page and of the fixtures, not of a whole wiki."""


def parse_code(code: str) -> ast.Module | None:
    """Parse code; None where it is not Python. The tree is shared: nobody may change it."""
    # a fence ends with a line break, a program's cell does not: one tree serves both
    return _parsed(code[:-1] if code.endswith("\n") and not code.endswith("\\\n") else code)


@functools.lru_cache(maxsize=_MOST)
def _parsed(code: str) -> ast.Module | None:
    return parse_anew(code)


def parse_anew(code: str) -> ast.Module | None:
    """Parse code into a tree that is the caller's own; None where it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is for the run to tell
            return ast.parse(code)
    except UNPARSABLE:
        return None


def compile_error(code: str) -> Exception | None:
    """Say why code does not compile; None where it does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "page", "exec", dont_inherit=True)
    except UNPARSABLE as error:
        return error
    return None


def statements(code: str) -> list[ast.stmt]:
    """Give the top-level statements of code; none where it is not Python."""
    tree = parse_code(code)
    return tree.body if tree else []


@functools.lru_cache(maxsize=_MOST)
def nodes_of(code: str) -> tuple[ast.AST, ...]:
    """Give every node of code in the order of `ast.walk`; none where it is not Python.

    Operators and contexts are left out: they hold nothing, and are a third of all.
    """
    tree = parse_code(code)
    nodes: list[ast.AST] = [tree] if tree else []
    for node in nodes:
        for value in node.__dict__.values():
            if type(value) is list:
                nodes += [item for item in value if type(item) not in _LEAVES]
            elif type(value) not in _LEAVES:
                nodes.append(value)
    return tuple(nodes)


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Give what a node holds, in order; operators and contexts (`Load`, `Add`) are left out."""
    for value in node.__dict__.values():
        if type(value) is list:
            yield from [item for item in value if type(item) not in _LEAVES]
        elif type(value) not in _LEAVES:
            yield value
