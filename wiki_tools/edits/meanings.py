"""What links mean, so that it can be held against what they mean after an edit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.graph import BrokenLink, FileLink, LinkGraph, ResolvedLink
from wiki_tools.graph.names import fold, joined, without_extension
from wiki_tools.pages import Page

Row = ResolvedLink | BrokenLink | FileLink
Meaning = tuple[str, ...]
"""What a link leads to; equal where two links lead to the same."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_]\w{2,8})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A link that means something else than before."""

    index: int
    """Of the link on its page."""
    before: Row
    after: Row


def rows_by_page(graph: LinkGraph) -> dict[str, list[Row]]:
    """Path to what became of its links, in the order of the text."""
    rows: dict[str, list[Row]] = {}
    everything: list[Row] = [*graph.resolved, *graph.broken, *graph.files]
    for row in everything:
        rows.setdefault(row.path, []).append(row)
    for listed in rows.values():
        listed.sort(key=lambda row: row.link.span[:2])
    return rows


class Meanings:
    """Compares the links of a vault before and after, when its pages have moved."""

    def __init__(self, graph: LinkGraph, pages: Sequence[Page], moves: Mapping[str, str]) -> None:
        self.rows = rows_by_page(graph)
        self._moves = moves
        self._paths = {page.key: page.path for page in reversed(pages)}

    def differences(self, graph: LinkGraph, pages: Sequence[Page]) -> list[Difference]:
        """The links that mean something else in the vault as it would be.

        Raises:
            ValueError: a page has another number of links; its argument is the page's path.
        """
        now = rows_by_page(graph)
        self._now = {page.key: page.path for page in reversed(pages)}
        found = []
        for path, rows in self.rows.items():
            others = now.get(self._moves.get(path, path), [])
            if len(rows) != len(others):
                raise ValueError(path)
            found += [
                Difference(index=index, before=before, after=after)
                for index, (before, after) in enumerate(zip(rows, others, strict=True))
                if self._differs(before, after)
            ]
        return found

    def _differs(self, before: Row, after: Row) -> bool:
        if self._mean(before, self._moves, self._paths) != self._mean(after, {}, self._now):
            return True
        if not isinstance(before, ResolvedLink) or before.target_path not in self._moves:
            return False
        if _is_exact(before):  # GitHub knows no other spelling
            return not _is_exact(after)
        by_place = ("path", "name")  # Obsidian knows no titles
        named = isinstance(after, ResolvedLink) and after.resolution in by_place
        return before.resolution in by_place and not named

    @staticmethod
    def _mean(row: Row, moves: Mapping[str, str], paths: Mapping[str, str]) -> Meaning:
        if isinstance(row, FileLink):
            return ("file", row.target)
        if isinstance(row, ResolvedLink):
            path = moves.get(row.target_path, row.target_path)
            real = paths.get(row.canonical, row.canonical)
            return ("page", path, row.anchor, moves.get(real, real))
        if row.target_path:
            path = moves.get(row.target_path, row.target_path)
            return (row.reason, path)
        if row.reason == "ambiguous-link":
            return (row.reason, *sorted(moves.get(path, path) for path in row.candidates))
        return (row.reason, wanted_name(row))


def wanted_name(row: Row) -> str:
    """What a broken link asks for: of a relative link the path, else the name."""
    if row.link.form == "markdown" or row.link.target.startswith("."):
        return joined(row.path.rpartition("/")[0], row.link.target)
    return fold(row.link.target)


def _is_exact(row: Row) -> bool:
    """Whether a link names its page's file as it is written, but for language and `.md`."""
    path = row.target if isinstance(row, FileLink) else row.target_path
    name = without_extension(row.link.target)
    if row.link.form == "markdown":
        name = joined(row.path.rpartition("/")[0], name)
    else:
        name, path = name.rpartition("/")[2], path.rpartition("/")[2]
    stem = without_extension(path)
    plain, _, language = stem.rpartition(".")
    return name == stem or (name == plain and bool(_LANGUAGE.fullmatch(language)))
