"""A finding, its code, and what can be remembered of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A finding."""

    code: str
    severity: str
    """`error`, `warning` or `info`."""
    path: str
    """Relative to the docs folder; for other files relative to the vault's root."""
    line: int
    column: int
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code of findings, as it is documented."""

    name: str
    severity: str
    meaning: str
    why: str
    """What goes wrong for readers, and where the limits of the check are."""
    example: Mapping[str, str]
    """Files below the vault's root that have it; a lone surrogate is a byte that is no UTF-8."""
    hint: str
    """What to do."""
    remark: str = ""
    """What the example's text does not show."""


PackedDiagnostic = tuple[str, str, str, int, int, str, str]


def pack_diagnostics(rows: Iterable[Diagnostic]) -> tuple[PackedDiagnostic, ...]:
    """Make plain values of findings."""
    return tuple(
        (row.code, row.severity, row.path, row.line, row.column, row.message, row.hint)
        for row in rows
    )


def read_diagnostics(rows: Iterable[PackedDiagnostic]) -> tuple[Diagnostic, ...]:
    """Make findings of their plain values again."""
    return tuple(
        Diagnostic(
            code=code,
            severity=severity,
            path=path,
            line=line,
            column=column,
            message=message,
            hint=hint,
        )
        for code, severity, path, line, column, message, hint in rows
    )


def sort_findings(rows: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Put findings in the order of paths and places."""
    return tuple(sorted(rows, key=lambda r: (r.path, r.line, r.column, r.code, r.message)))
