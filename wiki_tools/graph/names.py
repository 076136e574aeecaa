"""The names that pages answer to."""

import marshal
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

from wiki_tools.pages import Page

RESOLUTIONS = ("path", "name", "title", "alias", "id")
"""The kinds of names, the strongest first."""

_EXTENSION = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)

Row = tuple[int, int, bool, str]
"""Index into `RESOLUTIONS`, index of the page, whether the name says the language, and the name
in NFC."""


@lru_cache(maxsize=1 << 18)
def fold(text: str) -> str:
    """A name as it is compared: NFC, without case, spaces and hyphens and underscores alike."""
    return _folded(text if text.isascii() else unicodedata.normalize("NFC", text))


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())


def without_extension(path: str) -> str:
    """A path or name without `.md`."""
    return _EXTENSION.sub("", path) if "." in path else path


Name = tuple[str, str, int, bool]
"""A name in NFC, the same as it is compared, its kind (an index into `RESOLUTIONS`), and whether
it says the page's language."""


def names_of(page: Page) -> tuple[Name, ...]:
    """The names that a page answers to, each once as the strongest kind that it is.

    Its path, with and without a language, comes first.
    """
    stem = without_extension(page.path)
    plain = stem.removesuffix(f".{page.language}")
    rows: list[Name] = []
    for text in (stem,) if stem == plain else (stem, plain):
        whole = text if text.isascii() else unicodedata.normalize("NFC", text)
        folded, fixed = _folded(whole), text != plain
        rows.append((whole, folded, 0, fixed))
        name = whole.rpartition("/")[2]
        if name:
            rows.append((name, folded.rpartition("/")[2].strip(), 1, fixed))
        else:
            rows.append((page.path, _folded(page.path), 1, fixed))
    matter = page.frontmatter
    others = ((page.title, 2), *((alias, 3) for alias in matter.aliases), (matter.id, 4))
    said = {row[0] for row in rows if row[2]}
    for written, rank in others:
        text = written if written.isascii() else unicodedata.normalize("NFC", written)
        if text and text not in said:
            said.add(text)
            rows.append((text, _folded(text), rank, False))
    return tuple(rows)


_BUCKETS = 256
"""Into which names are sorted that are kept: a few of them are looked at for a page's links."""


class _Rows(dict[str, list[Row]]):
    """Names as they are compared to all that bear them, taken out of packed buckets when asked."""

    def __init__(self, buckets: Sequence[bytes] = ()) -> None:
        self._buckets = dict(enumerate(buckets))

    def __missing__(self, folded: str) -> list[Row]:
        bucket = self._buckets.pop(_bucket(folded), None) if self._buckets else None
        if bucket is None:
            raise KeyError(folded)
        self.update(marshal.loads(bucket))
        return self[folded]

    def pack(self) -> list[bytes]:
        """All rows in their buckets."""
        buckets: list[dict[str, list[Row]]] = [{} for _ in range(_BUCKETS)]
        for folded, rows in self.items():
            buckets[_bucket(folded)][folded] = rows
        return [marshal.dumps(bucket) for bucket in buckets]


def _bucket(folded: str) -> int:
    return crc32(folded.encode("utf-8", "surrogatepass")) % _BUCKETS


class _Table:
    """Finds the strongest of those that bear a name."""

    def __init__(self, buckets: Sequence[bytes] = ()) -> None:
        self.rows = _Rows(buckets)
        self._found: dict[str, tuple[dict[str, list[Row]], list[Row]]] = {}

    def find(self, folded: str, text: str) -> list[Row]:
        """Those of the strongest kind that bear a name as written, or else as it is compared.

        It is the same list each time.
        """
        rows = self.bearing(folded)
        if len(rows) < 2:
            return rows
        if folded not in self._found:
            self._found[folded] = _as_written(rows), _strongest(_once(rows))
        exact, others = self._found[folded]
        return exact.get(text, others)

    def bearing(self, folded: str) -> list[Row]:
        """All that bear a name as it is compared."""
        try:
            return self.rows[folded]
        except KeyError:
            return []


