"""Pure functions over samples."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate and the interval that holds the true value with the stated confidence."""

    estimate: float
    low: float
    high: float
    confidence: float
    """What the interval really covers: at least the confidence that was asked for."""
