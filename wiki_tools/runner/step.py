"""What a run tells of itself while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from wiki_tools.protocol import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something that has just happened, for whoever shows progress."""

    kind: str
    """`ran`, `measured` or `mutated`."""
    snippet: str = ""
    total: int | None = None
    """How many there will be, before the first: snippets, comparisons in a round, or mutants."""
    ended: int = 1
    """How many of them have ended now."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Seconds that each snippet may take; what nobody knows is 0 or not there."""
    status: Status | None = None
    round: int = 1
    """Which one begins."""
    rounds_left: int = 0
    """How many will follow, before the first of one."""
    later: float = 0.0
    """Seconds that these may take."""


Watch = Callable[[Step], None]
