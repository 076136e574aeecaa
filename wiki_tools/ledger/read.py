"""Reads evidence; what cannot be read is named, and the rest is taken."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wiki_tools.ledger.codec import read_value
from wiki_tools.ledger.files import VERSION
from wiki_tools.ledger.journal import PATTERN, Entry, read_journal, supersedes
from wiki_tools.ledger.types import Account, Evidence

UNREADABLE = (OSError, ValueError, RecursionError, MemoryError)
"""What reading a file, its JSON or a value of it may raise."""


class NewerVersionError(ValueError):
    """A file was written by a newer version of this package: it is left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvidence:
    """What one file holds."""

    page: str = ""
    rows: tuple[Evidence, ...] = ()
    account: Account | None = None
    damaged: tuple[str, ...] = ()
    """What in it could not be read, a message each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All evidence of a vault."""

    evidence: Mapping[str, Mapping[str, Evidence]]
    """Environment's folder name to snippet id to what it saw."""
    accounts: Mapping[str, Mapping[str, Account]] = field(default_factory=dict)
    """Environment's folder name to page's key to what ran of its fences."""
    damaged: tuple[str, ...] = ()
    """What could not be read, a message each: its snippets count as never run."""
    newer: frozenset[Path] = frozenset()
    """Files that a newer version of this package wrote: nobody may replace them."""

    @classmethod
    def read(cls, folder: Path, environment: str = "*") -> "Ledger":
        """Read every environment below `folder`, which need not exist, or only one of them."""
        found: dict[str, dict[str, Evidence]] = {}
        accounts: dict[str, dict[str, Account]] = {}
        damaged: list[str] = []
        newer: list[Path] = []
        for file in sorted(folder.glob(f"{environment}/**/*.json")):
            name = file.relative_to(folder).parts[0]
            try:
                seen = read_file(file)
            except NewerVersionError as error:
                newer.append(file)
                damaged.append(f"{file}: {error}")
                continue
            except UNREADABLE as error:
                damaged.append(f"{file}: cannot be read: {error}; verify its page again")
                continue
            damaged += (f"{file}: {message}" for message in seen.damaged)
            found.setdefault(name, {}).update((row.snippet, row) for row in seen.rows)
            if seen.account:
                accounts.setdefault(name, {})[seen.page] = seen.account
        for file in sorted(folder.glob(f"{environment}/{PATTERN}")):
            rows = found.setdefault(file.parent.name, {})
            for _, row in read_entries(file, damaged):
                if supersedes(row, rows.get(row.snippet)):
                    rows[row.snippet] = row
        return cls(
            evidence=found, accounts=accounts, damaged=tuple(damaged), newer=frozenset(newer)
        )

    def find(self, environment: str, snippet: str) -> Evidence | None:
        """What an environment, named by its folder, saw of a snippet."""
        return self.evidence.get(environment, {}).get(snippet)

    def only(self, environment: str) -> "Ledger":
        """What one environment knows, named by its folder."""
        return Ledger(
            evidence={environment: self.evidence.get(environment, {})},
            accounts={environment: self.accounts.get(environment, {})},
        )


def read_entries(file: Path, damaged: list[str] | None = None) -> Iterator[Entry]:
    """Read a journal as far as it can be read; what cannot is said in `damaged`."""
    try:
        yield from read_journal(file)
    except FileNotFoundError:  # whoever wrote it has ended just now
        return
    except UNREADABLE as error:
        if damaged is not None:
            damaged.append(f"{file}: cannot be read to its end: {error}; the rest runs again")


def read_file(file: Path) -> PageEvidence:
    """Read a page's evidence in one environment; rows that do not fit are named and left out.

    Raises:
        NewerVersionError: a newer version of this package wrote it.
        OSError: it cannot be read.
        ValueError: it is not JSON, or no evidence at all.
    """
    value = json.loads(file.read_text(encoding="utf-8", errors="surrogatepass"))
    if not isinstance(value, dict):
        raise ValueError("an object was expected")
    version = value.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NewerVersionError(
            f"written by a newer wiki_tools (version {version}, this one reads up to {VERSION}), "
            "so its page was left out; install that, or delete the file and verify again"
        )
    if type(version) is not int or version < 1:
        raise ValueError(f"version is {version!r}, 1 to {VERSION} was expected")
    environments, snippets = value.get("environments"), value.get("snippets")
    if not isinstance(environments, list) or not isinstance(snippets, list):
        raise ValueError("environments and snippets were expected to be lists")
    damaged: list[str] = []
    return PageEvidence(
        page=str(value.get("page", "")),
        rows=tuple(_rows(snippets, environments, damaged)),
        account=_account(value.get("account"), damaged),
        damaged=tuple(damaged),
    )


def _rows(snippets: list[Any], environments: list[Any], damaged: list[str]) -> Iterator[Evidence]:
    for number, row in enumerate(snippets):
        try:
            yield _evidence(row, environments)
        except (ValueError, RecursionError) as error:
            name = row.get("snippet") if isinstance(row, dict) else None
            what = name if isinstance(name, str) else f"snippets[{number}]"
            damaged.append(f"{what}: cannot be read: {error}; it runs again")


def _evidence(row: Any, environments: list[Any]) -> Evidence:
    index = row.get("environment") if isinstance(row, dict) else None
    if not isinstance(index, int) or not 0 <= index < len(environments):
        raise ValueError(f"it names the environment {index!r}, which is not listed")
    return read_value(Evidence, {**row, "environment": environments[index]})


def _account(value: Any, damaged: list[str]) -> Account | None:
    if value is None:  # version 1 has none
        return None
    try:
        return read_value(Account, value)
    except ValueError as error:
        damaged.append(f"account: cannot be read: {error}")
        return None
