"""Reads the tree and types the front matter."""

from wiki_tools.pages.collector import without_collector
from wiki_tools.pages.frontmatter import read_frontmatter
from wiki_tools.pages.read import give_keys, key_of, language_of, read_page, read_pages
from wiki_tools.pages.types import Frontmatter, Page, Section

__all__ = [
    "Frontmatter",
    "Page",
    "Section",
    "give_keys",
    "key_of",
    "language_of",
    "read_frontmatter",
    "read_page",
    "read_pages",
    "without_collector",
]
