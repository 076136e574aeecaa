"""Reads the vault's fixtures and modules, each once, and remembers what was asked for."""

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from wiki_tools.cache import digest

MOST = 500
"""Files of one package that are looked at."""
_NONE = b""
"""Stands for what is not there."""


class VaultFiles:
    """Files beside the pages, as they were when they were first asked for."""

    def __init__(self) -> None:
        self.asked: dict[str, bytes] = {}
        """What was asked for since somebody emptied this, and what stands for the answer."""
        self._data: dict[str, bytes | OSError | None] = {}
        self._below: dict[str, tuple[str, ...]] = {}
        self._stamps: dict[str, bytes] = {}

    def data(self, file: Path) -> bytes | None:
        """What a file holds; None where there is none.

        Raises:
            OSError: it cannot be read.
        """
        name = os.fspath(file)
        self.asked[name] = self._stamp(name)
        found = self._data[name]
        if isinstance(found, OSError):
            raise found
        return found

    def text(self, file: Path) -> str | None:
        """A module's text; None where there is none, or none that can be read."""
        try:
            data = self.data(file)
        except OSError:
            return None
        return None if data is None else data.decode("utf-8-sig", "replace")

    def python_below(self, folder: Path) -> tuple[str, ...]:
        """Python files below a folder, by their paths from its parent; none where it is none."""
        name = f"{folder}{os.sep}"
        self.asked[name] = self._stamp(name)
        return self._below[name]

    def still(self, asked: Mapping[str, bytes]) -> bool:
        """Whether all that was asked for has the same answer now."""
        return all(self._stamp(name) == stamp for name, stamp in asked.items())

    def _stamp(self, name: str) -> bytes:
        if name not in self._stamps:
            self._stamps[name] = self._list(name) if name.endswith(os.sep) else self._load(name)
        return self._stamps[name]

    def _load(self, name: str) -> bytes:
        try:
            self._data[name] = found = _read(name)
        except OSError as error:
            self._data[name] = error
            return f"{error.errno}".encode()
        return _NONE if found is None else digest(found)

    def _list(self, name: str) -> bytes:
        folder = name.rstrip(os.sep)
        parent = os.path.dirname(folder)  # noqa: PTH120 - texts, as those that are remembered
        paths = sorted(os.path.relpath(path, parent) for path in _python_files(folder))
        self._below[name] = tuple(path.replace(os.sep, "/") for path in paths[:MOST])
        return digest("\0".join(paths).encode("utf-8", "surrogatepass")) if paths else _NONE


def _read(name: str) -> bytes | None:
    """What a regular file holds: a pipe would be waited for."""
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):  # noqa: PTH116
            raise OSError(errno.EINVAL, "it is no regular file", name)
        with open(name, "rb") as stream:  # noqa: PTH123
            return stream.read()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def _python_files(folder: str) -> Iterator[str]:
    todo = [folder]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except (OSError, ValueError):
            continue
        for entry in entries:
            if entry.name.startswith((".", "__pycache__")):
                continue
            if entry.is_dir(follow_symlinks=False):
                todo.append(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path
