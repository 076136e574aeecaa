"""A finding, a rule, and what rules look at."""

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.config import Config
from wiki_tools.graph import LinkGraph
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A finding."""

    code: str
    severity: str
    """`error`, `warning` or `info`."""
    path: str
    """Relative to the docs folder; for other files relative to the vault's root."""
    line: int
    column: int
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiki:
    """All that rules may look at."""

    config: Config
    pages: tuple[Page, ...]
    graph: LinkGraph
    snippets: tuple[Snippet, ...]
    unbacked: tuple[Claim, ...]
    """Claims that no measurement stands behind."""
    drifted: tuple[str, ...]
    """Files under `snippets/` that no longer match their page, relative to the vault's root."""
    today: datetime.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code of findings, as it is documented."""

    name: str
    severity: str
    meaning: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Looks for findings of one or more codes."""

    codes: tuple[str, ...]
    find: Callable[[Wiki], Iterator[Diagnostic]]
