"""Resolves links; broken ones are values.

What only some commands ask of the graph is imported from where it stands: `answers`, `central`,
`document`, `drawing`, `sentences`.
"""

from wiki_tools.graph.canonical import (
    Standing,
    canonical_keys,
    declaration_of,
    declared_target,
    stand,
)
from wiki_tools.graph.census import Census, pack_census, take_census, unpack_census
from wiki_tools.graph.files import Files
from wiki_tools.graph.link import TypedLinks, link_outlines, link_pages
from wiki_tools.graph.names import RESOLUTIONS, Names, fold, without_extension
from wiki_tools.graph.outline import (
    Outline,
    PackedLink,
    give_outline_keys,
    outline_of,
    pack_links,
    unpack_link,
    unpack_outline,
)
from wiki_tools.graph.queries import backlinks, find_pages, orphans, path_between, unreached, wanted
from wiki_tools.graph.relations import relation_words, typed_links
from wiki_tools.graph.resolve import AnyLink, Resolver
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink

__all__ = [
    "RESOLUTIONS",
    "AnyLink",
    "BrokenLink",
    "Census",
    "FileLink",
    "Files",
    "LinkGraph",
    "Names",
    "Outline",
    "PackedLink",
    "ResolvedLink",
    "Resolver",
    "Standing",
    "TypedLinks",
    "backlinks",
    "canonical_keys",
    "declaration_of",
    "declared_target",
    "find_pages",
    "fold",
    "give_outline_keys",
    "link_outlines",
    "link_pages",
    "orphans",
    "outline_of",
    "pack_census",
    "pack_links",
    "path_between",
    "relation_words",
    "stand",
    "take_census",
    "typed_links",
    "unpack_census",
    "unpack_link",
    "unpack_outline",
    "unreached",
    "wanted",
    "without_extension",
]
