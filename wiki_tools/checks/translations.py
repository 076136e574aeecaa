"""Findings in translations: they hold the same code."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from wiki_tools.checks.codes import finding
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.types import FenceShape, Wiki
from wiki_tools.graph import Outline
from wiki_tools.markup import Fence, is_code
from wiki_tools.pages import Page

_ASSERTION = re.compile(r"#>.*|#\s*\([^()#]*,[^()#]*\)")
_LAYOUT = {tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}

Token = tuple[str, int, int]
"""A piece of code, with its line and column."""


def fence_shapes(page: Page) -> tuple[FenceShape, ...]:
    """What a translation of a page has to share with it."""
    return tuple(
        FenceShape(
            fence.role,
            tuple(sorted((k, v) for k, v in fence.attributes.items() if k != "title")),
            fence.span.line,
            fence.span.column,
            tuple(_placed(page.markup.text, fence)),
        )
        for fence in page.markup.fences
        if is_code(fence.language) or fence.role
    )


def _placed(text: str, fence: Fence) -> Iterator[Token]:
    """The tokens of a fence with their places in the page: a list or a quote indents its code."""
    start = text.rfind("\n", 0, fence.span.start) + 1
    written = text[start : fence.span.end].split("\n")[fence.line - fence.span.line :]
    rows = fence.code.split("\n")
    for token, line, column in significant(fence.code):
        indent = max(written[line - 1].find(rows[line - 1]), 0) if line <= len(written) else 0
        yield token, fence.line + line - 1, indent + column


def _translated(wiki: Wiki) -> Iterator[tuple[Outline, Outline]]:
    """Each translation with its page in the default language, or in the first that is there."""
    groups: dict[str, list[Outline]] = {}
    for page in wiki.pages:
        groups.setdefault(page.stem, []).append(page)
    order = wiki.config.languages.index
    for group in groups.values():
        if len(group) > 1:
            original, *others = sorted(group, key=lambda page: order(page.language))
            yield from ((original, other) for other in others)


def find_translation_ids(wiki: Wiki) -> Iterator[Diagnostic]:
    """A translation that has an id has its page's."""
    for original, page in _translated(wiki):
        if original.id and page.id and original.id != page.id:
            message = f"The id is {page.id!r}; {original.path} has {original.id!r}."
            yield finding("translation-id", page.path, message, *page.place("id"))


def find_differing_translations(wiki: Wiki) -> Iterator[Diagnostic]:
    """A translation's fences are its page's, but for comments and titles.

    Where one has more fences than the other, those behind the first difference say nothing.
    """
    for original, page in _translated(wiki):
        theirs, ours = (wiki.fences.get(p.path, ()) for p in (original, page))
        for number, (their, our) in enumerate(zip_longest(theirs, ours), 1):
            shown = our or (ours[-1] if ours else None)
            place = (shown.line, shown.column) if shown else (1, 1)
            difference = _difference(their, our, original.path, place)
            if difference:
                told, line, column = difference
                message = f"Fence {number}: {told}."
                yield finding("translation-differs", page.path, message, line, column)
                if len(theirs) != len(ours):
                    break


Difference = tuple[str, int, int]
"""What is not as on the other page, and the line and column of it."""


def _difference(
    theirs: FenceShape | None, ours: FenceShape | None, path: str, place: tuple[int, int]
) -> Difference | None:
    if theirs is None or ours is None:
        return f"{path} has {'one more' if ours is None else 'no such fence'}", *place
    if ours.role != theirs.role:
        roles = f"{ours.role or 'none'}, and {theirs.role or 'none'} in {path}"
        return f"the role is {roles}", *place
    if ours.attributes != theirs.attributes:
        return f"the attributes are not those in {path}", *place
    for mine, other in zip_longest(ours.tokens, theirs.tokens):
        if mine is None:
            _, line, column = ours.tokens[-1] if ours.tokens else ("", *place)
            return f"the code ends here, and goes on with {other[0]!r} in {path}", line, column
        if other is None or mine[0] != other[0]:
            return f"the code differs from {path} at {mine[0]!r}", mine[1], mine[2]
    return None


@lru_cache(maxsize=1024)
def significant(code: str) -> tuple[Token, ...]:
    """The tokens of code with their line and column in it, without idle comments."""
    found: list[Token] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            line, column = token.start[0], token.start[1] + 1
            if token.type == tokenize.COMMENT:
                assertion = _ASSERTION.match(token.string)
                if assertion:
                    found.append((" ".join(assertion[0].split()), line, column))
            elif token.type not in _LAYOUT:
                found.append((token.string, line, column))
    except (tokenize.TokenError, SyntaxError):
        rows = enumerate(code.splitlines(), 1)
        return tuple((row.rstrip(), number, 1) for number, row in rows if row.strip())
    return tuple(found)
