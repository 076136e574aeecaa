"""Checks a vault on disk, on all cores, and looks again only at what changed.

Three things are remembered, each under what decides it: a page's record under its content, what
its links are found to be under its content and the faces of all pages, and all that was found
under everything. Where nothing changed, only this module is needed, and not the ones that read.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import (
    Diagnostic,
    pack_diagnostics,
    read_diagnostics,
    sort_findings,
)
from wiki_tools.checks.sight import Sight, look_around, look_closely, state_of
from wiki_tools.collector import without_collector
from wiki_tools.config import Config
from wiki_tools.tree import is_there

if TYPE_CHECKING:
    from wiki_tools.checks.reading import Progress
    from wiki_tools.graph import Outline, TypedLinks


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
    progress: "Progress | None" = None,
) -> Survey:
    """Find what is wrong with a vault, in the order of paths and lines; nothing is run.

    The same as `check_wiki` of its pages. With a cache, what was found earlier is taken from it
    wherever no content that it depends on has changed. `texts` stand in place of what the files
    at their paths hold: nothing of such a survey is remembered. `progress` is told how many
    pages of how many were read, whenever some were.
    """
    with without_collector():
        sight = look_around(config, texts or {})
        return _survey(config, cache, sight, today or today_utc(), progress)


def _survey(
    config: Config,
    cache: Cache | None,
    sight: Sight,
    today: datetime.date,
    progress: "Progress | None",
) -> Survey:
    saved = cache.load("all") if cache else None
    looks = look_closely(sight) if saved else {}
    if saved and saved[0] == state_of(sight, [*looks.values()], today):
        _, asked, packed = saved
        if all(is_there(config.docs, path) is there for path, there in asked.items()):
            return _unpack(packed)
    from wiki_tools.checks.anew import survey_anew

    found = survey_anew(config, cache, sight, looks, today, progress)
    survey = Survey(
        pages=tuple(zip(found.known.records, found.known.census.keys, strict=True)),
        links=found.links,
        diagnostics=sort_findings(found.diagnostics),
    )
    if cache and not sight.texts:
        seen = [record.seen for record in found.known.records.values()]
        cache.save("all", (state_of(sight, seen, today), found.asked, _pack(survey)))
    return survey


def outline_vault(config: Config, cache: Cache | None = None) -> "list[tuple[Outline, TypedLinks]]":
    """Every page of a vault without its text, with its links, in the order of paths."""
    from wiki_tools.checks.anew import outline_anew

    with without_collector():
        sight = look_around(config, {})
        return outline_anew(config, cache, sight, look_closely(sight) if cache else {})


def today_utc() -> datetime.date:
    """The day, the same on every machine."""
    return datetime.datetime.now(datetime.UTC).date()


def _pack(survey: Survey) -> tuple[Any, ...]:
    return survey.pages, dict(survey.links), pack_diagnostics(survey.diagnostics)


def _unpack(packed: tuple[Any, ...]) -> Survey:
    pages, links, rows = packed
    return Survey(pages=pages, links=links, diagnostics=read_diagnostics(rows))
