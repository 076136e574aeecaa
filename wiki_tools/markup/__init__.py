"""Markdown text into headings, links and fences with spans."""

from wiki_tools.markup.fences import (
    ATTRIBUTES,
    CLAIMS,
    HARDWARE,
    ROLES,
    is_code,
    is_runnable,
    owned_claims,
)
from wiki_tools.markup.headings import slugify
from wiki_tools.markup.links import WIKILINK, has_hole, read_wikilink
from wiki_tools.markup.parse import parse_markup
from wiki_tools.markup.prose import find_prose
from wiki_tools.markup.types import Fence, Heading, Link, Markup, Problem, Span

__all__ = [
    "ATTRIBUTES",
    "CLAIMS",
    "HARDWARE",
    "ROLES",
    "WIKILINK",
    "Fence",
    "Heading",
    "Link",
    "Markup",
    "Problem",
    "Span",
    "find_prose",
    "has_hole",
    "is_code",
    "is_runnable",
    "owned_claims",
    "parse_markup",
    "read_wikilink",
    "slugify",
]
