"""Findings in snippets and in what pages claim of them."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import Backing
from wiki_tools.code import find_kind, is_plain
from wiki_tools.config import Config
from wiki_tools.markup import is_runnable
from wiki_tools.pages import Page


def find_fences_without_code(_config: Config, page: Page) -> Iterator[Diagnostic]:
    """Python fences that hold no pattern, and do not say so."""
    fences = [
        fence
        for fence in page.markup.fences
        if is_runnable(fence) and fence.role not in ("no-run", "out")
    ]
    if is_plain(*(fence.code for fence in fences)):
        return
    for fence in fences:
        if not is_plain(fence.code):
            kind = find_kind(fence.code, fence.role, fence.line)
            if kind.skip:
                message = f"This is no pattern that runs: {kind.skip}."
                yield finding(
                    "fence-not-code", page.path, message, fence.span.line, fence.span.column
                )


def find_incomplete_snippets(backing: Backing) -> Iterator[Diagnostic]:
    """Names that a pattern uses and nothing provides, whichever program is taken."""
    for snippet in backing.snippets:
        if snippet.skip or not snippet.programs:
            continue
        fewest = min(snippet.programs, key=lambda program: len(program.missing))
        for missing in fewest.missing:
            message = f"{snippet.id} uses {missing.name!r}, which nothing provides."
            hint = f"Did you mean {missing.near!r}? Else define it." if missing.near else ""
            yield finding("incomplete-snippet", snippet.path, message, missing.line, hint=hint)


def find_drifted_snippets(backing: Backing) -> Iterator[Diagnostic]:
    """Extracted files that no longer match their page."""
    for path in backing.drifted:
        there = (backing.config.root / path).exists()
        message = "The file is not what its page says." if there else "There is no such file yet."
        yield finding("drifted-snippet", path, message)


def find_unbacked_claims(backing: Backing) -> Iterator[Diagnostic]:
    """Ratios that a page states and nobody measured."""
    for claim in backing.unbacked:
        message = f"Nobody measured {claim.text!r}."
        hint = ""
        if claim.source == "attribute":
            hint = "Run wiki verify; it says so where a section needs a baseline fence."
        yield finding("unbacked-claim", claim.path, message, claim.line, claim.column, hint)
