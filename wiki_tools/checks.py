"""What is wrong with a wiki, without running it."""

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