def _as_written(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row[3], []).append(row)
    return {text: _strongest(rows) for text, rows in found.items()}


def _once(rows: list[Row]) -> list[Row]:
    """Each page once, as the strongest kind, which comes first."""
    first: dict[int, Row] = {}
    for row in rows:
        first.setdefault(row[1], row)
    return list(first.values())


def _strongest(rows: list[Row]) -> list[Row]:
    best = min(row[0] for row in rows)
    return [row for row in rows if row[0] == best]


class Names:
    """Looks pages up by what a link calls them: as written first, then folded."""

    def __init__(self, names: Iterable[tuple[Name, ...]] = ()) -> None:
        """Take the names of each page, the pages in the order of their paths."""
        self.hashed = False
        """Whether some page has a `#` in its name, so that a link's `#` may belong to it."""
        self._names: list[tuple[Name, ...]] = []
        self._names_of: Callable[[int], tuple[Name, ...]] = self._names.__getitem__
        self._called, self._paths = _Table(), _Table()
        self._ended: dict[str, list[Row]] = {}
        self._tails: dict[str, dict[str, list[Row]]] = {}
        for rows in names:
            self.add(rows)

    @classmethod
    def unpack(
        cls, packed: tuple[Any, ...], names_of: Callable[[int], tuple[Name, ...]]
    ) -> "Names":
        """Make names again of what `pack` gave; `names_of` tells those of a page by its index."""
        names = cls()
        names.hashed, called, paths = packed
        names._called, names._paths = _Table(called), _Table(paths)
        names._names_of = names_of
        return names

    def pack(self) -> tuple[Any, ...]:
        """Make plain values of all names."""
        return self.hashed, self._called.rows.pack(), self._paths.rows.pack()

    def add(self, names: tuple[Name, ...]) -> None:
        """Take the names of the next page."""
        index = len(self._names)
        self._names.append(names)
        paths, called = self._paths.rows, self._called.rows
        for text, folded, rank, fixed in names:
            table = called if rank else paths
            known = table.get(folded)
            if known is None:
                table[folded] = [(rank, index, fixed, text)]
            else:
                known.append((rank, index, fixed, text))
            if rank and "#" in text:
                self.hashed = True

    def named(self, text: str) -> list[Row]:
        """The pages of the strongest kind of name that `text` is; the same list each time."""
        nfc = text if text.isascii() else unicodedata.normalize("NFC", text)
        return self._called.find(fold(nfc), nfc)

    def at(self, path: str) -> list[Row]:
        """The pages at a path from the docs folder, exactly or else folded."""
        path = unicodedata.normalize("NFC", without_extension(path))
        return self._paths.find(fold(path), path)

    def below(self, path: str) -> list[Row]:
        """The pages whose path ends with this one: `b/X` is `a/b/X.md`; the same list each time."""
        known = self._ended.get(path)
        if known is None:
            whole = "/" + unicodedata.normalize("NFC", without_extension(path))
            name = fold(whole.rpartition("/")[2])
            rows = self._endings(name).get(fold(whole), ())
            known = [row for row in rows if row[3].endswith(whole)] or list(rows)
            self._ended[path] = known
        return known

    def _endings(self, name: str) -> dict[str, list[Row]]:
        """Of the pages of a name, what their paths end with, folded, from each `/` on."""
        if name not in self._tails:
            tails: dict[str, list[Row]] = {}
            for rank, index, fixed, _ in self._called.bearing(name):
                stem = "/" + self._stem(index, fixed)
                folded = fold(stem)
                for at in range(len(folded)) if rank == 1 else ():
                    if folded[at] == "/":
                        tails.setdefault(folded[at:], []).append((0, index, fixed, stem))
            self._tails[name] = tails
        return self._tails[name]

    def _stem(self, index: int, fixed: bool) -> str:
        return next(name[0] for name in self._names_of(index) if not name[2] and name[3] is fixed)


def joined(folder: str, path: str) -> str:
    """A path relative to a folder, from the docs folder on; `..` above it stays."""
    whole = path[1:] if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(whole).removeprefix("./") if whole else ""
