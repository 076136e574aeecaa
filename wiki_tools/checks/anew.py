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
from wiki_tools.checks.records import make_wiki, read_links
from wiki_tools.checks.resolving import Resolving
from wiki_tools.checks.sight import Sight
from wiki_tools.config import Config
from wiki_tools.graph import Outline, TypedLinks, stand, unpack_link


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
    known.keep()
    return [
        (head.outline, tuple(map(unpack_link, read_links(record))))
        for head, record in zip(known.heads, known.records.values(), strict=True)
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
    standing = stand([head.outline for head in known.heads])
    wiki = make_wiki(config, known.heads, standing, {}, {}, today)
    judge = Judge(cache, known.records.values())
    resolving = Resolving(config, cache, sight, known, standing)
    with resolving.resolving():
        if not sight.texts:
            known.keep()
        found = [*find_closed_folders(sight.closed), *judge.look(wiki, linked=False)]
        found += [row for head in known.heads for row in head.diagnostics]
    linked = resolving.linked()
    links = {path: row.links for path, row in linked.items()}
    wiki = replace(wiki, links=links, near=resolving.near(linked.values()))
    found += judge.look(wiki, linked=True)
    found += [row for page in linked.values() for row in page.diagnostics]
    if not sight.texts:
        resolving.keep()
        judge.keep()
    return Findings(known, {path: row.total for path, row in links.items()}, resolving.asked, found)
