"""Links that were resolved, and those that could not be."""

from dataclasses import dataclass
from typing import NamedTuple

from wiki_tools.markup import Link


class ResolvedLink(NamedTuple):
    """A link that a page answers to; of these a vault has a hundred thousand."""

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
    """HTML id of the heading it names, `^` and the id of a block; empty where it names none."""
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
    """The code of the finding: `wanted-page`, `ambiguous-link`, `missing-heading`,
    `missing-block` or `missing-file`."""
    candidates: tuple[str, ...] = ()
    """Paths that would do, best first: the ambiguous ones, or near misses. For a missing
    heading or block, the near ones of the page."""
    target_path: str = ""
    """The page that lacks the heading or block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLink:
    """A link to a file that is there and is no page, such as an image."""

    link: Link
    path: str
    source: str
    relation: str
    target: str
    """The file's path, relative to the docs folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGraph:
    """Every link of a vault, each in exactly one bucket, in the order of pages and text."""

    resolved: tuple[ResolvedLink, ...]
    broken: tuple[BrokenLink, ...]
    files: tuple[FileLink, ...] = ()
