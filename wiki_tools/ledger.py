"""Versioned evidence on disk, written atomically."""

from dataclasses import dataclass

from wiki_tools.environment import Environment
from wiki_tools.protocol import Outcome, Samples


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
