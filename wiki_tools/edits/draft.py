"""A vault as it would be after some edits and moves, before anything is written."""

from collections.abc import Callable, Mapping, Sequence

from wiki_tools.config import Config
from wiki_tools.edits.edit import Edit, Source, insertion, read_source
from wiki_tools.edits.matter import Stretch
from wiki_tools.edits.patch import Change
from wiki_tools.edits.world import World, make_world
from wiki_tools.graph import outline_of, relation_words, typed_links
from wiki_tools.pages import Page, read_page

Read = Callable[[str], bytes]
"""Reads a page's file, by its path from the docs folder on."""


class Draft:
    """Collects edits of pages, by their paths before any move."""

    def __init__(self, config: Config, world: World, read: Read, moves: Mapping[str, str]) -> None:
        self.before = world
        self.moves = moves
        """Path to the one that it becomes."""
        self._config = config
        self._read = read
        self._sources: dict[str, Source] = {}
        self._pages: dict[tuple[str, bytes], Page] = {}
        self._made: dict[str, str] = {}
        """Path of a new page to its text."""
        self._edits: dict[str, dict[object, tuple[Stretch, ...]]] = {}
        """Path to who asked to what was asked; asked again, the new answer counts."""
        self._world: World | None = None

    def put(self, path: str, reason: object, stretches: Sequence[Stretch]) -> None:
        """Ask for edits of a page, in place of those asked for before for the same reason."""
        self._edits.setdefault(path, {})[reason] = tuple(stretches)
        self._world = None

    def make(self, path: str, text: str) -> None:
        """Ask for a new page."""
        self._made[path] = text
        self._world = None

    def page(self, path: str) -> Page:
        """A page as it is, by its path before any move; its key is not yet decided."""
        return self._parse(path, self._read(path))

    def changed(self) -> dict[str, Page]:
        """Path before any move to the page as it would be, of those that change."""
        return {
            path: self._parse(self.moves.get(path, path), self._change(path).after)
            for path in self._paths()
        }

    def world(self) -> World:
        """The vault as it would be."""
        if self._world is None:
            self._world = self._make_world()
        return self._world

    def _make_world(self) -> World:
        changed = self.changed()
        made = [self._parse(path, text.encode()) for path, text in self._made.items()]
        words = relation_words(self._config)
        rows = [
            (o, self.before.links[o.path]) for o in self.before.outlines if o.path not in changed
        ]
        pages = [*changed.values(), *made]
        rows += [(outline_of(page, self._config), typed_links(page, words)) for page in pages]
        return make_world(self._config, rows)

    def changes(self) -> tuple[Change, ...]:
        """What would become of the files, in the order of their paths."""
        found = [self._change(path) for path in self._paths()]
        made = [
            Change(path="", to=self._shown(path), edits=(insertion(text),))
            for path, text in sorted(self._made.items())
        ]
        return (*(change for change in found if change.edits or change.path != change.to), *made)

    def _paths(self) -> list[str]:
        return sorted({*self._edits, *self.moves})

    def _parse(self, path: str, data: bytes) -> Page:
        known = self._pages.get((path, data))
        if known is None:
            known = self._pages[path, data] = read_page(self._config, path, data)
        return known

    def _change(self, path: str) -> Change:
        stretches = [s for asked in self._edits.get(path, {}).values() for s in asked]
        edits: tuple[Edit, ...] = ()
        if stretches:
            source = self._source(path)
            edits = tuple(source.edit(*stretch) for stretch in dict.fromkeys(stretches))
        return Change(
            path=self._shown(path),
            to=self._shown(self.moves.get(path, path)),
            before=self._source(path).raw.encode() if stretches else self._read(path),
            edits=edits,
        )

    def _shown(self, path: str) -> str:
        """A page's path from the vault's root on."""
        return f"{self._config.docs.name}/{path}"

    def _source(self, path: str) -> Source:
        if path not in self._sources:
            self._sources[path] = read_source(path, self._read(path))
        return self._sources[path]
