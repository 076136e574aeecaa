"""The names that pages answer to."""

import posixpath
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from wiki_tools.pages import Page

RESOLUTIONS = ("path", "name", "title", "alias", "id")
"""The kinds of names, the strongest first."""

_SEPARATORS = re.compile(r"[\s_-]+")
_EXTENSION = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)

Row = tuple[int, int, bool]
"""Index into `RESOLUTIONS`, index of the page, and whether the name says the language."""


@lru_cache(maxsize=1 << 18)
def fold(text: str) -> str:
    """A name as it is compared: NFC, without case, spaces and hyphens and underscores alike."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _SEPARATORS.sub(" ", text.casefold()).strip()


def without_extension(path: str) -> str:
    """A path or name without `.md`."""
    return _EXTENSION.sub("", path) if "." in path else path


class Names:
    """Looks pages up by what a link calls them: as written first, then folded."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = pages
        self.hashed = False
        """Whether some page has a `#` in its name, so that a link's `#` may belong to it."""
        self._exact: dict[str, list[Row]] = {}
        self._folded: dict[str, list[Row]] = {}
        self._paths: dict[str, list[Row]] = {}
        for index, page in enumerate(pages):
            self._add_page(index, page)

    def _add_page(self, index: int, page: Page) -> None:
        stem = without_extension(page.path)
        plain = stem.removesuffix(f".{page.language}")
        for text in {stem, plain}:
            row = (0, index, text != plain)
            self._paths.setdefault(fold(text), []).append(row)
            self._add(text.rpartition("/")[2] or page.path, (1, index, text != plain))
        self._add(page.title, (2, index, False))
        for alias in page.frontmatter.aliases:
            self._add(alias, (3, index, False))
        self._add(page.frontmatter.id, (4, index, False))

    def _add(self, text: str, row: Row) -> None:
        if text:
            if not text.isascii():
                text = unicodedata.normalize("NFC", text)
            self.hashed = self.hashed or "#" in text
            self._exact.setdefault(text, []).append(row)
            self._folded.setdefault(fold(text), []).append(row)

    def named(self, text: str) -> list[Row]:
        """The pages of the strongest kind of name that `text` is."""
        nfc = text if text.isascii() else unicodedata.normalize("NFC", text)
        rows = self._exact.get(nfc) or self._folded.get(fold(text))
        if not rows or len(rows) == 1:
            return rows or []
        best = min(row[0] for row in rows)
        return [row for row in rows if row[0] == best]

    def at(self, path: str) -> list[Row]:
        """The pages at a path from the docs folder, exactly or else folded."""
        path = without_extension(path)
        rows = self._paths.get(fold(path), [])
        return self._as_written(path, rows) or rows

    def below(self, path: str) -> list[Row]:
        """The pages whose path ends with this one: `b/X` is `a/b/X.md`."""
        path = without_extension(path)
        ending = "/" + fold(path)
        rows = [
            (0, index, fixed)
            for rank, index, fixed in self._folded.get(fold(path.rpartition("/")[2]), ())
            if rank == 1 and ("/" + fold(self._stem(index, fixed))).endswith(ending)
        ]
        return self._as_written(path, rows, below=True) or rows

    def _as_written(self, path: str, rows: list[Row], *, below: bool = False) -> list[Row]:
        """Of two files that differ in case only, the one that was meant."""
        if len(rows) < 2:
            return rows
        return [
            row
            for row in rows
            for stem in (self._stem(row[1], row[2]),)
            if stem == path or (below and stem.endswith("/" + path))
        ]

    def _stem(self, index: int, fixed: bool) -> str:
        page = self.pages[index]
        stem = without_extension(page.path)
        return stem if fixed else stem.removesuffix(f".{page.language}")


def joined(folder: str, path: str) -> str:
    """A path relative to a folder, from the docs folder on; `..` above it stays."""
    whole = path[1:] if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(whole).removeprefix("./") if whole else ""
