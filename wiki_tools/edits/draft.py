"""A vault as it would be after some edits and moves, before anything is written."""

from collections.abc import Callable, Mapping, Sequence

from wiki_tools.config import Config
from wiki_tools.edits.edit import Edit, Source, insertion, read_source
from wiki_tools.edits.matter import Stretch
from wiki_tools.edits.patch import Change
from wiki_tools.errors import UsageError
from wiki_tools.pages import Page, give_keys, read_page

Read = Callable[[str], bytes]
"""Reads a page's file, by its path from the docs folder on."""


class Draft:
    """Collects edits of pages, by their paths before any move."""

    def __init__(
        self, config: Config, pages: Sequence[Page], read: Read, moves: Mapping[str, str]
    ) -> None:
        self.moves = moves
        """Path to the one that it becomes."""
        self._config = config
        self._read = read
        self._pages = {page.path: page for page in pages}
        self._sources: dict[str, Source] = {}
        self._made: dict[str, str] = {}
        """Path of a new page to its text."""
        self._edits: dict[str, dict[object, tuple[Stretch, ...]]] = {}
        """Path to who asked to what was asked; asked again, the new answer counts."""
        self._cache: dict[str, tuple[bytes, Page]] = {}

    def put(self, path: str, reason: object, stretches: Sequence[Stretch]) -> None:
        """Ask for edits of a page, in place of those asked for before for the same reason."""
        self._edits.setdefault(path, {})[reason] = tuple(stretches)

    def make(self, path: str, text: str) -> None:
        """Ask for a new page."""
        self._made[path] = text

    def pages(self) -> tuple[Page, ...]:
        """The vault's pages as they would be, in the order of their paths."""
        found = [self._page(path) for path in self._pages]
        found += [read_page(self._config, path, text) for path, text in self._made.items()]
        found.sort(key=lambda page: page.path)
        return give_keys(found, self._config)

    def changes(self) -> tuple[Change, ...]:
        """What would become of the files, in the order of their paths."""
        top = self._config.docs.name
        found = []
        for path in sorted({*self._edits, *self.moves}):
            goal = self.moves.get(path, path)
            change = self._change(path)
            if change.edits or goal != path:
                found.append(change)
        made = [
            Change(path="", to=f"{top}/{path}", edits=(insertion(text),))
            for path, text in sorted(self._made.items())
        ]
        return (*found, *made)

    def _page(self, path: str) -> Page:
        goal = self.moves.get(path, path)
        if path not in self._edits and goal == path:
            return self._pages[path]
        data = self._change(path).after
        known = self._cache.get(path)
        if known is None or known[0] != data:
            known = self._cache[path] = (data, read_page(self._config, goal, data))
        return known[1]

    def _change(self, path: str) -> Change:
        top = self._config.docs.name
        stretches = [s for asked in self._edits.get(path, {}).values() for s in asked]
        edits: tuple[Edit, ...] = ()
        if stretches:
            source = self._source(path)
            edits = tuple(source.edit(*stretch) for stretch in dict.fromkeys(stretches))
        before = self._source(path).raw.encode() if stretches else self._read(path)
        return Change(
            path=f"{top}/{path}",
            to=f"{top}/{self.moves.get(path, path)}",
            before=before,
            edits=edits,
        )

    def _source(self, path: str) -> Source:
        if path not in self._sources:
            source = read_source(path, self._read(path))
            if source.clean != self._pages[path].markup.text:
                raise UsageError(f"{path}: has changed since it was read; run the command again")
            self._sources[path] = source
        return self._sources[path]
