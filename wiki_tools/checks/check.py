"""Runs the rules over a wiki."""

import datetime
from collections.abc import Sequence

from wiki_tools.checks.rules import RULES
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.claims import Claim
from wiki_tools.config import Config
from wiki_tools.graph import LinkGraph
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet


def check_wiki(
    config: Config,
    pages: Sequence[Page],
    graph: LinkGraph,
    snippets: Sequence[Snippet] = (),
    *,
    unbacked: Sequence[Claim] = (),
    drifted: Sequence[str] = (),
    today: datetime.date | None = None,
) -> tuple[Diagnostic, ...]:
    """Find what is wrong with a wiki, in the order of paths and lines; nothing is run.

    Args:
        config: the vault's settings.
        pages: all its pages; links and ids are judged against all of them.
        graph: their links.
        snippets: what was extracted from them; without, code is not looked at.
        unbacked: claims that no measurement stands behind.
        drifted: files under `snippets/` that no longer match their page, relative to the
            vault's root.
        today: the day that tells whether a page is aged; by default today in UTC.
    """
    wiki = Wiki(
        config=config,
        pages=tuple(pages),
        graph=graph,
        snippets=tuple(snippets),
        unbacked=tuple(unbacked),
        drifted=tuple(drifted),
        today=today or datetime.datetime.now(datetime.UTC).date(),
    )
    found = [diagnostic for rule in RULES for diagnostic in rule.find(wiki)]
    found.sort(key=lambda row: (row.path, row.line, row.column, row.code, row.message))
    return tuple(found)
