"""What was seen of pages that are not finished yet, a line each: cheap to write, hard to lose.

Writing a page's file anew for each of its snippets takes 1 to 20 ms on common disks, a line here
30 µs. A journal belongs to one process, which keeps it locked; one that nobody has locked was left
by a process that was killed, and whoever records next takes what it holds into the pages' files.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wiki_tools.ledger.codec import read_value
from wiki_tools.ledger.encode import fields_of, row_fields
from wiki_tools.ledger.files import make_folder
from wiki_tools.ledger.types import Evidence
from wiki_tools.turns import lock

PATTERN = ".*.journal"


class Entry(NamedTuple):
    """A line."""

    page: str
    row: Evidence


class Journal:
    """The lines of this process."""

    def __init__(self, folder: Path) -> None:
        """Begin one in the folder of an environment, with the first line."""
        self._file = folder / f".{os.getpid()}-{secrets.token_hex(4)}.journal"
        self._handle = -1

    def write(self, page: str, row: Evidence) -> None:
        """Add a line, all of it at once.

        Raises:
            OSError: the disk is full, or not there.
        """
        if self._handle < 0:
            make_folder(self._file.parent.parent, self._file.parent.name)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._handle = os.open(self._file, flags, 0o644)
            lock(self._handle, wait=False)
        value = {"page": page, "environment": row.environment, "row": row_fields(row)}
        text = json.dumps(value, default=fields_of, separators=(",", ":"))
        line = f"{text}\n".encode("ascii")
        if os.write(self._handle, line) < len(line):
            raise OSError(28, "No space left on device")

    def close(self) -> None:
        """Remove it: the pages' files have all that it held."""
        if self._handle >= 0:
            self._file.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def read_journal(file: Path) -> Iterator[Entry]:
    """Give the lines of a journal; the last one may not have been written to its end.

    Raises:
        OSError: it cannot be read.
        ValueError: a line before the last is no line of a journal.
    """
    *lines, _ = file.read_bytes().split(b"\n")
    for line in lines:
        value = json.loads(line)
        if not isinstance(value, dict) or not isinstance(value.get("row"), dict):
            raise ValueError("an object with a row was expected")
        row = {**value["row"], "environment": value.get("environment")}
        yield Entry(str(value.get("page", "")), read_value(Evidence, row))


def supersedes(row: Evidence, known: Evidence | None) -> bool:
    """Whether a journal's row is newer than that of a page's file.

    The file's may be the same, measured since then. Times are of seconds: within one, other code
    was seen later.
    """
    if known is None or row.recorded != known.recorded:
        return known is None or row.recorded > known.recorded
    return row.digest != known.digest or len(row.measured) >= len(known.measured)


@contextlib.contextmanager
def left_journals(folder: Path) -> Iterator[list[Path]]:
    """Find the journals that processes have left which were killed, and keep others from them."""
    handles: list[int] = []
    left: list[Path] = []
    try:
        for file in sorted(folder.glob(PATTERN)):
            with contextlib.suppress(OSError):  # somebody has just removed it
                handles.append(os.open(file, os.O_RDONLY))
                if lock(handles[-1], wait=False):
                    left.append(file)
        yield left
    finally:
        for handle in handles:
            os.close(handle)
