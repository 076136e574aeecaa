"""Findings in a page's text and front matter."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki


def find_problems(wiki: Wiki) -> Iterator[Diagnostic]:
    """What reading the pages met: each problem keeps its own words and severity."""
    for page in wiki.pages:
        for problem in page.problems:
            yield Diagnostic(
                code=problem.code,
                severity=problem.severity,
                path=page.path,
                line=problem.line,
                column=problem.column,
                message=problem.message,
                hint=problem.hint,
            )


def find_category_mismatches(wiki: Wiki) -> Iterator[Diagnostic]:
    """A page lies at or below the path that its category names."""
    for page in wiki.pages:
        category = page.frontmatter.category.strip("/ ")
        stem = page.path.rpartition(".")[0]
        if category and not f"{stem}/".startswith(f"{category}/"):
            folder = page.path.rpartition("/")[0] or "the top folder"
            yield finding(
                "category-mismatch",
                page.path,
                f"The category is {category!r}, and the page lies in {folder}.",
                *page.place("category"),
            )


def find_aged_pages(wiki: Wiki) -> Iterator[Diagnostic]:
    """A page whose `last_reinforced` is longer ago than the settings allow."""
    for page in wiki.pages:
        last = page.frontmatter.last_reinforced
        if last and (wiki.today - last).days > wiki.config.aged_days:
            yield finding(
                "aged-page",
                page.path,
                f"Last reinforced on {last}, more than {wiki.config.aged_days:g} days ago.",
                *page.place("last_reinforced"),
            )
