"""Writes evidence, a page at a time: a reader sees the old file or the new one.

Two processes that verify one vault take turns, and each keeps what the other has seen.
"""

import contextlib
import dataclasses
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from wiki_tools.errors import LedgerError
from wiki_tools.ledger.files import LOCAL, VERSION, evidence_file
from wiki_tools.ledger.past import with_past
from wiki_tools.ledger.read import UNREADABLE, NewerVersionError, PageEvidence, read_file
from wiki_tools.ledger.types import Account, Evidence

Mark = tuple[int, int, int]
"""What tells whether a file is the one that was seen: inode, size, time of change."""
LEFT = 3600.0
"""Seconds after which a file that was being written belongs to nobody."""


class Recorder:
    """Keeps the evidence of one environment, adding what was seen as it is seen."""

    def __init__(self, folder: Path, environment: str) -> None:
        self._folder = folder
        self._environment = environment
        self._known: dict[Path, tuple[Mark, PageEvidence]] = {}
        self._texts: dict[int, tuple[Evidence, str]] = {}
        """A row, by identity, as it is written: a page is written once for each of its rows."""
        self._swept: set[Path] = set()

    def add(
        self,
        page: str,
        rows: Iterable[Evidence],
        snippets: Sequence[str],
        *,
        account: Account | None = None,
        final: bool = True,
    ) -> Path:
        """Put rows beside what is known of their page; a file that was damaged is kept aside.

        Args:
            page: its key.
            rows: what was seen now.
            snippets: ids of all that the page has, in order: others are dropped.
            account: what ran of its fences; without one, the known one stays.
            final: nothing of this page follows; only then is it made sure to outlive a power cut,
                and only where it is for committing: that takes 20 ms on some disks, and what this
                machine alone knows can be had again.

        Raises:
            LedgerError: the file cannot be written, or a newer version wrote it.
        """
        file = evidence_file(self._folder, self._environment, page)
        with _written(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with _turn(self._folder / self._environment):
                known = self._read(file)
                merged = {row.snippet: row for row in known.rows}
                merged |= {row.snippet: with_past(row, merged.get(row.snippet)) for row in rows}
                kept = tuple(merged[name] for name in snippets if name in merged)
                seen = PageEvidence(page=page, rows=kept, account=account or known.account)
                self._sweep(file.parent)
                durable = final and self._environment != LOCAL
                _replace(file, self._document(seen), durable=durable)
                self._known[file] = (_mark(file), seen)
        if final:
            for row in seen.rows:
                self._texts.pop(id(row), None)
        return file

    def _sweep(self, folder: Path) -> None:
        """Remove what a process left that was killed while it wrote here, an hour ago or more."""
        if folder in self._swept:
            return
        self._swept.add(folder)
        for left in folder.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > LEFT:
                    left.unlink()

    def _read(self, file: Path) -> PageEvidence:
        """What a file holds, read again only where somebody else has written it."""
        try:
            mark = _mark(file)
        except FileNotFoundError:
            return PageEvidence()
        if file not in self._known or self._known[file][0] != mark:
            self._known[file] = (mark, _read_kindly(file))
        return self._known[file][1]

    def _document(self, seen: PageEvidence) -> str:
        environments: list[Any] = []
        texts = []
        for row in seen.rows:
            if row.environment not in environments:
                environments.append(row.environment)
            texts.append(self._text(row, environments.index(row.environment)))
        head = {
            "version": VERSION,
            "page": seen.page,
            "account": seen.account,
            "environments": environments,
        }
        listed = ",\n  ".join(texts)
        listed = f"[\n  {listed}\n ]" if texts else "[]"
        return f'{_json(head)[:-2]},\n "snippets": {listed}\n}}\n'

    def _text(self, row: Evidence, environment: int) -> str:
        """A row as JSON; `environment` is last in it, and names one by its index."""
        if id(row) not in self._texts:
            value = _fields(row)
            del value["environment"]
            value["outcome"] = _fields(row.outcome)
            del value["outcome"]["environment"]  # the row's own says where it ran
            text = _json(value)[:-2].replace("\n", "\n  ")
            self._texts[id(row)] = (row, text)
        return f'{self._texts[id(row)][1]},\n   "environment": {environment}\n  }}'


def write_evidence(folder: Path, environment: str, page: str, rows: Sequence[Evidence]) -> Path:
    """Replace what one environment knows of a page by these rows.

    Raises:
        LedgerError: the file cannot be written, or a newer version wrote it.
    """
    return Recorder(folder, environment).add(page, rows, [row.snippet for row in rows])


def _read_kindly(file: Path) -> PageEvidence:
    """What a file holds; where that is damaged, its bytes are kept beside it.

    Raises:
        NewerVersionError: a newer version of this package wrote it.
    """
    try:
        seen = read_file(file)
    except NewerVersionError:
        raise
    except UNREADABLE:
        seen = PageEvidence(damaged=("all of it",))
    if seen.damaged:
        file.replace(damaged_file(file))
    return seen


def damaged_file(file: Path) -> Path:
    """Where the bytes of a damaged file are kept once its page is recorded anew."""
    return file.with_name(f"{file.name}.damaged")


@contextlib.contextmanager
def _written(file: Path) -> Iterator[None]:
    """Turn what keeps a file from being written into an error that names it."""
    try:
        yield
    except NewerVersionError as error:
        raise LedgerError(f"{file}: {error}") from None
    except OSError as error:
        raise LedgerError(f"{file}: cannot be written: {error.strerror}; free it") from error


@contextlib.contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Let no other process write below a folder meanwhile; where none can be kept out, go on.

    The folder itself is locked, so that no file is left behind; a killed process holds nothing.
    Windows cannot lock folders: there two that write one page at once may lose a row, which then
    runs again.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a network's file system may know no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _mark(file: Path) -> Mark:
    seen = file.stat()
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _replace(file: Path, text: str, *, durable: bool) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as stream:
            stream.write(text)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _json(value: Any) -> str:
    return json.dumps(value, default=_fields, ensure_ascii=False, indent=1)


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
