"""Reads the pages that changed, on all cores, and takes the others as they are remembered."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from wiki_tools.cache import Cache, Shelf, digest
from wiki_tools.checks.records import Record, make_record, read_outline
from wiki_tools.checks.sight import Sight
from wiki_tools.config import Config
from wiki_tools.graph import (
    Census,
    Outline,
    pack_census,
    relation_words,
    take_census,
    unpack_census,
)
from wiki_tools.pages import PageReader, key_of, unreadable
from wiki_tools.parallel import spreading
from wiki_tools.tree import see

_WORTH_READING = 300
"""Pages from which on other cores help with reading them: starting those takes 50 ms."""

Progress = Callable[[int, int], None]
"""Is told how much of how much is done."""


class Known(NamedTuple):
    """All pages of a vault without their texts, in the order of paths."""

    records: dict[str, Record]
    census: Census
    state: bytes
    """Stands for all outlines."""
    fresh: list[str]
    """Paths of those that were read, since nothing was remembered of their content."""
    counted: bool
    """Whether the census was taken anew."""
    shelf: Shelf

    def keep(self, cache: Cache | None) -> None:
        """Remember what was read."""
        if self.fresh:
            rows = {path: tuple(record) for path, record in self.records.items()}
            self.shelf.save(rows, self.fresh, {})
        if self.counted and cache:
            cache.save("census", (self.state, pack_census(self.census)))


def know_pages(
    config: Config,
    cache: Cache | None,
    sight: Sight,
    looks: Mapping[str, bytes],
    progress: Progress | None = None,
) -> Known:
    """Read every page whose remembered record is not of what is seen now.

    Without looks nothing is known. While others read, the census of their pages is taken here.
    """
    shelf = Shelf(cache, "pages")
    translated = _translated(config, sight)
    rows = shelf.rows if looks else {}
    remembered = {
        path: record
        for path, seen in looks.items()
        if path in rows
        and (record := Record._make(rows[path])).seen == seen
        and record.translated == (path in translated)
    }
    changed = [row for row in sight.files if row[0] not in remembered]
    work = partial(_read_records, config, sight, changed, translated)
    with spreading(work, len(changed), least=_WORTH_READING) as chunks:
        fresh = _counted(chunks, len(changed), progress)
        coming = (
            (path, remembered.get(path) or Record._make(next(fresh))) for path, _ in sight.files
        )
        records = dict(coming) if len(changed) < _WORTH_READING else {}
        known = _recall(cache, records) if records else None
        census = known or take_census(config, _outlines(records, coming))
    state = _state(records)
    return Known(records, census, state, [path for path, _ in changed], known is None, shelf)


def _outlines(
    records: dict[str, Record], coming: Iterable[tuple[str, Record]]
) -> Iterator[Outline]:
    """Outlines of records that are there and of those that come, which join them."""
    yield from map(read_outline, records.values())
    for path, record in coming:
        records[path] = record
        yield read_outline(record)


def _state(records: Mapping[str, Record]) -> bytes:
    return digest(b"".join([record.outline for record in records.values()]))


def _recall(cache: Cache | None, records: Mapping[str, Record]) -> Census | None:
    """The census of the very same outlines, where one is remembered."""
    saved = cache.load("census") if cache else None
    if not saved or saved[0] != _state(records):
        return None
    rows = [(row.face, row.landings, row.back) for row in records.values()]
    return unpack_census(saved[1], rows)


def _counted(
    chunks: Iterable[list[tuple[Any, ...]]], total: int, progress: Progress | None
) -> Iterator[tuple[Any, ...]]:
    """Rows of chunks, as they come; says how many of how many came."""
    done = 0
    for rows in chunks:
        done += len(rows)
        if progress:
            progress(done, total)
        yield from rows


def _translated(config: Config, sight: Sight) -> set[str]:
    """Paths of the pages that have translations."""
    suffixes = "|".join(map(re.escape, config.languages))
    paths = "\n".join(path for path, _ in sight.files)
    if not re.search(rf"(?<!\.md)$|\.(?:{suffixes})\.md$", paths, re.MULTILINE):
        return set()  # as in most vaults, where it saves the search
    groups: dict[str, list[str]] = {}
    for path, _ in sight.files:
        groups.setdefault(key_of(path, config), []).append(path)
    return {path for group in groups.values() if len(group) > 1 for path in group}


def _read_records(
    config: Config,
    sight: Sight,
    files: Sequence[tuple[str, str]],
    translated: Collection[str],
    start: int,
    stop: int,
) -> list[tuple[Any, ...]]:
    """Read some of the pages."""
    reader, words = PageReader(config), relation_words(config)
    rows = []
    for path, file in files[start:stop]:
        data, reason = sight.load(path, file)
        page = reader.read(path, data, unreadable(reason))
        seen = see(data, reason)
        record = make_record(config, page, seen, words, translated=path in translated)
        rows.append(tuple(record))
    return rows
