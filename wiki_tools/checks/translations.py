"""Findings in translations: they hold the same code."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from wiki_tools.checks.codes import finding
from wiki_tools.checks.types import Diagnostic, Wiki
from wiki_tools.markup import Fence, is_code
from wiki_tools.pages import Page, key_of

_ASSERTION = re.compile(r"#>.*|#\s*\([^()#]*,[^()#]*\)")
_LAYOUT = {tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}


def _translated(wiki: Wiki) -> Iterator[tuple[Page, Page]]:
    """Each translation with its page in the default language, or in the first that is there."""
    groups: dict[str, list[Page]] = {}
    for page in wiki.pages:
        groups.setdefault(key_of(page.path, wiki.config), []).append(page)
    order = wiki.config.languages.index
    for group in groups.values():
        if len(group) > 1:
            original, *others = sorted(group, key=lambda page: order(page.language))
            yield from ((original, other) for other in others)


def find_translation_ids(wiki: Wiki) -> Iterator[Diagnostic]:
    """A translation that has an id has its page's."""
    for original, page in _translated(wiki):
        ids = original.frontmatter.id, page.frontmatter.id
        if all(ids) and ids[0] != ids[1]:
            message = f"The id is {ids[1]!r}; {original.path} has {ids[0]!r}."
            yield finding("translation-id", page.path, message, *page.place("id"))


def find_differing_translations(wiki: Wiki) -> Iterator[Diagnostic]:
    """A translation's fences are its page's, but for comments and titles."""
    for original, page in _translated(wiki):
        rows = zip_longest(_runnable(original), _runnable(page))
        for number, (theirs, ours) in enumerate(rows, 1):
            difference = _difference(theirs, ours, original.path)
            if difference:
                line = ours.span.line if ours else page.markup.text.count("\n") or 1
                column = ours.span.column if ours else 1
                message = f"Fence {number}: {difference}."
                yield finding("translation-differs", page.path, message, line, column)
                if not ours or not theirs:
                    break


def _runnable(page: Page) -> list[Fence]:
    return [fence for fence in page.markup.fences if is_code(fence.language) or fence.role]


def _difference(theirs: Fence | None, ours: Fence | None, path: str) -> str:
    if theirs is None or ours is None:
        return f"{path} has {'one more' if ours is None else 'no such fence'}"
    if ours.role != theirs.role:
        return f"the role is {ours.role or 'none'}, and {theirs.role or 'none'} in {path}"
    if _attributes(ours) != _attributes(theirs):
        return f"the attributes are not those in {path}"
    mine, other = significant(ours.code), significant(theirs.code)
    for (line, text), (_, expected) in zip_longest(mine, other, fillvalue=(0, "")):
        if text != expected:
            return f"the code differs from {path} in its line {line or 'after the last'}: {text!r}"
    return ""


def _attributes(fence: Fence) -> dict[str, str]:
    return {key: value for key, value in fence.attributes.items() if key != "title"}


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
