"""Cuts code into the statements that make some names, and the rest; lines are kept."""

import ast
from collections.abc import Collection

from wiki_tools.code import statements
from wiki_tools.snippets.edits import keep_lines
from wiki_tools.snippets.names import names_of


def share_statements(code: str, names: Collection[str]) -> tuple[str, str]:
    """Split code into what makes `names` (a backward slice) and everything else.

    Imports and definitions that the slice needs belong to it. A statement that rebinds a name
    of the slice after its last use in it stays in the rest. Both texts keep every line's number,
    with blank lines for the other part. Code that does not parse has an empty slice.
    """
    body = statements(code)
    if not body:
        return "", code
    kept = _makers(body, set(names))
    rest = [statement for statement in body if statement not in kept]
    return keep_lines(code, kept), keep_lines(code, rest)


def keep_makers(code: str, names: Collection[str]) -> str:
    """Keep only the statements that make `names`."""
    return share_statements(code, names)[0]


def _makers(body: list[ast.stmt], wanted: set[str]) -> list[ast.stmt]:
    """Walk backwards; a statement that binds (or may change) a wanted name makes it."""
    kept: list[ast.stmt] = []
    for statement in reversed(body):
        found = names_of(ast.Module(body=[statement], type_ignores=[]))
        if not (found.bound | _changed(statement)) & wanted:
            continue
        kept.append(statement)
        if isinstance(
            statement, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.With
        ):
            wanted -= found.bound
        wanted |= found.free.keys()
    return kept[::-1]


def _changed(statement: ast.stmt) -> set[str]:
    """Names that a statement changes in place: `x[0] = 1`, `x += 1`, `torch.manual_seed(0)`."""
    changed = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            root: ast.expr = node
            while isinstance(root, ast.Subscript | ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name):
                changed.add(root.id)
    return changed
