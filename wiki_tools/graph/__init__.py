"""Resolves links; broken ones are values."""

from wiki_tools.graph.answers import (
    Document,
    backlinks_answer,
    central_answer,
    orphans_answer,
    path_answer,
    wanted_answer,
)
from wiki_tools.graph.canonical import (
    Standing,
    canonical_keys,
    declaration_of,
    declared_target,
    stand,
)
from wiki_tools.graph.central import Central, central
from wiki_tools.graph.document import edge_row, graph_document, write_document
from wiki_tools.graph.drawing import write_dot, write_graphml, write_mermaid
from wiki_tools.graph.files import Files
from wiki_tools.graph.link import TypedLinks, link_outlines, link_pages
from wiki_tools.graph.names import RESOLUTIONS, Names, fold, without_extension
from wiki_tools.graph.outline import Outline, give_outline_keys, outline_of, pack_link, unpack_link
from wiki_tools.graph.queries import (
    as_networkx,
    backlinks,
    find_pages,
    orphans,
    path_between,
    unreached,
    wanted,
)
from wiki_tools.graph.relations import relation_words, typed_links
from wiki_tools.graph.resolve import AnyLink, Resolver
from wiki_tools.graph.sentences import sentence_around
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink

__all__ = [
    "RESOLUTIONS",
    "AnyLink",
    "BrokenLink",
    "Central",
    "Document",
    "FileLink",
    "Files",
    "LinkGraph",
    "Names",
    "Outline",
    "ResolvedLink",
    "Resolver",
    "Standing",
    "TypedLinks",
    "as_networkx",
    "backlinks",
    "backlinks_answer",
    "canonical_keys",
    "central",
    "central_answer",
    "declaration_of",
    "declared_target",
    "edge_row",
    "find_pages",
    "fold",
    "give_outline_keys",
    "graph_document",
    "link_outlines",
    "link_pages",
    "orphans",
    "orphans_answer",
    "outline_of",
    "pack_link",
    "path_answer",
    "path_between",
    "relation_words",
    "sentence_around",
    "stand",
    "typed_links",
    "unpack_link",
    "unreached",
    "wanted",
    "wanted_answer",
    "without_extension",
    "write_document",
    "write_dot",
    "write_graphml",
    "write_mermaid",
]
