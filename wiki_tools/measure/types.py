"""A planned comparison, and what was seen of it."""

from dataclasses import dataclass

from wiki_tools.protocol import Conditions, Pairing
from wiki_tools.stats import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A planned pairing of one snippet."""

    snippet: str
    pairing: Pairing
    digest: str
    """Of both sides and of what they are measured with."""
    meaning: str
    """What the baseline is, for a reader: `the same code without torch.compile`."""
    claimed: bool = True
    """A claim of the snippet's fence is held against this comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was seen: baseline over candidate, or for memory candidate over baseline."""

    against: str
    size: str
    metric: str
    ratio: Interval | None
    """None where the comparison is invalid or has too few samples."""
    samples: int
    rounds: int = 0
    """Processes, one after another, that took them; 0 where one was to do."""
    planned: int = 0
    """Rounds that it is to have: before them it decides nothing."""
    invalid: str = ""
    """Why this is no fair comparison."""
    baseline: float = 0.0
    """Median seconds (bytes) of one call."""
    candidate: float = 0.0
    first_call: float = 0.0
    """Seconds of the candidate's first call, compilation included."""
    pays_off: int | None = None
    """Calls after which the candidate's first call has paid for itself, where it is faster."""
    max_error: float | None = None
    fresh: bool | None = None
    """The results were compared on a second set of inputs as well."""
    threads: int = 1
    stopped: str = ""
    busy: float = 0.0
    """Cores that other programs used meanwhile, beyond those that were left free."""
    floor: float = 0.0
    """The share by which identical code differed in the same run: what cannot be told from 1."""
    conditions: Conditions | None = None
    """Of the card, where one was asked for."""
