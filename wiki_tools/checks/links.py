"""Findings in links."""

from collections.abc import Iterator, Sequence

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.errors import nearest
from wiki_tools.graph import AnyLink, BrokenLink, ResolvedLink, unreached


def find_broken_links(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links that more than one page, or no heading, block or file answers to."""
    for row in rows:
        if isinstance(row, BrokenLink) and row.reason != "wanted-page":
            message, hint = _said(row)
            span = row.link.span
            yield finding(row.reason, row.path, message, span.line, span.column, hint)


def _said(row: BrokenLink) -> tuple[str, str]:
    """The message and, where one is known that is better than the code's own, the hint."""
    link = row.link
    if row.reason == "ambiguous-link":
        listed = ", ".join(row.candidates)
        path = row.candidates[0].rpartition(".")[0]
        message = f"{link.text} may be any of {len(row.candidates)} pages: {listed}."
        return message, f"Write the path of the one that is meant, such as [[{path}]]."
    if row.reason == "missing-file":
        return f"{link.text} names a file that is not there.", ""
    what, mark = ("block", "^") if row.reason == "missing-block" else ("heading", "")
    message = f"{link.text} names the {what} {link.heading!r}, which {row.target_path} lacks."
    near = nearest(link.heading.removeprefix("^"), row.candidates)
    if near:
        return message, f"Did you mean #{mark}{near}?"
    listed = ", ".join(f"#{mark}{name}" for name in row.candidates[:5])
    more = " and more" if len(row.candidates) > 5 else ""
    return message, f"It has {listed}{more}." if listed else ""


def find_self_links(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links that lead to the page they stand in, and to no heading of it."""
    for row in rows:
        if isinstance(row, ResolvedLink) and row.source == row.target and not row.link.heading:
            yield _at(row, "self-link", f"{row.link.text} leads to the page it stands in.")


def find_links_to_duplicates(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links to a page that stands for another."""
    for row in rows:
        if isinstance(row, ResolvedLink) and row.canonical != row.target != row.source:
            message = f"{row.link.text} names {row.target}, which stands for {row.canonical}."
            yield _at(row, "link-to-duplicate", message)


def _at(row: ResolvedLink, code: str, message: str) -> Diagnostic:
    return finding(code, row.path, message, row.link.span.line, row.link.span.column)


def find_wanted_pages(wiki: Wiki) -> Iterator[Diagnostic]:
    """Links that no page answers to."""
    for path, links in wiki.links.items():
        for _, text, line, column, near in links.wanted:
            hint = f"Did you mean {near}? Else write the page." if near else ""
            message = f"{text} names a page that is not there."
            yield finding("wanted-page", path, message, line, column, hint)


def find_orphans(wiki: Wiki) -> Iterator[Diagnostic]:
    """Pages that no other page leads to, in a wiki of more than one page."""
    paths: dict[str, str] = {}
    for page in wiki.pages:
        paths.setdefault(page.key, page.path)
    if len(paths) > 1:
        reached = {key for links in wiki.links.values() for key in links.reached}
        rows = ((page.key, page.path, page.duplicate_of) for page in wiki.pages)
        for key in unreached(rows, reached):
            yield finding("orphan-page", paths[key], "No other page leads to this one.")
