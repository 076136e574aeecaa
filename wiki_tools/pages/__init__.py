"""Reads the tree and types the front matter."""

from wiki_tools.pages.fields import OWN, known_name, split_names
from wiki_tools.pages.frontmatter import read_frontmatter
from wiki_tools.pages.keys import Claimant, assign_keys
from wiki_tools.pages.read import (
    PageReader,
    give_keys,
    key_of,
    language_of,
    load_bytes,
    read_page,
    read_pages,
    unreadable,
)
from wiki_tools.pages.schema import frontmatter_schema
from wiki_tools.pages.types import Frontmatter, Page, Section

__all__ = [
    "OWN",
    "Claimant",
    "Frontmatter",
    "Page",
    "PageReader",
    "Section",
    "assign_keys",
    "frontmatter_schema",
    "give_keys",
    "key_of",
    "known_name",
    "language_of",
    "load_bytes",
    "read_frontmatter",
    "read_page",
    "read_pages",
    "split_names",
    "unreadable",
]
