"""Broken input or machinery, never a failing snippet.

WikiError
├── UsageError        the command line asks for what is not there
├── ConfigError       mkdocs.yml, a fixture file or a baseline file cannot be used
├── LedgerError       an evidence file cannot be read or written
└── WorkerError       the machinery that runs snippets broke
"""

import unicodedata
from collections.abc import Iterable


class WikiError(Exception):
    """What a person can mend: the message names the place, the value and the remedy."""


class UsageError(WikiError):
    """The command line asks for what is not there."""


class ConfigError(WikiError):
    """A settings, fixture or baseline file cannot be used."""


class LedgerError(WikiError):
    """An evidence file cannot be read or written."""


class WorkerError(WikiError):
    """The machinery that runs snippets broke; says nothing about the snippet."""


def nearest(word: str, known: Iterable[str], cutoff: float = 70.0) -> str | None:
    """Find the known word that was most likely meant, or None.

    Words are compared as decomposed jamo, so that Korean typing errors count as one letter.
    """
    from rapidfuzz import fuzz, process

    names = {unicodedata.normalize("NFD", name.casefold()): name for name in known}
    query = unicodedata.normalize("NFD", word.casefold())
    found = process.extractOne(query, list(names), scorer=fuzz.ratio, score_cutoff=cutoff)
    return names[found[0]] if found else None
