"""Findings in snippets and in what pages claim of them."""

from collections.abc import Iterator

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki


def find_fences_without_code(wiki: Wiki) -> Iterator[Diagnostic]:
    """Python fences that hold no pattern, and do not say so."""
    for snippet in wiki.snippets:
        if snippet.skip and snippet.fence.role != "no-run":
            message = f"This is no pattern that runs: {snippet.skip}."
            span = snippet.fence.span
            yield finding("fence-not-code", snippet.path, message, span.line, span.column)


def find_incomplete_snippets(wiki: Wiki) -> Iterator[Diagnostic]:
    """Names that a pattern uses and nothing provides, whichever program is taken."""
    for snippet in wiki.snippets:
        if snippet.skip or not snippet.programs:
            continue
        fewest = min(snippet.programs, key=lambda program: len(program.missing))
        for missing in fewest.missing:
            message = f"{snippet.id} uses {missing.name!r}, which nothing provides."
            yield finding("incomplete-snippet", snippet.path, message, missing.line)


def find_drifted_snippets(wiki: Wiki) -> Iterator[Diagnostic]:
    """Extracted files that no longer match their page."""
    for path in wiki.drifted:
        there = (wiki.config.root / path).exists()
        message = "The file is not what its page says." if there else "There is no such file yet."
        yield finding("drifted-snippet", path, message)


def find_unbacked_claims(wiki: Wiki) -> Iterator[Diagnostic]:
    """Ratios that a page states and nobody measured."""
    for claim in wiki.unbacked:
        message = f"Nobody measured {claim.text!r}."
        hint = "Run wiki verify." if claim.source == "attribute" else ""
        yield finding("unbacked-claim", claim.path, message, claim.line, claim.column, hint)
