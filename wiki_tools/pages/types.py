"""What a Markdown file of the wiki is read into."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from wiki_tools.markup import Heading, Markup, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontmatter:
    """The typed front matter of a page; a key that is absent has its default."""

    id: str = ""
    title: str = ""
    category: str = ""
    status: str = ""
    canonical_id: str = "self"
    aliases: tuple[str, ...] = ()
    duplicate_of: str = "none"
    source_trust_level: str = ""
    confidence_score: float | None = None
    verification_status: str = ""
    tags: tuple[str, ...] = ()
    raw_sources: tuple[str, ...] = ()
    last_reinforced: datetime.date | None = None
    github_commit: str = "pending"
    tech_stack: dict[str, Any] = field(default_factory=dict)
    lab: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    """Keys that the wiki does not know, with their values as JSON has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A known section of a page."""

    name: str
    """A key of `Config.sections`."""
    heading: Heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One Markdown file."""

    path: str
    """Relative to the docs folder, with `/`."""
    key: str
    """The front matter's id, else `path` without its language and `.md`: translations share it."""
    language: str
    """The suffix's language, else the default one."""
    title: str
    """The front matter's title, else the first heading of level 1 that opens no known
    section, else the file's name."""
    frontmatter: Frontmatter
    markup: Markup
    sections: tuple[Section, ...]
    places: dict[str, tuple[int, int]]
    """Front-matter key to its line and column; `key[i]` to those of a list's i-th item."""
    problems: tuple[Problem, ...] = ()
    """The markup's and the front matter's."""

    def section(self, name: str) -> Section | None:
        """The first section of a name, or None."""
        return next((section for section in self.sections if section.name == name), None)

    def place(self, key: str, index: int | None = None) -> tuple[int, int]:
        """Line and column of a front-matter key, or of an item of its list.

        An item without a place of its own has the key's, an absent key the page's beginning.
        """
        place = self.places.get(f"{key}[{index}]") if index is not None else None
        return place or self.places.get(key, (1, 1))
