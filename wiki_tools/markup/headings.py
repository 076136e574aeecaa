"""Anchors of headings: the same on the site and in the check."""

import re
import unicodedata
from collections.abc import Collection, Iterable

_TAG = re.compile(r"</?[^>]*>")
_DROPPED = re.compile(r"[^\w\- ]")
_NUMBERED = re.compile(r"(.*)_([0-9]{1,9})", re.DOTALL)


def slugify(text: str, separator: str = "-") -> str:
    """Make the anchor of a heading's text, Unicode kept and in lower case.

    It agrees with `pymdownx.slugs.slugify(case="lower")`, and mkdocs.yml may name it as the
    `slugify` of `toc`, so that links are checked against the anchors that the site really has.
    """
    text = unicodedata.normalize("NFC", text)
    last = text.rfind(">") + 1  # behind it no tag ends: searching there would be quadratic
    plain = (_TAG.sub("", text[:last]) + text[last:]).strip().lower()
    return _DROPPED.sub("", plain).replace(" ", separator)


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
        anchor = slug or _unused(slugify(" ".join(text.split())), taken, free)
        taken.add(anchor)
        anchors.append(anchor)
    return anchors


def _unused(anchor: str, taken: Collection[str], free: dict[str, int]) -> str:
    """The anchor, or the first of its numbered ones that is free.

    `free` knows for a base how many of its first numbers are taken, so that ten thousand equal
    headings take no quadratic time.
    """
    if anchor and anchor not in taken:
        return anchor
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


def section_ends(levels: list[int], starts: list[int], end: int) -> list[int]:
    """Where each heading's section ends: at the next heading of its level or above."""
    ends = [end] * len(levels)
    open_: list[int] = []
    for index, level in enumerate(levels):
        while open_ and levels[open_[-1]] >= level:
            ends[open_.pop()] = starts[index]
        open_.append(index)
    return ends
