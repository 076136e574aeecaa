"""Resolves the links of the pages that changed, on all cores, and takes the others as remembered.

What a page's links are found to be holds for as long as no page's face changes, nor which other
files there are, nor the headings and blocks of the pages whose headings or blocks it names.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from wiki_tools.cache import Cache, Shelf, digest
from wiki_tools.checks.linking import (
    Linked,
    PackedLinked,
    link_page,
    most_wanted,
    pack_linked,
    read_linked,
)
from wiki_tools.checks.reading import Known
from wiki_tools.checks.records import read_links
from wiki_tools.checks.sight import Sight
from wiki_tools.checks.suggest import Suggestions, names_in
from wiki_tools.config import Config
from wiki_tools.graph import Files, Resolver
from wiki_tools.parallel import spread, spreading
from wiki_tools.tree import is_there

_WORTH_LINKING = 3000
"""Pages from which on other cores help with their links."""
_WORTH_ASKING = 4000
"""Names that no page has from which on other cores help to find similar ones: to fork takes as long
as 2,000 of them do, since a child copies what it looks at."""

_Row = tuple[bytes, bytes, PackedLinked]
"""What was seen of a page, what stands for the places that its links lead to, and what those links
are found to be."""


class Resolving:
    """What the links of a vault's pages are found to be."""

    def __init__(self, config: Config, cache: Cache | None, sight: Sight, known: Known) -> None:
        """Find out which pages' links are not known."""
        faces = b"".join([record.face for record in known.records.values()])
        self._shelf = Shelf(cache, "links", digest(sight.others + faces))
        self._known = known
        rows, notes = self._shelf.rows, self._shelf.notes
        asked = notes.get("asked", {})
        if not all(is_there(config.docs, path) is there for path, there in asked.items()):
            rows, notes = {}, {}
        self.asked: dict[str, bool] = dict(notes.get("asked", {}))
        """Files that links name and that were looked for, and whether they were there."""
        self._near: dict[str, str] = dict(notes.get("near", {}))
        self._rows: dict[str, _Row] = {
            path: rows[path]
            for path in known.records
            if path in rows and self._holds(path, *rows[path])
        }
        self._todo = [row for row in enumerate(known.records) if row[1] not in self._rows]
        self._files = Files(config.docs)
        self._suggestions = Suggestions(names_in(known.census.outlines))

    @contextmanager
    def resolving(self) -> Iterator[None]:
        """Resolve on other cores what this body does not wait for; at its end all is known."""
        if not self._todo:
            yield
            return
        census = self._known.census
        work = partial(self._link, Resolver(census.outlines, self._files, census=census))
        many = len(self._todo) >= _WORTH_LINKING
        with spreading(work, len(self._todo), least=_WORTH_LINKING, busy=True) as chunks:
            if many:
                self._suggestions.prepare()
            yield
            for rows, asked in chunks:
                self._rows |= rows
                self.asked |= asked

    def linked(self) -> dict[str, Linked]:
        """Path to what the page's links are found to be."""
        return {path: read_linked(self._rows[path][2]) for path in self._known.records}

    def near(self, linked: Iterable[Linked]) -> dict[str, str]:
        """What links call pages that are not there, to the name that was likely meant."""
        said = most_wanted(row.links for row in linked)
        unknown = [name for name in said if name not in self._near]
        for rows in spread(partial(self._suggest, unknown), len(unknown), least=_WORTH_ASKING):
            self._near |= rows
        return {name: self._near[name] for name in said}

    def keep(self) -> None:
        """Remember what was found."""
        if self._todo:
            notes = {"asked": self.asked, "near": self._near}
            self._shelf.save(self._rows, (path for _, path in self._todo), notes)

    def _holds(self, path: str, seen: bytes, landings: bytes, packed: PackedLinked) -> bool:
        """Whether what is remembered of a page's links is still so."""
        return seen == self._known.records[path].seen and landings == self._landings(packed[1])

    def _landings(self, landed: Iterable[str]) -> bytes:
        """Stands for all headings and blocks that a page's links were looked for among."""
        records = self._known.records
        rows = [records[path].landings if path in records else b"-" for path in landed]
        return digest(b"".join(rows)) if rows else b""

    def _link(
        self, resolver: Resolver, start: int, stop: int
    ) -> tuple[dict[str, _Row], dict[str, bool]]:
        """Resolve the links of some of the pages; says what was looked for as well."""
        rows: dict[str, _Row] = {}
        for index, path in self._todo[start:stop]:
            record = self._known.records[path]
            linked = link_page(resolver, resolver.pages[index], read_links(record))
            rows[path] = record.seen, self._landings(linked.landed), pack_linked(linked)
        return rows, resolver.files.asked

    def _suggest(self, names: list[str], start: int, stop: int) -> dict[str, str]:
        return {name: self._suggestions.nearest(name) for name in names[start:stop]}
