"""Parses code once for all that look at it."""

import ast
import functools
import warnings

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast.parse` and `compile` raise on text that is no Python, however hostile."""


@functools.lru_cache(maxsize=16384)
def parse_code(code: str) -> ast.Module | None:
    """Parse code; None where it is not Python. The tree is shared: nobody may change it."""
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


@functools.lru_cache(maxsize=16384)
def nodes_of(code: str) -> tuple[ast.AST, ...]:
    """Give every node of code; none where it is not Python."""
    tree = parse_code(code)
    try:
        return tuple(ast.walk(tree)) if tree else ()
    except RecursionError:
        return ()
