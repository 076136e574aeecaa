"""Findings in a page's text and front matter."""

import datetime
from collections.abc import Iterator
from dataclasses import replace

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import Wiki
from wiki_tools.config import Config
from wiki_tools.errors import counted, shortened
from wiki_tools.pages import OWN, Page


def find_problems(_config: Config, page: Page) -> Iterator[Diagnostic]:
    """What reading the page met: each problem keeps its own words and severity."""
    for problem in page.problems:
        yield Diagnostic(
            code=problem.code,
            severity=problem.severity,
            path=page.path,
            line=problem.line,
            column=problem.column,
            message=shortened(problem.message),
            hint=shortened(problem.hint),
        )


def find_category_mismatches(_config: Config, page: Page) -> Iterator[Diagnostic]:
    """A page lies at or below the path that its category names."""
    category = page.frontmatter.category.strip("/ ")
    stem = page.path.rpartition(".")[0]
    if category and not f"{stem}/".startswith(f"{category}/"):
        folder = page.path.rpartition("/")[0] or "the top folder"
        message = f"The category is {category!r}, and the page lies in {folder}."
        found = finding("category-mismatch", page.path, message, *page.place("category"))
        yield replace(found, severity="info") if OWN.isdisjoint(page.places) else found


def find_aged_pages(wiki: Wiki) -> Iterator[Diagnostic]:
    """A page whose `last_reinforced` is longer ago than the settings allow."""
    days = min(wiki.config.aged_days, wiki.today.toordinal() - 1)
    latest = (wiki.today - datetime.timedelta(days=days)).isoformat()
    for page in wiki.pages:
        last = page.last_reinforced
        if last and last < latest:
            age = counted(wiki.config.aged_days, "day")
            message = f"Last reinforced on {last}, more than {age} ago."
            yield finding("aged-page", page.path, message, *page.place("last_reinforced"))
