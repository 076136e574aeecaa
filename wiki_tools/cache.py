"""Remembers what was computed, in the user's cache folder; it can be deleted at any time.

A file holds a head that says what wrote it, a checksum, and the value as `marshal` writes it.
The folder is the user's own, as that of pip or of compiled modules; nothing is ever read from
a vault, which may be anybody's.
"""

import contextlib
import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wiki_tools.config import Config

_MAGIC = b"wiki-cache 1\n"
_SIZE = 16
"""Bytes of a digest."""
_FEW = 100
"""Changes that are written beside a mapping."""
_LIBRARIES = ("pyromark", "yaml", "rapidfuzz")
"""Whose answers are kept; found, not imported, which would take longer than all the rest."""


def digest(data: bytes) -> bytes:
    """16 bytes that stand for a content."""
    return hashlib.sha256(data).digest()[:_SIZE]


class Cache:
    """What is remembered of one vault, under the settings that it has now."""

    def __init__(self, config: Config, folder: Path | None = None) -> None:
        """Look in a folder; by default in `wiki_tools` below `$XDG_CACHE_HOME` or `~/.cache`."""
        self._salt = digest(b"\0".join((_package_state(), repr(config).encode())))
        base = folder or user_folder()
        self._folder = base and base / digest(os.fsencode(config.docs)).hex()

    def load(self, name: str) -> Any:
        """What was saved under a name; None where nothing was, or not by this very package."""
        if self._folder is None:
            return None
        data = _read(self._folder / name)
        head = len(_MAGIC) + _SIZE
        body = memoryview(data)[head + _SIZE :]
        if data[:head] != _MAGIC + self._salt or data[head : head + _SIZE] != _sum(name, body):
            return None
        return marshal.loads(body)

    def save(self, name: str, value: Any) -> None:
        """Remember a value made of tuples, lists, dicts, texts, bytes and numbers.

        Written aside and moved into place, so that readers see all of it or the one before.
        Where the folder cannot be written, nothing is remembered.
        """
        if self._folder is None:
            return
        import tempfile  # takes a tenth of the start of a command that saves nothing

        body = marshal.dumps(value)
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=self._folder)
            try:
                with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
                    file.write(_MAGIC + self._salt + _sum(name, body))
                    file.write(body)
                Path(temporary).replace(self._folder / name)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise


class Shelf:
    """A mapping that is remembered; a few changes are written beside it, not all of it again."""

    def __init__(self, cache: Cache | None, name: str, key: bytes = b"") -> None:
        """Open the mapping of a name; where it was written under another key, it is empty."""
        self.rows: dict[str, Any] = {}
        self.notes: dict[str, Any] = {}
        """What else was remembered with it."""
        self._cache, self._name, self._key = cache, name, key
        self._mark = b""
        self._recent: dict[str, Any] = {}
        base = cache.load(name) if cache else None
        if cache is None or base is None or base[1] != key:
            return
        self._mark, _, self.rows, self.notes = base
        recent = cache.load(f"{name}-recent")
        if recent and recent[0] == self._mark:
            _, self._recent, self.notes = recent
            self.rows |= self._recent

    def save(self, rows: dict[str, Any], changed: Iterable[str], notes: dict[str, Any]) -> None:
        """Remember a mapping, of which the keys `changed` are not as they were.

        A key that is gone may still be there the next time.
        """
        if self._cache is None:
            return
        recent = self._recent | {key: rows[key] for key in changed}
        if self._mark and len(recent) <= _FEW:
            self._cache.save(f"{self._name}-recent", (self._mark, recent, notes))
            return
        self._cache.save(self._name, (os.urandom(_SIZE), self._key, rows, notes))


def _read(file: Path) -> bytes:
    """What a file holds; nothing where it is none, as a pipe, which one would wait for."""
    nowhere = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(file, os.O_RDONLY | nowhere | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
            return stream.read() if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return b""


def _sum(name: str, body: bytes | memoryview) -> bytes:
    """Of a value under its name: one that was saved under another is of another shape."""
    whole = hashlib.sha256(name.encode() + b"\0")  # half the time of blake2b, as processors know it
    whole.update(body)
    return whole.digest()[:_SIZE]


def user_folder() -> Path | None:
    """The folder for caches; None where the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "wiki_tools"


def _package_state() -> bytes:
    """What decides the answers beside the vault: our own sources, Python and the parsers."""
    specs = (find_spec(name) for name in _LIBRARIES)
    files = [spec.origin for spec in specs if spec and spec.origin]
    for folder, folders, names in os.walk(Path(__file__).parent):
        folders[:] = (name for name in folders if name != "__pycache__")
        files += [f"{folder}/{name}" for name in names]
    rows = [sys.version, str(marshal.version)]
    for file in sorted(files):
        seen = os.stat(file)  # noqa: PTH116 - 200 files
        rows.append(f"{file} {seen.st_mtime_ns} {seen.st_size}")
    return "\n".join(rows).encode("utf-8", "surrogateescape")
