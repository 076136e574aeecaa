"""Findings in links."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wiki_tools.checks.codes import CODES, finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.suggest import Suggestions, as_names
from wiki_tools.checks.types import Wiki
from wiki_tools.errors import counted
from wiki_tools.graph import AnyLink, BrokenLink, ResolvedLink, unreached

_WRITE = CODES["wanted-page"].hint
_SHOWN = 8
"""Pages that a message lists."""


def find_broken_links(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links that more than one page, or no heading, block or file answers to."""
    inside: dict[tuple[str, str], Suggestions] = {}
    for row in rows:
        if isinstance(row, BrokenLink) and row.reason != "wanted-page":
            message, hint = _said(row, inside)
            span = row.link.span
            yield finding(row.reason, row.path, message, span.line, span.column, hint)


def _said(row: BrokenLink, inside: dict[tuple[str, str], Suggestions]) -> tuple[str, str]:
    """The message and, where one is known that is better than the code's own, the hint.

    `inside` remembers the headings, and the blocks, of pages by their paths.
    """
    link = row.link
    if row.reason == "ambiguous-link":
        return _ambiguous(row)
    if row.reason == "missing-file":
        bare = link.target.startswith("www.")
        remedy = f"Write https:// before it: {link.target} is a file's name." if bare else ""
        return f"{link.text} names a file that is not there.", remedy
    what, mark = ("block", "^") if row.reason == "missing-block" else ("heading", "")
    message = f"{link.text} names the {what} {link.heading!r}, which {row.target_path} lacks."
    known = inside.setdefault((row.target_path, what), Suggestions(as_names(row.candidates)))
    near = known.nearest(link.heading.removeprefix("^"))
    if near:
        return message, f"Did you mean #{mark}{near}?"
    listed = ", ".join(f"#{mark}{name}" for name in row.candidates[:5])
    more = " and more" if len(row.candidates) > 5 else ""
    return message, f"It has {listed}{more}." if listed else ""


def _ambiguous(row: BrokenLink) -> tuple[str, str]:
    listed = ", ".join(row.candidates[:_SHOWN])
    more = " and more" if len(row.candidates) > _SHOWN else ""
    message = f"{row.link.text} may be any of {len(row.candidates)} pages: {listed}{more}."
    path = row.candidates[0].rpartition(".")[0]
    return message, f"Write the path of the one that is meant, such as [[{path}]]."


def find_distant_links(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Markdown links that name a page of another folder as if it lay in their own."""
    for row in rows:
        if not isinstance(row, ResolvedLink) or row.link.form != "markdown":
            continue
        if row.resolution == "name":
            path = posixpath.relpath(row.target_path, posixpath.dirname(row.path) or ".")
            message = f"{row.link.text} names {row.target_path} without its folder."
            hint = f"Write {path}, so that it works on GitHub too."
            yield replace(_at(row, "distant-link", message), hint=hint)


def find_self_links(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links that lead to the page they stand in, and to no heading of it.

    A page that names itself as its parent is a circle of parents.
    """
    for row in rows:
        if not isinstance(row, ResolvedLink) or row.path != row.target_path:
            continue
        if not row.link.heading and row.relation != "parent" and not _names_translation(row):
            yield _at(row, "self-link", f"{row.link.text} leads to the page it stands in.")


def _names_translation(row: ResolvedLink) -> bool:
    """Whether a link by path names the page in another language.

    `[English](a.md)` on `a.ko.md` stays in Korean on the site, and leads to English on GitHub.
    """
    name = row.link.target.rpartition("/")[2]
    return row.link.form == "markdown" and name not in ("", row.path.rpartition("/")[2])


def find_links_to_duplicates(rows: Sequence[AnyLink]) -> Iterator[Diagnostic]:
    """Links to a page that stands for another."""
    for row in rows:
        if isinstance(row, ResolvedLink) and row.canonical != row.target != row.source:
            message = f"{row.link.text} names {row.target}, which stands for {row.canonical}."
            yield _at(row, "link-to-duplicate", message)


def _at(row: ResolvedLink, code: str, message: str) -> Diagnostic:
    return finding(code, row.path, message, row.link.span.line, row.link.span.column)


def find_wanted_pages(wiki: Wiki) -> Iterator[Diagnostic]:
    """Links that no page answers to.

    How many pages want one stands in the hint: a baseline knows findings by their message, and
    that number changes when other pages do.
    """
    asking: dict[str, set[str]] = {}
    for path, key in wiki.keys.items():
        for name, *_ in wiki.links[path].wanted:
            asking.setdefault(name, set()).add(key)
    for path, links in wiki.links.items():
        for name, text, line, column, said in links.wanted:
            near = wiki.near.get(said)
            hint = f"Did you mean {near}? Else write the page." if near else _WRITE
            count = len(asking[name])
            asked = f" {counted(count, 'page')} ask for it." if count > 1 else ""
            message = f"{text} names a page that is not there."
            yield finding("wanted-page", path, message, line, column, hint + asked)


def find_orphans(wiki: Wiki) -> Iterator[Diagnostic]:
    """Pages that no other page leads to, in a wiki of more than one page."""
    paths: dict[str, str] = {}
    for path, key in wiki.keys.items():  # of translations the one without a suffix
        known = paths.setdefault(key, path)
        if known != path:
            paths[key] = min(known, path, key=lambda path: (len(path), path))
    if len(paths) > 1:
        reached = {key for links in wiki.links.values() for key in links.reached}
        numbers = (n for n, key in enumerate(wiki.keys.values()) if key not in reached)
        rows = ((p.key, p.path, p.duplicate_of) for p in map(wiki.pages.__getitem__, numbers))
        for key in unreached(rows, reached):
            yield finding("orphan-page", paths[key], "No other page leads to this one.")
