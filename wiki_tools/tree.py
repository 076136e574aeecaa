"""Lists the files of a vault, and says what is seen of each; it knows nothing of Markdown."""

import os
from pathlib import Path
from typing import NamedTuple

from wiki_tools.cache import digest

SUFFIXES = (".md", ".markdown")


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
