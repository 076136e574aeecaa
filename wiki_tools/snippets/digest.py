"""The digest of everything that decides whether a snippet passes."""

import ast
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping

from wiki_tools.code import parse_anew, parse_code
from wiki_tools.protocol import Cell
from wiki_tools.snippets.modules import Module
from wiki_tools.snippets.types import Program

DECISIVE = ("needs", "raises")
"""Attributes that decide what a run must do; claims, titles and limits do not."""


def digest_of(
    programs: Iterable[Program],
    role: str,
    attributes: Mapping[str, str],
    *,
    prints: str | None = None,
    skip: str = "",
    modules: Iterable[Module] = (),
) -> str:
    """Digest programs as they mean, not as they look.

    Comments, layout, line numbers, titles and languages do not count; code, fixtures, assertion
    comments, roles, what must be raised or printed, the names that stay unfilled and the vault's
    own modules do. What the machine has (versions, a device) stands beside it in the evidence.
    """
    value: dict[str, object] = {
        "programs": [
            {
                "cells": [
                    [c.role, normalized(c), c.timed] for c in program.cells if c.role != "result"
                ],
                "missing": sorted({m.name for m in program.missing}),
            }
            for program in programs
            if not program.variant.is_resort  # made of the same fences
        ],
        "role": role,
        "attributes": {key: attributes[key] for key in DECISIVE if key in attributes},
        "prints": prints,
        "skipped": bool(skip),
    }
    if imported := [[module.name, _normalized(module.code, False)] for module in modules]:
        value["modules"] = imported
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def normalized(cell: Cell) -> str:
    """A cell's code without comments and layout, and without what its assertions say."""
    return _normalized(cell.code, cell.role == "check")


@functools.lru_cache(maxsize=8192)
def _normalized(code: str, is_check: bool) -> str:
    tree = parse_code(code)
    if tree is None:
        return code
    try:
        if is_check and (own := parse_anew(code)):
            tree = own
            for node in ast.walk(tree):
                if isinstance(node, ast.Assert):
                    node.msg = None
        return ast.unparse(tree)
    except RecursionError:
        return code
