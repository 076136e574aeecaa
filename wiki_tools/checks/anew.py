"""Reads, links and judges what changed in a vault, and remembers it.

Other cores read pages and resolve links; meanwhile this process does what needs neither.
"""

import datetime
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.files import find_closed_folders
from wiki_tools.checks.judging import Judge
from wiki_tools.checks.reading import Known, Progress, know_pages
from wiki_tools.checks.records import read_found, read_links
from wiki_tools.checks.resolving import Resolving
from wiki_tools.checks.sight import Sight
from wiki_tools.checks.types import FenceShape, Wiki
from wiki_tools.config import Config
from wiki_tools.graph import Outline, TypedLinks, unpack_link


class Findings(NamedTuple):
    """All that a look at a vault brought."""

    known: Known
    links: Mapping[str, int]
    """Path to how many links the page holds."""
    asked: Mapping[str, bool]
    """Files that links name and that were looked for, and whether they were there."""
    diagnostics: list[Diagnostic]


def outline_anew(
    config: Config, cache: Cache | None, sight: Sight, looks: Mapping[str, bytes]
) -> list[tuple[Outline, TypedLinks]]:
    """Every page's outline and links, in the order of paths."""
    known = know_pages(config, cache, sight, looks)
    known.keep(cache)
    return [
        (outline, tuple(map(unpack_link, read_links(record))))
        for outline, record in zip(known.census.outlines, known.records.values(), strict=True)
    ]


def survey_anew(
    config: Config,
    cache: Cache | None,
    sight: Sight,
    looks: Mapping[str, bytes],
    today: datetime.date,
    progress: Progress | None,
) -> Findings:
    """Find what is wrong; `looks` are what is seen of each page now, or nothing.

    Of a vault whose texts stand for its files nothing is remembered.
    """
    known = know_pages(config, cache, sight, looks, progress)
    judge = Judge(cache, known.state)
    resolving = Resolving(config, cache, sight, known)
    looked = {path: read_found(record) for path, record in known.records.items() if record.found}
    wiki = _make_wiki(config, known, {path: row[1] for path, row in looked.items()}, today)
    with resolving.resolving():
        if not sight.texts:
            known.keep(cache)
        found = [*find_closed_folders(sight.closed), *judge.look(wiki, linked=False)]
        found += [row for diagnostics, _ in looked.values() for row in diagnostics]
    linked = resolving.linked()
    links = {path: row.links for path, row in linked.items()}
    wiki = replace(wiki, links=links, near=resolving.near(linked.values()))
    found += judge.look(wiki, linked=True)
    found += [row for page in linked.values() for row in page.diagnostics]
    if not sight.texts:
        resolving.keep()
        judge.keep()
    return Findings(known, {path: row.total for path, row in links.items()}, resolving.asked, found)


def _make_wiki(
    config: Config,
    known: Known,
    fences: Mapping[str, tuple[FenceShape, ...]],
    today: datetime.date,
) -> Wiki:
    """All that rules of the whole wiki look at, the links apart."""
    census = known.census
    return Wiki(
        config=config,
        pages=census.outlines,
        keys=dict(zip(known.records, census.keys, strict=True)),
        declared=census.standing.declared,
        canonical=census.standing.canonical,
        links={},
        fences={path: rows for path, rows in fences.items() if rows},
        signatures={path: record.signature for path, record in known.records.items()},
        near={},
        today=today,
    )
