"""Fixes in fences."""

import re
from collections.abc import Iterable, Sequence

from wiki_tools.edits.case import Case, closest
from wiki_tools.edits.matter import Stretch
from wiki_tools.markup import ATTRIBUTES, ROLES

_WORD = re.compile(r"\.?([^\s={}.]+)")
_OPENING = re.compile(r"(`{3,}|~{3,})")
_MARKDOWN = re.compile(r"^(?:#{2,6} |---$|[-*] |\[\[|\| |```|~~~)", re.MULTILINE)
"""Lines that make it likely that a page's text has become code."""


def fix_role(case: Case) -> Sequence[Stretch]:
    """A misspelt role, if just one role is near."""
    return _respelt(case, ROLES)


def fix_attribute(case: Case) -> Sequence[Stretch]:
    """A misspelt attribute, if just one attribute is near."""
    return _respelt(case, ATTRIBUTES)


def _respelt(case: Case, known: Iterable[str]) -> Sequence[Stretch]:
    match = _WORD.match(case.page.markup.text, case.at)
    near = closest(match[1], known, min(2, len(match[1]) // 3)) if match else None
    return [(match.start(1), match.end(1), near)] if match and near else ()


def fix_unclosed_fence(case: Case) -> Sequence[Stretch]:
    """The closing line at the end of a page, if all below the opening one is code."""
    text = case.page.markup.text
    fence = next((f for f in case.page.markup.fences if f.span.start == case.at), None)
    opening = _OPENING.match(text, case.at)
    if not fence or not opening or case.finding.column != 1 or _MARKDOWN.search(fence.code):
        return ()
    if text[fence.span.end :].strip() or not fence.code.strip():
        return ()
    at = len(text.rstrip())
    return [(at, len(text), f"\n{opening[1]}\n")]
