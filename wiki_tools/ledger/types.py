"""What is kept of a snippet, and of a page's fences."""

from dataclasses import dataclass, field

from wiki_tools.environment import Environment
from wiki_tools.protocol import Outcome, Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Samples of one comparison with the digest of what was timed."""

    digest: str
    samples: Samples
    recorded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A measurement that a newer one has replaced, without its samples."""

    digest: str
    """Of what was timed."""
    against: str
    size: str = ""
    metric: str = "time"
    ratio: tuple[float, float, float]
    """The estimate, and both ends of its 95% interval, in the metric's own direction."""
    recorded: str
    commit: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    """Of `python`, `torch` and `jax`, as far as they were there."""
    busy: float = 0.0
    """Cores that other programs used meanwhile, beyond those that were left free."""


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
    past: tuple[Past, ...] = ()
    """What was measured before, the oldest first."""
    environment: Environment
    resolved: dict[str, str] | None = None
    """Package that it imports to the version that was there, empty where none was; `python` is
    one. None where a version 1 of the format did not say."""
    timeout: float = 0.0
    """Seconds that it was given; 0 where nobody said."""
    memory: float = 0.0
    """GiB that it was given; 0 where nobody said."""
    weight: float = 0.0
    """Seconds that it was taken for when the wiki was shared out, so that the next share comes to
    the same; 0 where it did not run in a share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """How many fences of a page there were, and which of them ran: what may not become fewer."""

    fences: int
    """All of them, in any language."""
    ran: dict[str, int] = field(default_factory=dict)
    """Where it belongs (what follows `#` in a snippet's id) to how many of its fences ran."""
