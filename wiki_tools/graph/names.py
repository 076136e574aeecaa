"""The names that pages answer to."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from wiki_tools.pages import Page

RESOLUTIONS = ("path", "name", "title", "alias", "id")
"""The kinds of names, the strongest first."""

_EXTENSION = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)

Row = tuple[int, int, bool]
"""Index into `RESOLUTIONS`, index of the page, and whether the name says the language."""


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


class Names:
    """Looks pages up by what a link calls them: as written first, then folded."""

    def __init__(self, names: Iterable[tuple[Name, ...]]) -> None:
        """Take the names of each page, the pages in the order of their paths."""
        self.hashed = False
        """Whether some page has a `#` in its name, so that a link's `#` may belong to it."""
        self._exact: dict[str, list[Row]] = {}
        self._folded: dict[str, list[Row]] = {}
        self._paths: dict[str, list[tuple[Row, str]]] = {}
        self._names = tuple(names)
        self._best: dict[int, list[Row]] = {}
        self._twins: dict[str, list[Row]] = {}
        self._ended: dict[str, list[Row]] = {}
        self._tails: dict[str, dict[str, list[tuple[Row, str]]]] = {}
        for index, rows in enumerate(self._names):
            for text, folded, rank, fixed in rows:
                row = (rank, index, fixed)
                if not rank:
                    self._paths.setdefault(folded, []).append((row, text))
                    continue
                self._exact.setdefault(text, []).append(row)
                known = self._folded.setdefault(folded, [])
                if not known or known[-1][1] != index:  # the strongest kind comes first
                    known.append(row)
                if "#" in text:
                    self.hashed = True

    def named(self, text: str) -> list[Row]:
        """The pages of the strongest kind of name that `text` is; the same list each time."""
        nfc = text if text.isascii() else unicodedata.normalize("NFC", text)
        rows = self._exact.get(nfc)
        if rows is None:
            nfc = fold(text)
            rows = self._folded.get(nfc)
        return [] if rows is None else rows if len(rows) == 1 else self._strongest(rows)

    def _strongest(self, rows: list[Row]) -> list[Row]:
        known = self._best.get(id(rows))
        if known is None:
            best = min(row[0] for row in rows)
            known = self._best[id(rows)] = [row for row in rows if row[0] == best]
        return known

    def at(self, path: str) -> list[Row]:
        """The pages at a path from the docs folder, exactly or else folded."""
        path = unicodedata.normalize("NFC", without_extension(path))
        rows = self._paths.get(fold(path), ())
        if len(rows) < 2:
            return [row for row, _ in rows]
        if path not in self._twins:
            exact = [row for row, stem in rows if stem == path]
            self._twins[path] = exact or [row for row, _ in rows]
        return self._twins[path]

    def below(self, path: str) -> list[Row]:
        """The pages whose path ends with this one: `b/X` is `a/b/X.md`; the same list each time."""
        known = self._ended.get(path)
        if known is None:
            whole = "/" + unicodedata.normalize("NFC", without_extension(path))
            name = fold(whole.rpartition("/")[2])
            rows = self._endings(name).get(fold(whole), ())
            known = [row for row, stem in rows if stem.endswith(whole)] or [row for row, _ in rows]
            self._ended[path] = known
        return known

    def _endings(self, name: str) -> dict[str, list[tuple[Row, str]]]:
        """Of the pages of a name, what their paths end with, folded, from each `/` on."""
        if name not in self._tails:
            tails: dict[str, list[tuple[Row, str]]] = {}
            for rank, index, fixed in self._folded.get(name, ()):
                stem = "/" + self._stem(index, fixed)
                folded = fold(stem)
                for at in range(len(folded)) if rank == 1 else ():
                    if folded[at] == "/":
                        tails.setdefault(folded[at:], []).append(((0, index, fixed), stem))
            self._tails[name] = tails
        return self._tails[name]

    def _stem(self, index: int, fixed: bool) -> str:
        return next(name[0] for name in self._names[index] if not name[2] and name[3] is fixed)


def joined(folder: str, path: str) -> str:
    """A path relative to a folder, from the docs folder on; `..` above it stays."""
    whole = path[1:] if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(whole).removeprefix("./") if whole else ""
