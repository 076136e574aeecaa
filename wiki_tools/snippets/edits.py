"""Replaces stretches of code by AST position, so that every line keeps its number."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A stretch of code and what takes its place; columns count UTF-8 bytes, as in `ast`."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def replace(node: ast.expr | ast.keyword | ast.stmt, text: str) -> Edit:
    """Put `text` where a node stands."""
    end_line, end_column = node.end_lineno, node.end_col_offset
    assert end_line is not None
    assert end_column is not None
    return Edit(
        line=node.lineno,
        column=node.col_offset,
        end_line=end_line,
        end_column=end_column,
        text=text,
    )


def insert(line: int, column: int, text: str) -> Edit:
    """Put `text` before a place."""
    return Edit(line=line, column=column, end_line=line, end_column=column, text=text)


def apply_edits(code: str, edits: Iterable[Edit]) -> str:
    """Make all replacements, last first; line breaks inside a replaced stretch are kept."""
    lines = [row.encode() for row in code.split("\n")]
    order = sorted(
        set(edits), key=lambda e: (e.line, e.column, e.end_line, e.end_column), reverse=True
    )
    for edit in order:
        first, last = edit.line - 1, edit.end_line - 1
        tail = lines[last][edit.end_column :]
        lines[first] = lines[first][: edit.column] + edit.text.encode()
        for index in range(first + 1, last + 1):
            lines[index] = b""
        lines[last] += tail
    return b"\n".join(lines).decode()


def keep_lines(code: str, nodes: Iterable[ast.stmt]) -> str:
    """Blank every line but those of some top-level statements, decorators included."""
    rows = code.split("\n")
    kept: set[int] = set()
    for node in nodes:
        kept.update(range(first_line(node) - 1, node.end_lineno or node.lineno))
    return "\n".join(row if index in kept else "" for index, row in enumerate(rows))


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])
