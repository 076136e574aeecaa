"""Findings as text, as JSON and as GitHub annotations."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wiki_tools.checks.types import Diagnostic
from wiki_tools.config import Config
from wiki_tools.errors import printable

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_OF_THE_ROOT = {"drifted-snippet"}
"""Codes whose path is relative to the vault's root."""


def check_document(pages: int, links: int, diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """What `wiki check --format json` prints of so many pages and links."""
    return {
        "pages": pages,
        "links": links,
        "diagnostics": [asdict(diagnostic) for diagnostic in diagnostics],
    }


def shown_path(config: Config, diagnostic: Diagnostic) -> str:
    """A finding's path from the vault's root on."""
    inside = diagnostic.code not in _OF_THE_ROOT
    return f"{config.docs.name}/{diagnostic.path}" if inside else diagnostic.path


def annotation(kind: str, message: str, **properties: object) -> str:
    """A workflow command (`error`, `warning`, `notice`) that GitHub shows beside a change."""
    told = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{kind} {told}::{_data(message)}\n"


def as_text(config: Config, diagnostics: Sequence[Diagnostic]) -> str:
    """A finding a paragraph, its place first, with a line that counts them; for people."""
    lines = []
    for row in diagnostics:
        place = f"{printable(shown_path(config, row))}:{row.line}:{row.column}"
        lines.append(f"{place}: {row.severity}: {printable(row.message)} [{row.code}]")
        if row.hint:
            lines.append(f"    {printable(row.hint)}")
    return "\n".join([*lines, _counted(diagnostics)]) + "\n"


def _counted(diagnostics: Sequence[Diagnostic]) -> str:
    counts = Counter(row.severity for row in diagnostics)
    words = (("error", "errors"), ("warning", "warnings"), ("info", "notes"))
    parts = []
    for severity, plural in words:
        number = counts[severity]
        if number:
            parts.append(f"{number} {plural.removesuffix('s') if number == 1 else plural}")
    return ", ".join(parts) or "Nothing to find."


def as_github(config: Config, diagnostics: Sequence[Diagnostic]) -> str:
    """Workflow commands that GitHub shows beside the lines of a change."""
    lines = []
    for row in diagnostics:
        lines.append(
            annotation(
                _GITHUB[row.severity],
                f"{row.message} {row.hint}".strip(),
                file=shown_path(config, row),
                line=row.line,
                col=row.column,
                title=row.code,
            )
        )
    return "".join(lines)


def _data(text: str) -> str:
    """Escaped as GitHub's toolkit does; its log is read in terminals as well."""
    text = "\n".join(printable(line) for line in text.replace("\r\n", "\n").split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
