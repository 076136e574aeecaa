"""Reads the tree and types the front matter."""

import datetime
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from wiki_tools.markup import Heading, Markup, Problem


class Frontmatter(BaseModel):
    """The typed front matter of a page; unknown keys are kept in `model_extra`."""

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
    tech_stack: dict[str, Any] = {}


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
    """The front matter's title, else the first heading, else the file's name."""
    frontmatter: Frontmatter
    markup: Markup
    sections: tuple[Section, ...]
    places: dict[str, int]
    """Front-matter key to its 1-based line."""
    problems: tuple[Problem, ...] = ()
    """The markup's and the front matter's."""
