"""Resolves links; broken ones are values."""

from dataclasses import dataclass

from wiki_tools.markup import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedLink:
    """A link that a page answers to."""

    link: Link
    path: str
    """The page it stands in."""
    source: str
    """That page's key."""
    target: str
    """Key of the page that it names."""
    target_path: str
    """The file it leads to: in the source's language where there is one."""
    canonical: str
    """Key that `target` stands for, duplicates and `canonical_id` followed."""
    anchor: str
    """HTML id of the heading it names; empty where it names none."""
    relation: str
    """`parent`, `application`, `adjacent`, `mention` or the page's own label."""
    resolution: str
    """`path`, `name`, `title`, `alias` or `id`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenLink:
    """A link that no page, or more than one, answers to."""

    link: Link
    path: str
    source: str
    relation: str
    resolution: str
    """`wanted`, `ambiguous` or `broken` (a missing heading, block or file)."""
    reason: str
    candidates: tuple[str, ...] = ()
    """Paths that would do, best first: the ambiguous ones, or near misses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGraph:
    """Every link of a vault, each in exactly one of two buckets, in the order of pages and text."""

    resolved: tuple[ResolvedLink, ...]
    broken: tuple[BrokenLink, ...]
