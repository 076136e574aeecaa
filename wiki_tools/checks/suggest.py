"""Finds the name that a misspelt one most likely means, among very many."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

from wiki_tools.collector import without_collector
from wiki_tools.graph import RESOLUTIONS, Outline, fold

_MOST = 200
"""Names that one question compares: 0.03 ms, whatever the size of the vault."""
_LIKE = 75.0
_SHORT = 7
"""Letters of a name of which one typing error may change the beginning and the end."""
_TOLD = ("name", "title", "alias")
"""Kinds of names that a person may have meant."""
_CLASS = 2
"""Bits of a length that do not count: names of 12 to 15 letters are in one bucket."""


class Suggestions:
    """Names by their words, first and last letters and length, in decomposed jamo.

    Comparing a link with all 30,000 names of 10,000 pages takes 3.5 ms; only those of about its
    length that share a word, a beginning or an end with it are compared, the rarest first.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Take names as they are written and as they are compared."""
        self._asked: dict[str, str] = {}
        """Target to the name that is most like it, or nothing."""
        self._unread: Iterable[tuple[str, str]] | None = names
        self._names: dict[str, str] = {}
        """Name as it is compared to how it is written."""
        self._buckets: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
        """Length without its last bits, then word, beginning or end, to the names that have it."""

    def nearest(self, target: str) -> str:
        """The name that is most like a target; empty where none is like it."""
        if target not in self._asked:
            self._asked[target] = self._nearest(target)
        return self._asked[target]

    def _nearest(self, target: str) -> str:
        from rapidfuzz import fuzz, process

        self.prepare()
        query = _decomposed(fold(target))
        found = process.extract(
            query, self._choose(query), scorer=fuzz.ratio, score_cutoff=_LIKE, limit=5
        )
        return next((self._names[n] for n, _, _ in found if _digits(n) == _digits(query)), "")

    def _choose(self, query: str) -> list[str]:
        size = len(query) >> _CLASS
        near = [self._buckets[number] for number in (size - 1, size, size + 1)]
        found = (row.get(key, []) for key in _keys(query) for row in near)
        chosen: dict[str, None] = {}
        for bucket in sorted(found, key=len):
            if len(chosen) + len(bucket) > _MOST:
                break
            chosen.update(dict.fromkeys(bucket))
        return list(chosen)

    def prepare(self) -> None:
        """Sort the names into their buckets, as the first question does."""
        if self._unread is None:
            return
        with without_collector():
            for text, folded in self._unread:
                name = _decomposed(folded)
                if name and name not in self._names:
                    self._names[name] = text
                    bucket = self._buckets[len(name) >> _CLASS]
                    for key in _keys(name):
                        bucket.setdefault(key, []).append(name)
        self._unread = None


def names_in(pages: Iterable[Outline]) -> Iterator[tuple[str, str]]:
    """What pages are called: file names, titles and aliases."""
    for page in pages:
        for text, folded, rank, _ in page.names:
            if RESOLUTIONS[rank] in _TOLD:
                yield text, folded


def as_names(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Texts as `Suggestions` takes them."""
    return ((text, fold(text)) for text in texts)


def _decomposed(folded: str) -> str:
    return folded if folded.isascii() else unicodedata.normalize("NFD", folded)


def _keys(name: str) -> list[str]:
    keys = [*name.split(" "), f"^{name[:3]}", f"{name[-3:]}$"]
    return keys if len(name) > _SHORT else [*keys, f"^{name[:1]}"]


def _digits(name: str) -> str:
    """A name's digits: 2026-05-11 is another day than 2026-05-10, and no misspelling of it."""
    return "".join(filter(str.isdigit, name))
