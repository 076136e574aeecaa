"""Says at which sizes of a sweep a claim holds: `from S = 512 on`."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.report.types import ComparisonReport
from wiki_tools.verdicts import Judgement, Verdict


class Holds(enum.StrEnum):
    """Where a claim is confirmed, in the order of sizes."""

    EVERYWHERE = "everywhere"
    FROM = "from"
    UP_TO = "up-to"
    ONLY_AT = "only-at"
    BETWEEN = "between"
    AT = "at"
    """At some sizes with others between them where it is not, or at one with others left open."""
    NOWHERE = "nowhere"
    OPEN = "open"
    """Confirmed nowhere, and not refuted everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A claim at one size."""

    size: int
    comparison: ComparisonReport
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A claim at each size of a sweep, the smallest first."""

    claim: Claim
    axis: str
    against: str
    metric: str
    points: tuple[Point, ...]

    def sizes(self, judgement: Judgement) -> tuple[int, ...]:
        """The sizes at which a verdict says so."""
        return tuple(p.size for p in self.points if p.verdict.judgement is judgement)

    @property
    def holds(self) -> Holds:
        """Where the claim is confirmed."""
        every = tuple(p.size for p in self.points)
        good = self.sizes(Judgement.CONFIRMED)
        if good == every:
            return Holds.EVERYWHERE
        if not good:
            refuted = self.sizes(Judgement.REFUTED) == every
            return Holds.NOWHERE if refuted else Holds.OPEN
        first = every.index(good[0])
        if every[first : first + len(good)] != good:
            return Holds.AT
        if good[-1] == every[-1]:
            return Holds.FROM
        if good[0] == every[0]:
            return Holds.UP_TO
        if len(good) > 1:
            return Holds.BETWEEN
        others = len(self.sizes(Judgement.REFUTED))
        return Holds.ONLY_AT if others == len(every) - 1 else Holds.AT


def find_sweeps(comparisons: Sequence[ComparisonReport]) -> tuple[Sweep, ...]:
    """Gather the claims that were held against a comparison at two sizes or more."""
    found: dict[tuple[str, str, str, Claim], list[Point]] = {}
    for comparison in comparisons:
        pairing = comparison.comparison.pairing
        axis, _, size = pairing.size.partition("=")
        for verdict in comparison.verdicts if size.isdecimal() else ():
            key = (axis, pairing.against, pairing.metric, verdict.claim)
            point = Point(size=int(size), comparison=comparison, verdict=verdict)
            found.setdefault(key, []).append(point)
    return tuple(_sweeps(found))


def _sweeps(found: dict[tuple[str, str, str, Claim], list[Point]]) -> Iterator[Sweep]:
    for (axis, against, metric, claim), points in found.items():
        if len(points) > 1:
            ordered = tuple(sorted(points, key=lambda point: point.size))
            yield Sweep(claim=claim, axis=axis, against=against, metric=metric, points=ordered)


def holds_words(sweep: Sweep) -> str:
    """Say where a claim holds: `from S = 512 on`."""
    good, axis = sweep.sizes(Judgement.CONFIRMED), sweep.axis
    match sweep.holds:
        case Holds.EVERYWHERE:
            return "at every size that was measured"
        case Holds.FROM:
            return f"from {axis} = {good[0]} on"
        case Holds.UP_TO:
            return f"up to {axis} = {good[-1]}"
        case Holds.ONLY_AT:
            return f"only at {axis} = {good[0]}"
        case Holds.BETWEEN:
            return f"from {axis} = {good[0]} to {good[-1]}"
        case Holds.AT:
            return f"at {axis} = {', '.join(map(str, good))}"
        case Holds.NOWHERE:
            return "at no size that was measured"
    return "at no size for certain"
