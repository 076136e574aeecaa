"""A vault without its texts: what decides where links lead."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.config import Config
from wiki_tools.graph import Outline, give_outline_keys, outline_of, relation_words, typed_links
from wiki_tools.markup import Link
from wiki_tools.pages import Page

Links = tuple[tuple[Link, str], ...]
"""A page's links with their relations, in the order of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Every page's outline and links."""

    outlines: tuple[Outline, ...]
    """In the order of their paths, with the keys that they have among each other."""
    links: Mapping[str, Links]
    """By path."""


def make_world(config: Config, rows: Iterable[tuple[Outline, Iterable[tuple[Link, str]]]]) -> World:
    """Put pages together; their keys are decided anew."""
    rows = sorted(rows, key=lambda row: row[0].path)
    outlines = give_outline_keys([outline for outline, _ in rows], config)
    return World(outlines=outlines, links={o.path: tuple(links) for o, links in rows})


def world_of(config: Config, pages: Sequence[Page]) -> World:
    """A vault whose pages are in memory."""
    words = relation_words(config)
    return make_world(config, [(outline_of(p, config), typed_links(p, words)) for p in pages])
