"""Where parents work, and what is left of that after somebody was killed."""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from wiki_tools.turns import CAN_LOCK, lock
from wiki_tools.worker.scratch import remove_scratch

PREFIX = "wiki-"
PARENT = "parent"
"""How the folder of each parent begins."""
YOUNG = 60.0
"""Seconds in which whoever makes a folder will have locked it."""


class WorkFolder:
    """A folder for parents, locked for as long as this process lives."""

    def __init__(self) -> None:
        """Make it, and remove those that nobody holds any more."""
        remove_left(Path(tempfile.gettempdir()))
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self._handle = os.open(self._folder.name, os.O_RDONLY) if CAN_LOCK else -1
        if CAN_LOCK:
            lock(self._handle, wait=False)

    def parent(self, number: int) -> Path:
        """Name the folder of a parent."""
        return Path(self._folder.name, f"{PARENT}{number}")

    def remove(self) -> None:
        """Remove it with all in it."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        self._folder.cleanup()


def remove_left(place: Path) -> None:
    """Remove folders of our own below `place` whose process was killed before it could."""
    if not CAN_LOCK:
        return
    for folder in _ours(place):
        with contextlib.suppress(OSError):  # somebody else removes it
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if lock(handle, wait=False) and not _is_used(folder):
                    remove_scratch(str(folder))
            finally:
                os.close(handle)


def _ours(place: Path) -> Iterator[Path]:
    """Folders of this user that hold nothing but those of parents, and are old enough."""
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # not ours to look into, or gone
            seen = folder.lstat()
            if seen.st_uid != os.getuid() or time.time() - seen.st_ctime < YOUNG:
                continue
            names = [entry.name for entry in folder.iterdir()]
            if names and all(re.fullmatch(rf"{PARENT}\d+", name) for name in names):
                yield folder


def _is_used(folder: Path) -> bool:
    """Whether a process works below a folder."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if (entry / "cwd").readlink().is_relative_to(folder):
                return True
    return False
