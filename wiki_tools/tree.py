"""Lists the files of a vault, and says what is seen of each; it knows nothing of Markdown."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from wiki_tools.cache import digest

SUFFIXES = (".md", ".markdown")
MOST = 500
"""Files of one package that are looked at."""
_NONE = b""
"""Stands for what is not there."""


class Tree(NamedTuple):
    """What lies below a folder, in the order of the paths relative to it."""

    pages: list[tuple[str, str]]
    """Markdown files, with where they lie."""
    others: list[str]
    """All other files."""
    closed: list[tuple[str, str]]
    """Folders that cannot be listed, each ending in `/`, and why: nobody knows what they hold."""


def find_files(docs: Path) -> Tree:
    """Find the files below a folder; hidden ones and hidden folders are left out."""
    root = os.path.realpath(docs)
    pages: list[tuple[str, str]] = []
    others: list[str] = []
    closed: list[tuple[str, str]] = []
    todo = [("", os.fspath(docs))]
    while todo:
        prefix, folder = todo.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            closed.append((_printable(prefix or "./"), error.strerror or type(error).__name__))
            continue
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if not name.startswith("."):
                    todo.append((f"{prefix}{name}/", entry.path))
            elif _is_page(name) and _in_tree(entry, root):
                pages.append((_printable(prefix + name), entry.path))
            else:
                others.append(_printable(prefix + name))
    return Tree(_told_apart(sorted(pages)), sorted(others), sorted(closed))


def load_file(file: str) -> tuple[bytes, str]:
    """The bytes of a file, and why there are none where it cannot be read."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:  # half the time of `Path.read_bytes`, ten thousand times
            size = os.fstat(handle).st_size
            data = os.read(handle, size + 1)
            if len(data) != size:  # it grows, is huge, or says nothing of its size
                while more := os.read(handle, 1 << 20):
                    data += more
            return data, ""
        finally:
            os.close(handle)
    except OSError as error:
        return b"", error.strerror or type(error).__name__


def see(data: bytes, reason: str = "") -> bytes:
    """Digest what a file holds, or why it cannot be read."""
    return digest(b"\0".join((data, reason.encode())) if reason else data)


def is_there(docs: Path, path: str) -> bool:
    """Whether a file or folder lies at a path, which may lead above the docs folder."""
    try:
        return bool(path) and (docs / path).exists()
    except (OSError, ValueError):  # a name too long, or with a NUL
        return False


def _told_apart(pages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """No two pages have one path: the byte 0xff is shown as a name that a file may have as well."""
    taken = {path for path, _ in pages}
    if len(taken) == len(pages):
        return pages
    seen: set[str] = set()
    found = []
    for shown, file in pages:
        path = shown
        while path in seen or (path != shown and path in taken):
            folder, slash, name = path.rpartition("/")
            path = f"{folder}{slash}\\{name}"
        seen.add(path)
        found.append((path, file))
    return sorted(found)


def _is_page(name: str) -> bool:
    return name.lower().endswith(SUFFIXES) and (not name.startswith(".") or name == ".md")


def _in_tree(entry: os.DirEntry[str], root: str) -> bool:
    if not entry.is_symlink():
        return entry.is_file()
    target = os.path.realpath(entry.path)
    return target.startswith(root + os.sep) and os.path.isfile(target)  # noqa: PTH113


def _printable(path: str) -> str:
    """A path that can be printed and written as JSON, whatever bytes its names have."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def make_ignored(folder: Path) -> None:
    """Make a folder that git leaves alone, in any vault: as pytest's cache, it says so itself.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError), (folder / ".gitignore").open("x") as file:
        file.write("# made by wiki\n*\n")


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
