"""Versioned evidence on disk, written atomically."""

import contextlib
import dataclasses
import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wiki_tools.environment import Environment
from wiki_tools.errors import LedgerError
from wiki_tools.ledger.codec import read_value
from wiki_tools.protocol import Outcome, Samples

VERSION = 1
"""1: `environments` are listed once a file, `snippets` name theirs by its index."""

LOCAL = "local"
"""The folder of what was measured on this machine and is not committed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Samples of one comparison with the digest of what was timed."""

    digest: str
    samples: Samples
    recorded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one environment saw of one snippet."""

    snippet: str
    digest: str
    """Of exactly what ran."""
    choice: int
    """Index of the snippet's program that was taken."""
    recorded: str
    """UTC, `2026-11-30T03:31:03Z`."""
    commit: str
    """Of the vault, where it is a clean git work tree; else empty."""
    outcome: Outcome
    """Without its samples: those are in `measured`."""
    context: dict[str, str]
    """Free name to where it came from."""
    measured: tuple[Measured, ...] = ()
    environment: Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All evidence of a vault."""

    evidence: Mapping[str, Mapping[str, Evidence]]
    """Environment's folder name to snippet id to what it saw."""
    damaged: tuple[str, ...] = ()
    """What could not be read, a message each: its snippets count as never run."""

    @classmethod
    def read(cls, folder: Path) -> "Ledger":
        """Read every environment below `folder`, which need not exist.

        Raises:
            LedgerError: a file was written by a newer version of this package.
        """
        found: dict[str, dict[str, Evidence]] = {}
        damaged: list[str] = []
        for file in sorted(folder.glob("*/**/*.json")):
            name = file.relative_to(folder).parts[0]
            try:
                rows = _read_file(file)
            except (OSError, ValueError, RecursionError) as error:
                damaged.append(f"{file}: cannot be read: {error}; verify its page again")
                continue
            found.setdefault(name, {}).update((row.snippet, row) for row in rows)
        return cls(evidence=found, damaged=tuple(damaged))

    def find(self, environment: str, snippet: str) -> Evidence | None:
        """What an environment, named by its folder, saw of a snippet."""
        return self.evidence.get(environment, {}).get(snippet)

    def only(self, environment: str) -> "Ledger":
        """What one environment knows, named by its folder."""
        return Ledger(evidence={environment: self.evidence.get(environment, {})})


def evidence_file(folder: Path, environment: str, page: str) -> Path:
    """Name the file of a page's evidence; a key's slashes make folders.

    Anything that is no plain file name is percent-quoted, so that no key leads elsewhere.
    """
    parts = [_plain(part) for part in page.split("/")]
    return folder.joinpath(environment, *parts[:-1], f"{parts[-1]}.json")


def _plain(part: str) -> str:
    """A file name that no system refuses or understands as something else."""
    quoted = quote(part, safe=" ") if not re.fullmatch(r"[\w\- .]*", part) else part
    if not quoted.strip(". "):
        quoted = "".join(f"%{byte:02X}" for byte in part.encode()) or "%"
    if len(quoted.encode()) > 200:  # file systems allow 255 bytes
        import hashlib

        quoted = f"{quoted[:40]}-{hashlib.sha256(part.encode()).hexdigest()[:16]}"
    return quoted


def write_evidence(folder: Path, environment: str, page: str, rows: Sequence[Evidence]) -> Path:
    """Replace the evidence of a page, in one step: a reader sees the old file or the new one.

    Raises:
        LedgerError: the file cannot be written.
    """
    file = evidence_file(folder, environment, page)
    text = json.dumps(_document(page, rows), ensure_ascii=False, indent=1) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, text)
    except OSError as error:
        raise LedgerError(f"{file}: cannot be written: {error.strerror}; free it") from error
    return file


def _replace(file: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _document(page: str, rows: Iterable[Evidence]) -> dict[str, Any]:
    environments: list[dict[str, Any]] = []
    snippets = []
    for row in rows:
        value = dataclasses.asdict(row)
        environment = value.pop("environment")
        if environment not in environments:
            environments.append(environment)
        snippets.append({**value, "environment": environments.index(environment)})
    return {
        "version": VERSION,
        "page": page,
        "environments": environments,
        "snippets": snippets,
    }


def _read_file(file: Path) -> list[Evidence]:
    value = json.loads(file.read_text(encoding="utf-8", errors="surrogatepass"))
    if not isinstance(value, dict):
        raise ValueError("an object was expected")
    version = value.get("version")
    if isinstance(version, int) and version > VERSION:
        raise LedgerError(
            f"{file}: written by a newer wiki_tools (version {version}, this one reads up to "
            f"{VERSION}); install that, or delete the file and verify again"
        )
    if version != VERSION:
        raise ValueError(f"version is {version!r}, {VERSION} was expected")
    environments = value.get("environments")
    snippets = value.get("snippets")
    if not isinstance(environments, list) or not isinstance(snippets, list):
        raise ValueError("environments and snippets were expected to be lists")
    return [_evidence(row, environments) for row in snippets]


def _evidence(row: Any, environments: list[Any]) -> Evidence:
    index = row.get("environment") if isinstance(row, dict) else None
    if not isinstance(index, int) or not 0 <= index < len(environments):
        raise ValueError(f"a snippet names the environment {index!r}, which is not listed")
    return read_value(Evidence, {**row, "environment": environments[index]})
