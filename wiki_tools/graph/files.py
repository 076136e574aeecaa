"""Files of a vault that are no pages, looked at only when a link may name one."""

import os
from pathlib import Path

from wiki_tools.graph.names import fold, joined
from wiki_tools.tree import is_there

_MEDIA = """
apng avif bmp gif ico jpeg jpg png svg webp 3gp flac m4a mp3 mp4 mov mkv ogg ogv wav webm
canvas base csv tsv json yaml yml toml txt xml html htm css js py ipynb pdf zip gz tar
doc docx ppt pptx xls xlsx hwp hwpx odt ods odp rtf heic heif tif tiff psd drawio
parquet rar 7z epub mobi bib tex c cc cpp cu h hpp rs go java sh sql
"""
MEDIA = frozenset(_MEDIA.split())
"""Extensions that make a name a missing file's: `[[v1.2]]` is a page that is not written yet."""


def extension(name: str) -> str:
    """What follows the last point of a file's name, in lower case."""
    return name.rpartition("/")[2].rpartition(".")[2].casefold() if "." in name else ""


class Files:
    """Finds a file by its path, or anywhere in the vault by its name."""

    def __init__(self, docs: Path) -> None:
        self._docs = docs
        self._names: dict[str, list[str]] | None = None
        self.asked: dict[str, bool] = {}
        """Every path that was looked for, and whether it was there."""

    def at(self, path: str) -> str | None:
        """The path itself where a file or folder is there; it may lead above the docs folder."""
        if path not in self.asked:
            self.asked[path] = is_there(self._docs, path)
        return path if self.asked[path] else None

    def find(self, folder: str, name: str) -> str | None:
        """A file as a wikilink names it: from the page, from the docs folder, or by name alone."""
        for path in (joined(folder, name), joined("", name)):
            if self.at(path):
                return path
        if self._names is None:
            self._names = self._walk()
        ending = "/" + fold(name).removeprefix("/")
        rows = self._names.get(fold(name.rpartition("/")[2]), [])
        found = [path for path in rows if ("/" + fold(path)).endswith(ending)]
        return min(found, key=lambda path: (path.count("/"), path)) if found else None

    def _walk(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for folder, folders, files in os.walk(self._docs):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                path = Path(folder, name).relative_to(self._docs).as_posix()
                names.setdefault(fold(name), []).append(path)
        return names
