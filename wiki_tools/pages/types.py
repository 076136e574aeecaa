"""What a Markdown file of the wiki is read into."""

import datetime
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from wiki_tools.markup import Heading, Markup, Problem

Status = Literal["", "draft", "review", "verified", "deprecated"]
Trust = Literal["", "A", "B", "C", "D"]
Verification = Literal["", "pending", "applied", "conceptual", "failed"]


class Frontmatter(BaseModel):
    """The typed front matter of a page; unknown keys are kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str = Field(default="", description="Unique; translations share it.")
    title: str = ""
    category: str = Field(default="", description="A path that the page lies at or below.")
    status: Status = Field(default="", description="What the page's author declares.")
    canonical_id: str = Field(default="self", description="`self` or an id.")
    aliases: tuple[str, ...] = Field(default=(), description="Other names; links may use them.")
    duplicate_of: str = Field(default="none", description="`none` or an id.")
    source_trust_level: Trust = ""
    confidence_score: float | None = Field(default=None, ge=0, le=1)
    verification_status: Verification = ""
    tags: tuple[str, ...] = ()
    raw_sources: tuple[str, ...] = Field(default=(), description="URLs or links.")
    last_reinforced: datetime.date | None = Field(
        default=None, description="Long ago means that the page is aged."
    )
    github_commit: str = Field(default="pending", description="`pending` or a commit.")
    tech_stack: dict[str, Any] = Field(default={}, description="`language`, `framework`.")


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
    """The front matter's title, else the first heading that opens no known section, else the
    file's name."""
    frontmatter: Frontmatter
    markup: Markup
    sections: tuple[Section, ...]
    places: dict[str, int]
    """Front-matter key to its 1-based line."""
    problems: tuple[Problem, ...] = ()
    """The markup's and the front matter's."""

    def section(self, name: str) -> Section | None:
        """The first section of a name, or None."""
        return next((section for section in self.sections if section.name == name), None)
