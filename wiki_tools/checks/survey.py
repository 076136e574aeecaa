"""Checks a vault on disk, on all cores, and looks again only at what changed.

Three things are remembered, each under what decides it: a page's record under its content, what
its links are found to be under its content and the faces of all pages, and all that was found
under everything.
"""

import datetime
import marshal
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from wiki_tools.cache import Cache, Shelf, digest
from wiki_tools.checks.check import sort_findings, today_utc
from wiki_tools.checks.files import find_closed_folders
from wiki_tools.checks.records import (
    STABLE,
    Head,
    Linked,
    Record,
    link_page,
    make_record,
    make_wiki,
    pack_diagnostics,
    pack_linked,
    read_diagnostics,
    read_head,
    read_linked,
    read_links,
    see,
)
from wiki_tools.checks.rules import WIKI_RULES
from wiki_tools.checks.suggest import Suggestions, names_in
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.config import Config
from wiki_tools.graph import (
    Files,
    Outline,
    Resolver,
    Standing,
    TypedLinks,
    give_outline_keys,
    relation_words,
    stand,
)
from wiki_tools.markup import Problem
from wiki_tools.pages import (
    PageReader,
    find_files,
    key_of,
    load_bytes,
    without_collector,
)
from wiki_tools.parallel import spread

_NEVER = (b"", b"")
"""What is known of a page that was never seen."""
_WORTH_READING = 300
"""Pages from which on other cores help with reading them: starting those takes 50 ms."""
_WORTH_LINKING = 3000


Progress = Callable[[int, int], None]
"""Is told how much of how much is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A vault, checked."""

    pages: tuple[tuple[str, str], ...]
    """Path and key of each page, in the order of paths."""
    links: Mapping[str, int]
    """Path to how many links the page holds."""
    diagnostics: tuple[Diagnostic, ...]


