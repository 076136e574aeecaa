"""Findings as text, as JSON and as GitHub annotations."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from wiki_tools.cache import digest
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.config import Config
from wiki_tools.errors import counted, printable

_KEYS = tuple(field.name for field in fields(Diagnostic))
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_WORDS = {"error": "error", "warning": "warning", "info": "note"}
_MANY = 20
"""Findings from which on they are counted by code as well."""
GITHUB_SHOWS = 10
"""https://docs.github.com/en/actions/reference/limits: annotations of a kind, of one step."""
_OF_THE_ROOT = {"drifted-snippet"}
"""Codes whose path is relative to the vault's root."""


def check_document(pages: int, links: int, diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """What `wiki check --format json` prints of so many pages and links."""
    return {
        "pages": pages,
        "links": links,
        "diagnostics": [{key: getattr(row, key) for key in _KEYS} for row in diagnostics],
    }


def shown_path(config: Config, diagnostic: Diagnostic) -> str:
    """A finding's path from where one stands, so that a person or an editor can open it."""
    return f"{_from_here(_folder(config, diagnostic), os.getcwd())}{diagnostic.path}"  # noqa: PTH109 - thousands


def reported_path(config: Config, diagnostic: Diagnostic) -> str:
    """The same for other programs: a vault that lies elsewhere shows it from its root on."""
    return f"{_reported(_folder(config, diagnostic), config.root, os.getcwd())}{diagnostic.path}"  # noqa: PTH109


def docs_prefix(config: Config) -> str:
    """How the paths of pages begin, as seen from where one stands."""
    return _from_here(config.docs, os.getcwd())  # noqa: PTH109


def root_prefix(config: Config) -> str:
    """How paths that are relative to the vault's root begin, as seen from where one stands."""
    return _from_here(config.root, os.getcwd())  # noqa: PTH109


def reported_prefix(config: Config) -> str:
    """How the paths of pages begin for other programs."""
    return _reported(config.docs, config.root, os.getcwd())  # noqa: PTH109


def _folder(config: Config, diagnostic: Diagnostic) -> Path:
    return config.root if diagnostic.code in _OF_THE_ROOT else config.docs


@lru_cache(maxsize=64)
def _from_here(folder: Path, here: str) -> str:
    """How the paths in a folder begin: the shorter of the two that lead there."""
    try:
        shown = Path(os.path.relpath(folder, here)).as_posix()
    except ValueError:  # another drive of Windows
        shown = folder.as_posix()
    return "" if shown == "." else f"{min(shown, folder.as_posix(), key=len).rstrip('/')}/"


@lru_cache(maxsize=64)
def _reported(folder: Path, root: Path, here: str) -> str:
    shown = folder.relative_to(here if folder.is_relative_to(here) else root).as_posix()
    return "" if shown == "." else f"{shown}/"


def _annotation(kind: str, message: str, **properties: object) -> str:
    """A workflow command (`error`, `warning`, `notice`) that GitHub shows beside a change."""
    told = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{kind} {told}::{_data(message)}\n"


def as_text(config: Config, diagnostics: Sequence[Diagnostic], known: int = 0) -> str:
    """A finding a paragraph, its place first; then how many of each, and how to learn more.

    Of those that are `known` already it only says how many there are.
    """
    lines = []
    for row in diagnostics:
        lines.append(_line(config, row))
        if row.hint:
            lines.append(f"    {printable(row.hint)}")
    return "\n".join([*lines, *_summary(diagnostics, known)]) + "\n"


def _line(config: Config, row: Diagnostic) -> str:
    place = f"{printable(shown_path(config, row))}:{row.line}:{row.column}"
    return f"{place}: {row.severity}: {printable(row.message)} [{row.code}]"


def _summary(diagnostics: Sequence[Diagnostic], known: int) -> list[str]:
    """What was found in numbers, by severity and, where there are many, by code."""
    if not diagnostics:
        return [f"Nothing new to find, {known:,} known." if known else "Nothing to find."]
    by_code = Counter(row.code for row in diagnostics).most_common()
    more = f"; {known:,} more known" if known else ""
    lines = [_counted(Counter(row.severity for row in diagnostics)) + more]
    if len(diagnostics) > _MANY and len(by_code) > 1:
        lines.append(", ".join(f"{number:,} {code}" for code, number in by_code))
    lines.append(f"To learn more: wiki check --explain {by_code[0][0]}")
    return lines


def _counted(severities: Mapping[str, int]) -> str:
    """Numbers with their words: `1 error, 2,400 warnings`."""
    return ", ".join(
        counted(number, word)
        for severity, word in _WORDS.items()
        if (number := severities.get(severity, 0))
    )


def as_github(config: Config, diagnostics: Sequence[Diagnostic]) -> str:
    """Workflow commands that GitHub shows beside the lines of a change.

    Of each severity it shows ten of a step; the others follow in the log, folded.
    """
    shown: Counter[str] = Counter()
    lines, others = [], []
    for row in diagnostics:
        shown[row.severity] += 1
        if shown[row.severity] <= GITHUB_SHOWS:
            lines.append(_annotated(config, row))
        else:
            others.append(row)
    return "".join(lines) + (_folded(config, others) if others else "")


def _folded(config: Config, rows: Sequence[Diagnostic]) -> str:
    """Findings in the log, where no text of a page can be a command: only their digest ends that.

    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    words = _counted(Counter(row.severity for row in rows))
    text = "".join(f"{_line(config, r)} {printable(r.hint)}".rstrip() + "\n" for r in rows)
    token = digest(text.encode("utf-8", "replace")).hex()
    head = f"::group::{words} more: GitHub shows {GITHUB_SHOWS} of each kind\n"
    return f"{head}::stop-commands::{token}\n{text}::{token}::\n::endgroup::\n"


def _annotated(config: Config, row: Diagnostic) -> str:
    return _annotation(
        _GITHUB[row.severity],
        f"{row.message} {row.hint}".strip(),
        file=reported_path(config, row),
        line=row.line,
        col=row.column,
        title=row.code,
    )


def _data(text: str) -> str:
    """Escaped as GitHub's toolkit does; its log is read in terminals as well."""
    text = "\n".join(printable(line) for line in text.replace("\r\n", "\n").split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
