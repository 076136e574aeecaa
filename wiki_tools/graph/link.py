"""Resolves every link of a vault."""

from collections.abc import Iterable, Sequence

from wiki_tools.collector import without_collector
from wiki_tools.config import Config
from wiki_tools.graph.files import Files
from wiki_tools.graph.outline import Outline, outline_of
from wiki_tools.graph.relations import relation_words, typed_links
from wiki_tools.graph.resolve import AnyLink, Resolver
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink
from wiki_tools.markup import Link
from wiki_tools.pages import Page

TypedLinks = Iterable[tuple[Link, str]]
"""Links with their relations."""


def link_pages(pages: Sequence[Page], config: Config) -> LinkGraph:
    """Resolve every link of a vault; each lands in exactly one bucket."""
    with without_collector():
        words = relation_words(config)
        ordered = sorted(pages, key=lambda page: page.path)
        return link_outlines(
            [(outline_of(page, config), typed_links(page, words)) for page in ordered], config
        )


def link_outlines(rows: Sequence[tuple[Outline, TypedLinks]], config: Config) -> LinkGraph:
    """Resolve the links of outlined pages, given in the order of their paths."""
    with without_collector():
        resolver = Resolver(tuple(outline for outline, _ in rows), Files(config.docs))
        return _sorted_out(
            resolver.resolve(outline, link, relation)
            for outline, links in rows
            for link, relation in links
        )


def _sorted_out(rows: Iterable[AnyLink]) -> LinkGraph:
    resolved: list[ResolvedLink] = []
    broken: list[BrokenLink] = []
    files: list[FileLink] = []
    for row in rows:
        if row.__class__ is ResolvedLink:
            resolved.append(row)
        elif isinstance(row, BrokenLink):
            broken.append(row)
        elif isinstance(row, FileLink):
            files.append(row)
    return LinkGraph(resolved=tuple(resolved), broken=tuple(broken), files=tuple(files))