def survey_vault(
    config: Config,
    cache: Cache | None = None,
    today: datetime.date | None = None,
    texts: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> Survey:
    """Find what is wrong with a vault, in the order of paths and lines; nothing is run.

    The same as `check_wiki` of its pages. With a cache, what was found earlier is taken from it
    wherever no content that it depends on has changed. `texts` stand in place of what the files
    at their paths hold: nothing of such a survey is remembered. `progress` is told how many
    pages of how many were read, whenever some were.
    """
    with without_collector():
        surveyor = _Surveyor(config, cache, today or today_utc(), texts or {})
        return surveyor.run(progress or _silent)


def outline_vault(config: Config, cache: Cache | None = None) -> list[tuple[Outline, TypedLinks]]:
    """Every page of a vault without its text, with its links, in the order of paths."""
    with without_collector():
        return _Surveyor(config, cache, today_utc(), {}).outlines()


def _silent(_done: int, _total: int) -> None:
    """Nobody watches."""


class _Surveyor:
    def __init__(
        self,
        config: Config,
        cache: Cache | None,
        today: datetime.date,
        texts: Mapping[str, bytes],
    ) -> None:
        self._texts = texts
        self._config = config
        self._cache = cache
        self._today = today
        tree = find_files(config.docs)
        self._files, self._closed = tree.pages, tree.closed
        self._paths = "\n".join(path for path, _ in self._files)
        closed = (f"{path}\0{reason}" for path, reason in tree.closed)
        self._others = digest("\0".join((*tree.others, "", *closed)).encode())

    def run(self, progress: Progress) -> Survey:
        saved = self._load("all")
        looks = self._looks() if saved else {}
        if saved and saved[0] == self._state(looks) and self._still(saved[1]):
            return _unpack(saved[2])
        records = self._records(looks, progress)
        heads = self._heads(records)
        standing = stand([head.outline for head in heads])
        linked, asked = self._link(records, heads, standing)
        links = {path: row.links for path, row in linked.items()}
        wiki = make_wiki(self._config, heads, standing, links, self._today)
        found = [*find_closed_folders(self._closed)]
        found += [row for head in heads for row in head.diagnostics]
        found += [row for page in linked.values() for row in page.diagnostics]
        survey = Survey(
            pages=tuple((head.outline.path, head.outline.key) for head in heads),
            links={path: row.total for path, row in links.items()},
            diagnostics=sort_findings([*found, *self._look(wiki, records)]),
        )
        state = self._state({path: record.seen for path, record in records.items()})
        self._save("all", (state, asked, _pack(survey)))
        return survey

    def outlines(self) -> list[tuple[Outline, TypedLinks]]:
        records = self._records(self._looks(), _silent)
        outlines = (head.outline for head in self._heads(records))
        return [(outline, tuple(read_links(records[outline.path]))) for outline in outlines]

    def _state(self, looks: Mapping[str, bytes]) -> bytes:
        """Stands for everything that decides what is found."""
        rows = (path.encode() + b"\0" + seen for path, seen in looks.items())
        day = self._today.isoformat().encode()
        return digest(b"\0".join((day, self._others, *rows)))

    def _looks(self) -> dict[str, bytes]:
        """Path to what is seen of the file now."""
        return {path: see(*_load(path, file, self._texts)) for path, file in self._files}

    def _records(self, looks: Mapping[str, bytes], progress: Progress) -> dict[str, Record]:
        """Every page's record, read anew where the known one is not of the content seen."""
        shelf = Shelf(self._cache, "pages")
        known = {path: Record._make(row) for path, row in shelf.rows.items()} if looks else {}
        translated = self._translated()
        changed = [
            row
            for row in self._files
            if row[0] not in known
            or known[row[0]].seen != looks[row[0]]
            or known[row[0]].translated != (row[0] in translated)
        ]
        work = partial(_read_records, self._config, changed, translated, self._texts)
        fresh: list[tuple[Any, ...]] = []
        for rows in spread(work, len(changed), least=_WORTH_READING):
            fresh += rows
            progress(len(fresh), len(changed))
        made = {path: Record._make(row) for (path, _), row in zip(changed, fresh, strict=True)}
        records = {path: made.get(path) or known[path] for path, _ in self._files}
        if made and not self._texts:
            shelf.save({path: tuple(record) for path, record in records.items()}, made, {})
        return records

    def _translated(self) -> set[str]:
        """Paths of the pages that have translations."""
        suffixes = "|".join(map(re.escape, self._config.languages))
        if not re.search(rf"(?<!\.md)$|\.(?:{suffixes})\.md$", self._paths, re.M):
            return set()  # as in most vaults, where it saves the search
        groups: dict[str, list[str]] = {}
        for path, _ in self._files:
            groups.setdefault(key_of(path, self._config), []).append(path)
        return {path for group in groups.values() if len(group) > 1 for path in group}

    def _heads(self, records: Mapping[str, Record]) -> list[Head]:
        """What rules need to know of each page, its key decided among all of them."""
        heads = [read_head(record) for record in records.values()]
        outlines = give_outline_keys([head.outline for head in heads], self._config)
        return [
            head if head.outline is outline else head._replace(outline=outline)
            for head, outline in zip(heads, outlines, strict=True)
        ]

    def _link(
        self, records: Mapping[str, Record], heads: Sequence[Head], standing: Standing
    ) -> tuple[dict[str, Linked], dict[str, bool]]:
        """What every page's links are found to be, and which files were looked for."""
        world = digest(self._others + b"".join(record.stamps[0] for record in records.values()))
        shelf = Shelf(self._cache, "links", world)
        known, notes = shelf.rows, shelf.notes
        if known and not self._still(notes["asked"]):
            known, notes = {}, {}
        outlines = tuple(head.outline for head in heads)
        todo = [o for o in outlines if known.get(o.path, _NEVER)[0] != records[o.path].seen]
        packed = {path: row for path, (_, row) in known.items()}
        asked, near = dict(notes.get("asked", {})), dict(notes.get("near", {}))
        if todo:
            resolver = Resolver(outlines, Files(self._config.docs), standing.canonical)
            suggestions = Suggestions(names_in(outlines), near)
            work = partial(_link_pages, resolver, suggestions, todo, records)
            for rows, looked_for, suggested in spread(work, len(todo), least=_WORTH_LINKING):
                packed |= rows
                asked |= looked_for
                near |= suggested
        rows = {path: (record.seen, packed[path]) for path, record in records.items()}
        if todo and not self._texts:
            shelf.save(rows, (o.path for o in todo), {"asked": asked, "near": near})
        return {path: read_linked(row) for path, (_, row) in rows.items()}, asked

    def _look(self, wiki: Wiki, records: Mapping[str, Record]) -> Iterator[Diagnostic]:
        """What the rules of the whole wiki find, each asked only if what it needs changed."""
        states = self._states(wiki, records)
        known = self._load("rules") or {}
        kept = {}
        for rule in WIKI_RULES:
            state = digest(b"".join(states[need] for need in rule.needs))
            saved = known.get(rule.codes[0])
            if saved is None or saved[0] != state:
                saved = (state, pack_diagnostics(rule.find(wiki)))
            kept[rule.codes[0]] = saved
            yield from read_diagnostics(saved[1])
        if kept != known:
            self._save("rules", kept)

    def _states(self, wiki: Wiki, records: Mapping[str, Record]) -> dict[str, bytes]:
        """What stands for everything that a rule may need."""
        links = wiki.links.values()
        values: dict[str, Any] = {
            "reached": [row.reached for row in links],
            "parents": [row.parents for row in links],
            "wanted": [row.wanted for row in links],
            "fences": [tuple(map(tuple, rows)) for rows in wiki.fences.values()],
            "signatures": list(wiki.signatures.values()),
            "today": self._today.isoformat(),
        }
        states = {need: digest(marshal.dumps(value, STABLE)) for need, value in values.items()}
        pages = digest(b"".join(record.stamps[1] for record in records.values()))
        return states | {"pages": pages}

    def _still(self, asked: Mapping[str, bool]) -> bool:
        return Files(self._config.docs).still(asked.items())

    def _load(self, name: str) -> Any:
        return self._cache.load(name) if self._cache else None

    def _save(self, name: str, value: object) -> None:
        if self._cache and not self._texts:
            self._cache.save(name, value)


def _pack(survey: Survey) -> tuple[Any, ...]:
    return survey.pages, dict(survey.links), pack_diagnostics(survey.diagnostics)


def _unpack(packed: tuple[Any, ...]) -> Survey:
    pages, links, rows = packed
    return Survey(pages=pages, links=links, diagnostics=read_diagnostics(rows))


def _load(path: str, file: str, texts: Mapping[str, bytes]) -> tuple[bytes, tuple[Problem, ...]]:
    return (texts[path], ()) if path in texts else load_bytes(file)


def _read_records(
    config: Config,
    files: Sequence[tuple[str, str]],
    translated: Collection[str],
    texts: Mapping[str, bytes],
    start: int,
    stop: int,
) -> list[tuple[Any, ...]]:
    """Read some of the pages."""
    reader, words = PageReader(config), relation_words(config)
    rows = []
    for path, file in files[start:stop]:
        data, problems = _load(path, file, texts)
        page = reader.read(path, data, problems)
        seen = see(data, problems)
        record = make_record(config, page, seen, words, translated=path in translated)
        rows.append(tuple(record))
    return rows


def _link_pages(
    resolver: Resolver,
    suggestions: Suggestions,
    pages: Sequence[Outline],
    records: Mapping[str, Record],
    start: int,
    stop: int,
) -> tuple[dict[str, bytes], dict[str, bool], dict[str, str]]:
    """Resolve the links of some of the pages; says what was looked for and suggested as well."""
    rows = {
        page.path: pack_linked(
            link_page(resolver, suggestions, page, read_links(records[page.path]))
        )
        for page in pages[start:stop]
    }
    return rows, resolver.files.asked, suggestions.asked
