"""Finds every claim of a page: in attributes, in comments and in prose."""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wiki_tools.claims.types import Claim
from wiki_tools.markup import CLAIMS, Fence, find_prose, is_code, owned_claims
from wiki_tools.markup.ranges import parse_range
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet

if TYPE_CHECKING:
    from wiki_tools.claims.phrases import Phrase

_NOWHERE = r"https?://\S+|<[^<>\n]{0,200}>|\]\([^()\n]{0,200}\)"
_ADDRESSES = re.compile(_NOWHERE)
_UNSAID = re.compile(rf"`[^`\n]{{0,200}}`|\$[^$\n]{{0,200}}\$|{_NOWHERE}")
"""Code, addresses and mathematics in prose: they state nothing, but for the order of a cost."""


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
    span = fence.info_span
    for claim in claims_of_fence(page.path, fence, snippet):
        place = re.search(rf"\b{claim.kind}\s*=", page.markup.text[span.start : span.end])
        yield replace(claim, column=span.column + (place.start() if place else 0))


def claims_of_fence(path: str, fence: Fence, snippet: str) -> Iterator[Claim]:
    """Find what the attributes of a fence claim; all begin where its attributes do."""
    for kind in CLAIMS:
        if kind not in fence.attributes:
            continue
        text = fence.attributes[kind]
        try:
            low, high = parse_range(text)
        except ValueError:
            continue  # `check` has a diagnostic for it
        yield Claim(
            path=path,
            line=fence.info_span.line,
            column=fence.info_span.column,
            text=text,
            kind=kind,
            low=low,
            high=high,
            source="attribute",
            snippet=snippet,
            on=fence.attributes.get("on", ""),
            expected=_expected(fence, kind),
        )


def _expected(fence: Fence, kind: str) -> str:
    """What a fence expects of one of its claims: `refuted`, or nothing."""
    value = fence.attributes.get("expect", "")
    named = owned_claims(value)
    return value.partition(":")[0] if not named or kind in named else ""


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
        yield from _claims(page, text, span.line, span.column, "prose", "")


def _claims(
    page: Page, text: str, line: int, column: int, source: str, snippet: str
) -> Iterator[Claim]:
    """Find what a text claims that begins at a place; a paragraph's lines are one text."""
    above = start = at = 0
    for phrase in _stated(text):  # in order: each looks no further back than the one before
        above += text.count("\n", at, phrase.start)
        start = text.rfind("\n", at, phrase.start) + 1 or start
        at = phrase.start
        yield Claim(
            path=page.path,
            line=line + above,
            column=phrase.start - start + (1 if above else column),
            text=text[phrase.start : phrase.end].strip(),
            kind=phrase.kind,
            low=phrase.low,
            high=phrase.high,
            source=source,
            snippet=snippet,
        )


def _stated(text: str) -> Iterator["Phrase"]:
    """Find ratios and growth; where both are read from the same words, it is growth."""
    # 100 ms of patterns, which `wiki verify` and a site do without: they read attributes.
    from wiki_tools.claims.growth import find_growth, find_orders
    from wiki_tools.claims.phrases import Phrase, find_phrases

    said = _blank(_UNSAID, text)
    found = [*find_orders(_blank(_ADDRESSES, text)), *find_growth(said)]
    grown = [Phrase(start=g.start, end=g.end, kind="growth", low=g.low, high=g.high) for g in found]
    end = 0
    for phrase in sorted([*grown, *find_phrases(said)], key=lambda p: (p.start, p.kind)):
        if phrase.start >= end:
            end = phrase.end
            yield phrase


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)
