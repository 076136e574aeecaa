"""Runs the rules over pages that are in memory."""

import datetime
from collections.abc import Iterable, Sequence

from wiki_tools.checks.diagnostic import Diagnostic, sort_findings
from wiki_tools.checks.linking import link_page, most_wanted
from wiki_tools.checks.records import make_head
from wiki_tools.checks.rules import BACKING_RULES, WIKI_RULES
from wiki_tools.checks.suggest import Suggestions, names_in
from wiki_tools.checks.survey import today_utc
from wiki_tools.checks.types import Backing, Wiki
from wiki_tools.config import Config
from wiki_tools.graph import Files, Resolver, pack_links, relation_words, take_census, typed_links
from wiki_tools.pages import Page


def check_wiki(
    config: Config, pages: Sequence[Page], today: datetime.date | None = None
) -> tuple[Diagnostic, ...]:
    """Find what is wrong with pages, in the order of paths and lines; nothing is run.

    `today` tells whether a page is aged; by default it is today in UTC. For vaults on disk
    `survey_vault` finds the same much faster.
    """
    pages = sorted(pages, key=lambda page: page.path)
    heads = [make_head(config, page, translated=True) for page in pages]
    census = take_census(config, (head.outline for head in heads))
    resolver = Resolver(census.outlines, Files(config.docs), census=census)
    words = relation_words(config)
    linked = [
        link_page(resolver, outline, pack_links(typed_links(page, words)))
        for page, outline in zip(pages, census.outlines, strict=True)
    ]
    links = {page.path: row.links for page, row in zip(pages, linked, strict=True)}
    suggestions = Suggestions(names_in(census.outlines))
    wiki = Wiki(
        config=config,
        pages=census.outlines,
        keys={page.path: key for page, key in zip(pages, census.keys, strict=True)},
        declared=census.standing.declared,
        canonical=census.standing.canonical,
        links=links,
        fences={head.outline.path: head.fences for head in heads if head.fences},
        signatures={head.outline.path: head.signature for head in heads},
        near={said: suggestions.nearest(said) for said in most_wanted(links.values())},
        today=today or today_utc(),
    )
    found = [row for head in heads for row in head.diagnostics]
    found += [row for links in linked for row in links.diagnostics]
    return sort_findings([*found, *look_at(wiki)])


def look_at(wiki: Wiki) -> Iterable[Diagnostic]:
    """What the rules of the whole wiki find."""
    return [row for rule in WIKI_RULES for row in rule.find(wiki)]


def check_backing(backing: Backing) -> tuple[Diagnostic, ...]:
    """Find patterns that cannot run, files that drifted and claims without evidence."""
    return sort_findings(row for rule in BACKING_RULES for row in rule.find(backing))
