"""Resolves links; broken ones are values."""

from wiki_tools.graph.canonical import canonical_keys, declared_target
from wiki_tools.graph.document import graph_document, write_dot, write_graphml, write_mermaid
from wiki_tools.graph.link import link_pages
from wiki_tools.graph.names import Names, fold
from wiki_tools.graph.queries import (
    as_networkx,
    backlinks,
    find_pages,
    orphans,
    path_between,
    wanted,
)
from wiki_tools.graph.sentences import sentence_around
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink

__all__ = [
    "BrokenLink",
    "FileLink",
    "LinkGraph",
    "Names",
    "ResolvedLink",
    "as_networkx",
    "backlinks",
    "canonical_keys",
    "declared_target",
    "find_pages",
    "fold",
    "graph_document",
    "link_pages",
    "orphans",
    "path_between",
    "sentence_around",
    "wanted",
    "write_dot",
    "write_graphml",
    "write_mermaid",
]
