"""Writes evidence, a page at a time: a reader sees the old file or the new one.

Two processes that verify one vault take turns, and each keeps what the other has seen.
"""

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from wiki_tools.errors import LedgerError
from wiki_tools.ledger.encode import fields_of, row_fields
from wiki_tools.ledger.files import LOCAL, VERSION, evidence_file, make_folder
from wiki_tools.ledger.journal import Journal, left_journals, supersedes
from wiki_tools.ledger.past import with_past
from wiki_tools.ledger.read import (
    UNREADABLE,
    NewerVersionError,
    PageEvidence,
    read_entries,
    read_file,
)
from wiki_tools.ledger.types import Account, Evidence
from wiki_tools.turns import CAN_LOCK, take_turn

Mark = tuple[int, int, int]
"""What tells whether a file is the one that was seen: inode, size, time of change."""
LEFT = 3600.0
"""Seconds after which a file that was being written belongs to nobody."""


class Recorder:
    """Keeps the evidence of one environment, adding what was seen as it is seen.

    Leave it as a context: until then what was seen of unfinished pages is in a journal only.
    """

    def __init__(self, folder: Path, environment: str) -> None:
        self._folder = folder
        self._environment = environment
        self._known: dict[Path, tuple[Mark, PageEvidence]] = {}
        self._swept: set[Path] = set()
        self._journal = Journal(folder / environment)
        self._waiting: dict[str, tuple[Sequence[str], dict[str, Evidence]]] = {}
        """Page to its snippets, and what the journal holds of them."""

    def __enter__(self) -> "Recorder":
        self._adopt()
        return self

    def __exit__(self, *_error: object) -> None:
        for page, (snippets, _) in tuple(self._waiting.items()):
            self.add(page, (), snippets)
        self._journal.close()

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
            final: nothing of this page follows, so that its file is written. Only what is for
                committing is made sure to outlive a power cut: that takes 20 ms on some disks, and
                what this machine alone knows can be had again.

        Raises:
            LedgerError: the file cannot be written, or a newer version wrote it.
        """
        file = evidence_file(self._folder, self._environment, page)
        with _written(file):
            _, seen = self._waiting.setdefault(page, (snippets, {}))
            for row in rows:
                seen[row.snippet] = row
                if not final and CAN_LOCK:
                    self._journal.write(page, row)
            if final or not CAN_LOCK:
                self._write(file, page, seen.values(), snippets, account)
                del self._waiting[page]
        return file

    def _write(
        self,
        file: Path,
        page: str,
        rows: Iterable[Evidence],
        snippets: Sequence[str] | None,
        account: Account | None = None,
    ) -> None:
        """Write a page's file; without `snippets` all that it has stays."""
        make_folder(self._folder, self._environment)
        file.parent.mkdir(parents=True, exist_ok=True)
        with take_turn(self._folder / self._environment):
            known = self._read(file)
            merged = {row.snippet: row for row in known.rows}
            merged |= {row.snippet: with_past(row, merged.get(row.snippet)) for row in rows}
            names = merged if snippets is None else snippets
            kept = tuple(merged[name] for name in names if name in merged)
            seen = PageEvidence(page=page, rows=kept, account=account or known.account)
            self._sweep(file.parent)
            _replace(file, _document(seen), durable=self._environment != LOCAL)
            self._known[file] = (_mark(file), seen)

    def _adopt(self) -> None:
        """Take over what processes have left that were killed."""
        with left_journals(self._folder / self._environment) as journals:
            for journal in journals:
                pages: dict[str, list[Evidence]] = {}
                for page, row in read_entries(journal):
                    pages.setdefault(page, []).append(row)
                with _written(journal):
                    taken = [self._take_over(page, rows) for page, rows in pages.items()]
                    if all(taken):
                        journal.unlink(missing_ok=True)

    def _take_over(self, page: str, rows: Iterable[Evidence]) -> bool:
        """Put into a page's file what a journal has of it; not where a newer version wrote it."""
        file = evidence_file(self._folder, self._environment, page)
        try:
            self._write(file, page, self._newer(file, rows), None)
        except NewerVersionError:
            return False
        return True

    def _newer(self, file: Path, rows: Iterable[Evidence]) -> list[Evidence]:
        """Rows that nobody has replaced since they were written down."""
        known = {row.snippet: row for row in self._read(file).rows}
        return [row for row in rows if supersedes(row, known.get(row.snippet))]

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


def _document(seen: PageEvidence) -> str:
    environments: list[Any] = []
    snippets = []
    for row in seen.rows:
        if row.environment not in environments:
            environments.append(row.environment)
        snippets.append({**row_fields(row), "environment": environments.index(row.environment)})
    value = {
        "version": VERSION,
        "page": seen.page,
        "account": seen.account,
        "environments": environments,
        "snippets": snippets,
    }
    return json.dumps(value, default=fields_of, ensure_ascii=False, indent=1) + "\n"


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
