"""The kinds of rules, and what each kind looks at."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.config import Config
from wiki_tools.graph import AnyLink, Outline
from wiki_tools.pages import Page

if TYPE_CHECKING:  # most vaults run nothing, and need not wait for what runs
    from wiki_tools.claims import Claim
    from wiki_tools.snippets import Snippet


class FenceShape(NamedTuple):
    """What a fence shares with its translation."""

    role: str
    attributes: tuple[tuple[str, str], ...]
    line: int
    column: int
    tokens: tuple[tuple[str, int, int], ...]
    """What is code or asserts something, with its line and column in the page."""


class PageLinks(NamedTuple):
    """What the rules that look at the whole wiki need to know of one page's links."""

    total: int = 0
    reached: tuple[str, ...] = ()
    """Keys of the other pages that the page leads to, and those that they stand for."""
    parents: tuple[tuple[str, int, int], ...] = ()
    """Key, line and column of each parent."""
    wanted: tuple[tuple[str, str, int, int, str], ...] = ()
    """Target as it is compared, the link's text, its line and column, and what it calls the page,
    folders left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiki:
    """All that rules of the whole wiki may look at; none holds a page's text."""

    config: Config
    pages: Sequence[Outline]
    """In the order of their paths; whoever needs but a few takes those, since each is unpacked
    when it is looked at."""
    keys: Mapping[str, str]
    """Path to key of each page, in the same order."""
    declared: Mapping[str, str]
    """Key of each page that stands for another, to the key of that one."""
    canonical: Mapping[str, str]
    """Key of every page to the key that it stands for, chains followed."""
    links: Mapping[str, PageLinks]
    """By path."""
    fences: Mapping[str, tuple[FenceShape, ...]]
    """By path, those of pages that have translations."""
    signatures: Mapping[str, bytes]
    """By path, what the pages say: `similar.signature`."""
    near: Mapping[str, str]
    """What links call a page that is not there, to the name that was likely meant, or nothing."""
    today: datetime.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Backing:
    """What stands behind the pages, where the vault runs its snippets."""

    config: Config
    snippets: "tuple[Snippet, ...]" = ()
    unbacked: "tuple[Claim, ...]" = ()
    """Claims that no measurement stands behind."""
    drifted: tuple[str, ...] = ()
    """Files under `snippets/` that no longer match their page, relative to the vault's root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRule:
    """Looks at one page; what it finds is remembered for as long as the page stays."""

    codes: tuple[str, ...]
    find: Callable[[Config, Page], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Looks at the links of one page, resolved; remembered while no page's names change.

    Links that lead to another page which stands for no third one are left out: nothing is wrong
    with them, and they are nine of ten.
    """

    codes: tuple[str, ...]
    find: Callable[[Sequence[AnyLink]], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiRule:
    """Looks at all pages at once; remembered while nothing that it needs changes."""

    codes: tuple[str, ...]
    needs: tuple[str, ...]
    """Of `pages`, `reached`, `parents`, `wanted`, `near`, `fences`, `signatures` and `today`."""
    find: Callable[[Wiki], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackingRule:
    """Looks at what runs; for vaults that have snippets or evidence."""

    codes: tuple[str, ...]
    find: Callable[[Backing], Iterator[Diagnostic]]


Rule = PageRule | LinkRule | WikiRule | BackingRule
