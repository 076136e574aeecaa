"""A claim."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A quantitative statement and the range of ratios that would make it true.

    Of a `growth` it is a range of exponents.
    """

    path: str
    line: int
    column: int
    text: str
    """As the page has it: `2..8`, `2-8배`."""
    kind: str
    """`speedup`, `slowdown`, `memory`, `count` (of parameters, bytes, operations) or `growth`."""
    low: float
    high: float
    """`math.inf` where open."""
    source: str
    """`attribute` (of a fence), `comment` (in code) or `prose`."""
    snippet: str = ""
    """Id of the snippet that it speaks of; empty for prose that no attribute ties to one."""
    on: str = ""
    """Hardware that it speaks of, such as `cuda>=8.0`."""
    expected: str = ""
    """`refuted` where the page says that it knows."""
