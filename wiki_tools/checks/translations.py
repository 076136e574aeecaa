"""Findings in translations: they hold the same code."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, FenceShape, Wiki
from wiki_tools.graph import Outline
from wiki_tools.markup import is_code
from wiki_tools.pages import Page

_ASSERTION = re.compile(r"#>.*|#\s*\([^()#]*,[^()#]*\)")
_LAYOUT = {tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}


def fence_shapes(page: Page) -> tuple[FenceShape, ...]:
    """What a translation of a page has to share with it."""
    return tuple(
        FenceShape(
            fence.role,
            tuple(sorted((k, v) for k, v in fence.attributes.items() if k != "title")),
            fence.span.line,
            fence.span.column,
            significant(fence.code),
        )
        for fence in page.markup.fences
        if is_code(fence.language) or fence.role
    )


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
    """A translation's fences are its page's, but for comments and titles."""
    for original, page in _translated(wiki):
        theirs, ours = (wiki.fences.get(p.path, ()) for p in (original, page))
        for number, (their, our) in enumerate(zip_longest(theirs, ours), 1):
            difference = _difference(their, our, original.path)
            if difference:
                shown = our or (ours[-1] if ours else None)
                place = (shown.line, shown.column) if shown else (1, 1)
                message = f"Fence {number}: {difference}."
                yield finding("translation-differs", page.path, message, *place)
                if not our or not their:
                    break


def _difference(theirs: FenceShape | None, ours: FenceShape | None, path: str) -> str:
    if theirs is None or ours is None:
        return f"{path} has {'one more' if ours is None else 'no such fence'}"
    if ours.role != theirs.role:
        return f"the role is {ours.role or 'none'}, and {theirs.role or 'none'} in {path}"
    if ours.attributes != theirs.attributes:
        return f"the attributes are not those in {path}"
    for (line, text), (_, expected) in zip_longest(ours.tokens, theirs.tokens, fillvalue=(0, "")):
        if text != expected:
            return f"the code differs from {path} in its line {line or 'after the last'}: {text!r}"
    return ""


@lru_cache(maxsize=1024)
def significant(code: str) -> tuple[tuple[int, str], ...]:
    """The tokens of code with their line in it, without comments that assert nothing."""
    found: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                assertion = _ASSERTION.match(token.string)
                if assertion:
                    found.append((token.start[0], " ".join(assertion[0].split())))
            elif token.type not in _LAYOUT:
                found.append((token.start[0], token.string))
    except (tokenize.TokenError, SyntaxError):
        rows = enumerate(code.splitlines(), 1)
        return tuple((number, row.rstrip()) for number, row in rows if row.strip())
    return tuple(found)
