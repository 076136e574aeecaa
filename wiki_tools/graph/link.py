"""Resolves every link of a vault."""

from collections.abc import Iterable, Sequence

from wiki_tools.config import Config
from wiki_tools.graph.files import Files
from wiki_tools.graph.outline import outline_of
from wiki_tools.graph.relations import relation_words, typed_links
from wiki_tools.graph.resolve import AnyLink, Resolver
from wiki_tools.graph.types import BrokenLink, FileLink, LinkGraph, ResolvedLink
from wiki_tools.pages import Page, without_collector


def link_pages(pages: Sequence[Page], config: Config) -> LinkGraph:
    """Resolve every link of a vault; each lands in exactly one bucket."""
    with without_collector():
        ordered = sorted(pages, key=lambda page: page.path)
        outlines = tuple(outline_of(page, config) for page in ordered)
        resolver = Resolver(outlines, Files(config.docs))
        words = relation_words(config)
        return _sorted_out(
            resolver.resolve(outline, link, relation)
            for page, outline in zip(ordered, outlines, strict=True)
            for link, relation in typed_links(page, words)
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
