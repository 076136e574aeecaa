"""Reads Python's text: what a fence holds, and its tree, parsed once for all that look at it."""

from wiki_tools.code.kinds import Kind, find_kind, is_plain, session_source
from wiki_tools.code.trees import (
    UNPARSABLE,
    children,
    compile_error,
    nodes_of,
    parse_anew,
    parse_code,
    statements,
)

__all__ = [
    "UNPARSABLE",
    "Kind",
    "children",
    "compile_error",
    "find_kind",
    "is_plain",
    "nodes_of",
    "parse_anew",
    "parse_code",
    "session_source",
    "statements",
]
