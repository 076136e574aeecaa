"""Finds every claim of a page: in attributes, in comments and in prose."""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence

from wiki_tools.claims.phrases import find_phrases
from wiki_tools.claims.types import Claim
from wiki_tools.markup import Fence, find_prose, is_code
from wiki_tools.markup.ranges import parse_range
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet

KINDS = ("speedup", "slowdown", "memory")
"""Attributes that claim something, and the kinds of all claims."""
_UNSAID = re.compile(
    r"`[^`\n]{0,200}`|https?://\S+|\$[^$\n]{0,200}\$|<[^<>\n]{0,200}>|\]\([^()\n]{0,200}\)"
)
"""Code, addresses and mathematics in prose: they state nothing."""


def find_claims(page: Page, snippets: Sequence[Snippet]) -> tuple[Claim, ...]:
    """Find what a page claims, in the order of its text.

    Args:
        page: the page, in any language.
        snippets: those extracted from this very text.
    """
    return all_claims(page, {snippet.fence.line: snippet.id for snippet in snippets})


def all_claims(page: Page, ids: Mapping[int, str]) -> tuple[Claim, ...]:
    """Find what a page claims; `ids` are those of its snippets, by the line of their code."""
    lines = page.markup.text.split("\n")
    claims = [*_prose(page), *stated_claims(page, ids)]
    for fence in page.markup.fences:
        if is_code(fence.language):
            claims += _comments(page, fence, lines, ids.get(fence.line, ""))
    return tuple(sorted(claims, key=lambda claim: (claim.line, claim.column)))


def stated_claims(page: Page, ids: Mapping[int, str]) -> tuple[Claim, ...]:
    """Find what a page claims in attributes: only this is held against measurements."""
    return tuple(
        claim
        for fence in page.markup.fences
        if fence.attributes
        for claim in _attributes(page, fence, ids.get(fence.line, ""))
    )


def _attributes(page: Page, fence: Fence, snippet: str) -> Iterator[Claim]:
    for kind in KINDS:
        if kind not in fence.attributes:
            continue
        text = fence.attributes[kind]
        try:
            low, high = parse_range(text)
        except ValueError:
            continue  # `check` has a diagnostic for it
        span = fence.info_span
        place = re.search(rf"\b{kind}\s*=", page.markup.text[span.start : span.end])
        yield Claim(
            path=page.path,
            line=span.line,
            column=span.column + (place.start() if place else 0),
            text=text,
            kind=kind,
            low=low,
            high=high,
            source="attribute",
            snippet=snippet,
            on=fence.attributes.get("on", ""),
            expected=fence.attributes.get("expect", ""),
        )


def _comments(page: Page, fence: Fence, lines: Sequence[str], snippet: str) -> Iterator[Claim]:
    for number, comment in comments_of(fence.code):
        line = fence.line + number - 1
        start = max(lines[line - 1].find(comment), 0) if line <= len(lines) else 0
        yield from _claims(page, comment, line, start + 1, "comment", snippet)


def comments_of(code: str) -> Iterator[tuple[int, str]]:
    """Give the comments of code with their 1-based lines, as far as it can be read."""
    if "#" not in code:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT and not token.string.startswith("#>"):
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _prose(page: Page) -> Iterator[Claim]:
    for span in find_prose(page.markup):
        text = page.markup.text[span.start : span.end]
        said = _UNSAID.sub(lambda match: " " * len(match[0]), text)
        for below, line in enumerate(said.split("\n")):
            column = 1 if below else span.column
            yield from _claims(page, line, span.line + below, column, "prose", "")


def _claims(
    page: Page, text: str, line: int, column: int, source: str, snippet: str
) -> Iterator[Claim]:
    for phrase in find_phrases(text):
        yield Claim(
            path=page.path,
            line=line,
            column=column + phrase.start,
            text=text[phrase.start : phrase.end].strip(),
            kind=phrase.kind,
            low=phrase.low,
            high=phrase.high,
            source=source,
            snippet=snippet,
        )
