"""What links mean, so that it can be held against what they mean after an edit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.config import Config
from wiki_tools.edits.world import World
from wiki_tools.graph import (
    AnyLink,
    FileLink,
    Files,
    Outline,
    ResolvedLink,
    Resolver,
    fold,
    without_extension,
)
from wiki_tools.graph.names import joined
from wiki_tools.markup import Link

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_]\w{2,8})?")
_INDEX = ("index", "readme")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A link that means something else than before."""

    before: AnyLink
    after: AnyLink


class Meanings:
    """Compares the links of a vault before and after, when its pages have moved."""

    def __init__(self, config: Config, world: World, moves: Mapping[str, str]) -> None:
        self._config = config
        self._moves = moves
        self._before = _Resolved(config, world)
        self._after = self._before

    def differences(self, world: World) -> list[Difference]:
        """The links that mean something else in the vault as it would be.

        Raises:
            ValueError: a page has another number of links; its argument is the page's path.
        """
        self._after = _Resolved(self._config, world, self._after)
        names = self._names()
        hashed = any("#" in name for name in names)
        found = []
        for path, links in self._before.world.links.items():
            goal = self._moves.get(path, path)
            others = world.links[goal]
            if len(links) != len(others):
                raise ValueError(path)
            for index, (link, _) in enumerate(links):
                if link.form == "html":  # is told, and never edited
                    continue
                if path in self._moves or _may_name(link, names, hashed):
                    before = self._before.row(path, index)
                    after = self._after.row(goal, index)
                    if self._differs(before, after):
                        found.append(Difference(before=before, after=after))
        return found

    def _names(self) -> set[str]:
        """The names, folded, of all pages that come, go or change.

        Only links with such a name can lead elsewhere than before.
        """
        before, after = self._before.outlines, self._after.outlines
        changed = [*self._moves, *(path for path in before if path not in after)]
        pages = [before[path] for path in changed]
        pages += [page for path, page in after.items() if not _is_like(before.get(path), page)]
        names = {name[1].rpartition("/")[2] for page in pages for name in page.names}
        folders = [
            page.path.rpartition("/")[0].rpartition("/")[2]
            for page in pages
            if fold(page.stem.rpartition("/")[2]) in _INDEX
        ]
        return names | set(map(fold, folders))

    def _differs(self, before: AnyLink, after: AnyLink) -> bool:
        if _mean(before, self._moves) != _mean(after, {}):
            return True
        if _is_by_path(before) and not _is_by_path(after):  # only Obsidian finds it still
            return True
        if isinstance(before, FileLink) or before.target_path not in self._moves:
            return False
        if _is_exact(before):  # GitHub knows no other spelling
            return not _is_exact(after)
        if not isinstance(before, ResolvedLink):
            return False
        by_place = ("path", "name")  # Obsidian knows no titles
        named = isinstance(after, ResolvedLink) and after.resolution in by_place
        return before.resolution in by_place and not named


def _is_by_path(row: AnyLink) -> bool:
    """Whether a Markdown link says where its page lies."""
    by_path = isinstance(row, ResolvedLink) and row.resolution == "path"
    return by_path and row.link.form == "markdown"


def _mean(row: AnyLink, moves: Mapping[str, str]) -> tuple[str, ...]:
    """What a link leads to; equal where two links lead to the same."""
    if isinstance(row, FileLink):
        return ("file", row.target)
    path = moves.get(row.target_path, row.target_path)
    if isinstance(row, ResolvedLink):
        return ("page", path, row.anchor)
    if path:
        return (row.reason, path)
    if row.reason == "ambiguous-link":
        return (row.reason, *sorted(moves.get(path, path) for path in row.candidates))
    return (row.reason, wanted_name(row))


class _Resolved:
    """A vault whose links are resolved when they are asked for."""

    def __init__(self, config: Config, world: World, like: "_Resolved | None" = None) -> None:
        self.world = world
        self.outlines = {page.path: page for page in world.outlines}
        self.resolver: Resolver
        if like and _are_like(like.world.outlines, world.outlines):
            self.resolver = like.resolver
        else:
            self.resolver = Resolver(world.outlines, Files(config.docs))

    def row(self, path: str, index: int) -> AnyLink:
        """What a link of a page is found to be."""
        link, relation = self.world.links[path][index]
        return self.resolver.resolve(self.outlines[path], link, relation)


def _is_like(page: Outline | None, other: Outline) -> bool:
    """Whether links lead to both in the same way."""
    if page is None:
        return False
    return page is other or (page.face == other.face and page.landings == other.landings)


def _are_like(pages: Sequence[Outline], others: Sequence[Outline]) -> bool:
    return len(pages) == len(others) and all(map(_is_like, pages, others))


def _may_name(link: Link, names: set[str], hashed: bool) -> bool:
    target = link.target
    last = target.rstrip("/").rpartition("/")[2]
    odd = last in ("", ".", "..") or (hashed and "#" in link.text)
    return bool(odd or fold(last) in names or fold(without_extension(last)) in names)


def wanted_name(row: AnyLink) -> str:
    """What a broken link asks for: of a relative link the path, else the name."""
    if row.link.form == "markdown" or row.link.target.startswith("."):
        return joined(row.path.rpartition("/")[0], row.link.target)
    return fold(row.link.target)


def _is_exact(row: AnyLink) -> bool:
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
