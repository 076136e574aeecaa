"""Anchors of headings: the same on the site and in the check."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from wiki_tools.markup.types import Heading, Span

Noted = tuple[int, str, str, Span]
"""A heading's level, own slug, text and span."""

_TAG = re.compile(r"</?[^>]*>")
_DROPPED = re.compile(r"[^\w\- ]")
_NUMBERED = re.compile(r"(.*)_([0-9]{1,9})", re.DOTALL)
_new = tuple.__new__


def slugify(text: str, separator: str = "-") -> str:
    """Make the anchor of a heading's text, Unicode kept and in lower case.

    It agrees with `pymdownx.slugs.slugify(case="lower")`, and mkdocs.yml may name it as the
    `slugify` of `toc`, so that links are checked against the anchors that the site really has.
    """
    return _slug(text).replace(" ", separator)


@lru_cache(maxsize=4096)
def _slug(text: str) -> str:
    """An anchor with spaces; remembered, since pages of a vault have headings in common."""
    text = unicodedata.normalize("NFC", text)
    if ">" in text:
        last = text.rfind(">") + 1  # behind it no tag ends: searching there would be quadratic
        text = _TAG.sub("", text[:last]) + text[last:]
    return _DROPPED.sub("", text.strip().lower())


def number_anchors(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Give every heading its anchor, from pairs of its text and the author's own slug.

    The author's slugs are taken first; a repeated anchor gets `_1`, `_2` and so on, and an
    empty one becomes `_1`: the rule of Python-Markdown's `toc` extension.
    """
    rows = list(texts)
    taken = {slug for _, slug in rows if slug}
    free: dict[str, int] = {}
    anchors = []
    for text, slug in rows:
        anchor = slug or slugify(text)
        if not slug and (not anchor or anchor in taken):
            anchor = _unused(anchor, taken, free)
        taken.add(anchor)
        anchors.append(anchor)
    return anchors


def _unused(anchor: str, taken: Collection[str], free: dict[str, int]) -> str:
    """The first number of a taken anchor that is free.

    `free` knows for a base how many of its first numbers are taken, so that ten thousand equal
    headings take no quadratic time.
    """
    match = _NUMBERED.fullmatch(anchor)
    base, count = (match[1], int(match[2])) if match else (anchor, 0)
    known = free.get(base, 0)
    in_a_row = count <= known or anchor == f"{base}_{known + 1}"
    count = max(count, known) + 1 if in_a_row else count + 1
    while f"{base}_{count}" in taken:
        count += 1
    if in_a_row:
        free[base] = count
    return f"{base}_{count}"


def number_headings(rows: Sequence[Noted], length: int) -> tuple[Heading, ...]:
    """Give the headings of a text of a length their anchors and the ends of their sections.

    A section ends at the next heading of its level or above.
    """
    anchors = number_anchors((text, slug) for _, slug, text, _ in rows)
    ends = [length] * len(rows)
    within: list[int] = []
    for index, (level, _, _, span) in enumerate(rows):
        while within and rows[within[-1]][0] >= level:
            ends[within.pop()] = span.start
        within.append(index)
    # `Heading(...)` takes twice as long
    return tuple(
        [
            _new(Heading, (level, text, anchor, slug, span, end))
            for (level, slug, text, span), anchor, end in zip(rows, anchors, ends, strict=True)
        ]
    )
