"""Runs the rules over pages that are in memory."""

import datetime
from collections.abc import Iterable, Sequence

from wiki_tools.checks.diagnostic import Diagnostic, sort_findings
from wiki_tools.checks.linking import link_page, most_wanted
from wiki_tools.checks.records import make_head, make_wiki
from wiki_tools.checks.rules import BACKING_RULES, WIKI_RULES
from wiki_tools.checks.suggest import Suggestions, names_in
from wiki_tools.checks.survey import today_utc
from wiki_tools.checks.types import Backing, Wiki
from wiki_tools.config import Config
from wiki_tools.graph import Files, Resolver, pack_link, relation_words, stand, typed_links
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
    outlines = tuple(head.outline for head in heads)
    standing = stand(outlines)
    resolver = Resolver(outlines, Files(config.docs), standing.canonical)
    words = relation_words(config)
    linked = [
        link_page(resolver, outline, (pack_link(*row) for row in typed_links(page, words)))
        for page, outline in zip(pages, outlines, strict=True)
    ]
    links = {o.path: row.links for o, row in zip(outlines, linked, strict=True)}
    suggestions = Suggestions(names_in(outlines))
    near = {said: suggestions.nearest(said) for said in most_wanted(links.values())}
    wiki = make_wiki(config, heads, standing, links, near, today or today_utc())
    found = [row for head in heads for row in head.diagnostics]
    found += [row for links in linked for row in links.diagnostics]
    return sort_findings([*found, *look_at(wiki)])


def look_at(wiki: Wiki) -> Iterable[Diagnostic]:
    """What the rules of the whole wiki find."""
    return [row for rule in WIKI_RULES for row in rule.find(wiki)]


def check_backing(backing: Backing) -> tuple[Diagnostic, ...]:
    """Find patterns that cannot run, files that drifted and claims without evidence."""
    return sort_findings(row for rule in BACKING_RULES for row in rule.find(backing))
