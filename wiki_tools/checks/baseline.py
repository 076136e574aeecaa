"""A file of known findings, so that only new ones fail and it only shrinks."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wiki_tools.checks.codes import CODES
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.errors import ConfigError

VERSION = 1
"""1: `findings` are objects of `code`, `path` and `message`, once for each time they occur."""

Finding = tuple[str, str, str]
"""Code, path and message: a line number would change with every edit above it."""

Baseline = Counter[Finding]
"""Known findings, and how often each occurs."""


def read_baseline(file: Path) -> Baseline:
    """Read known findings.

    Raises:
        ConfigError: there is no such file, or it is no baseline of this or an earlier version.
    """
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        remedy = "; write it with --update-baseline" if not file.exists() else ""
        raise ConfigError(f"{file}: cannot be read: {error.strerror}{remedy}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{file}: not JSON: {error}; restore it, or delete it and write it anew"
        ) from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise ConfigError(f"{file}: a baseline of version {VERSION} was expected")
    rows = value.get("findings")
    if not isinstance(rows, list):
        raise ConfigError(f"{file}: findings is {rows!r:.60}; a list was expected")
    return Counter(_finding(file, row) for row in rows)


def _finding(file: Path, row: Any) -> Finding:
    keys = ("code", "path", "message")
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in keys):
        raise ConfigError(
            f"{file}: {row!r:.80} is no finding; code, path and message were expected"
        )
    return row["code"], row["path"], row["message"]


def write_baseline(file: Path, diagnostics: Iterable[Diagnostic]) -> None:
    """Write findings as the known ones, sorted, one a line.

    Raises:
        ConfigError: the file cannot be written.
    """
    rows = sorted(_key(row) for row in diagnostics)
    keys = ("code", "path", "message")
    lines = [json.dumps(dict(zip(keys, row, strict=True)), ensure_ascii=False) for row in rows]
    body = "".join(f"\n    {line}," for line in lines).rstrip(",")
    text = f'{{\n  "version": {VERSION},\n  "findings": [{body}\n  ]\n}}\n'
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}; name another") from None


def new_findings(diagnostics: Iterable[Diagnostic], baseline: Baseline) -> tuple[Diagnostic, ...]:
    """The findings that the baseline does not know, or knows fewer times."""
    return tuple(row for row, known in _held(diagnostics, baseline) if not known)


def known_findings(diagnostics: Iterable[Diagnostic], baseline: Baseline) -> tuple[Diagnostic, ...]:
    """The others: those that the baseline knows."""
    return tuple(row for row, known in _held(diagnostics, baseline) if known)


def _held(
    diagnostics: Iterable[Diagnostic], baseline: Baseline
) -> Iterator[tuple[Diagnostic, bool]]:
    """Findings, each with whether the baseline knows it, as many times as it does."""
    left = baseline.copy()
    for row in diagnostics:
        left[_key(row)] -= 1
        yield row, left[_key(row)] >= 0


def gone_findings(diagnostics: Iterable[Diagnostic], baseline: Baseline) -> tuple[Finding, ...]:
    """Known findings that no longer occur: they must leave the file, so that it only shrinks.

    Notes may stay: they never fail, and many of them come and go with what other pages say.
    """
    left = baseline - Counter(_key(row) for row in diagnostics)
    return tuple(sorted(row for row in left.elements() if not _is_note(row[0])))


def _is_note(code: str) -> bool:
    return code in CODES and CODES[code].severity == "info"


def _key(row: Diagnostic) -> Finding:
    return row.code, row.path, row.message
