"""Gives every page the key by which links and evidence know it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Claimant(NamedTuple):
    """What decides a page's key."""

    path: str
    stem: str
    """The path without its language and `.md`: translations share it."""
    language: str
    id: str
    """The front matter's own; empty where there is none."""


def assign_keys(rows: Sequence[Claimant], languages: Iterable[str]) -> list[str]:
    """Give translations one key, and every other page a key that no page has.

    A translation without an id has that of its page in the default language, or of any other.
    Of two pages that claim one id the first by path keeps it: `checks` reports the other.
    """
    ranks = {language: rank for rank, language in enumerate(languages)}
    groups: dict[str, list[Claimant]] = {}
    for row in rows:
        groups.setdefault(row.stem, []).append(row)
    keys: dict[str, str] = {}
    taken: set[str] = set()
    without: list[tuple[str, str]] = []
    for stem, group in groups.items():
        name = _claimed(group, ranks)
        if not name:
            without.append((stem, group[0].path))
            continue
        keys[stem] = name if name not in taken else _free(stem, group[0].path, taken)
        taken.add(keys[stem])
    for stem, path in without:
        keys[stem] = _free(stem, path, taken)
        taken.add(keys[stem])
    return [keys[row.stem] for row in rows]


def _claimed(group: Sequence[Claimant], ranks: dict[str, int]) -> str:
    if len(group) == 1:
        return group[0].id
    first = min(group, key=lambda row: ranks.get(row.language, len(ranks)))
    return next((row.id for row in (first, *group) if row.id), "")


def _free(stem: str, path: str, taken: set[str]) -> str:
    return stem if stem not in taken else path
