"""How a ratio went over time, and how it differs between two environments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiki_tools.ledger import Evidence, Ledger, Past, past_of
from wiki_tools.measure import BUSY
from wiki_tools.snippets import Snippet

Place = tuple[str, str, str]
"""What was measured against what: `against`, `size` and `metric`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """All that one environment measured of one comparison, the oldest first."""

    snippet: Snippet
    environment: str
    """Folder name."""
    against: str
    size: str
    metric: str
    points: tuple[Past, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """A word for each point: how it went since the last one that a quiet machine measured."""
        befores = (self.before(index) for index in range(len(self.points)))
        pairs = zip(befores, self.points, strict=True)
        return tuple(change(before, after) if before else "" for before, after in pairs)

    def before(self, index: int) -> Past | None:
        """What a point is compared with: the last one before it of a quiet machine."""
        earlier = (point for point in reversed(self.points[:index]) if not is_busy(point))
        return next(earlier, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The newest measurement of one comparison in two environments."""

    snippet: Snippet
    first: Past
    second: Past

    @property
    def apart(self) -> bool | None:
        """Whether both intervals lie apart; None where a busy machine leaves that open."""
        if is_busy(self.first) or is_busy(self.second):
            return None
        return bool(change(self.first, self.second))


def is_busy(point: Past) -> bool:
    """Whether other programs kept the machine so busy that its ratio decides nothing."""
    return point.busy > BUSY


def change(before: Past, after: Past) -> str:
    """Say how a ratio went: `regression`, `improvement`, or nothing where the intervals meet.

    More is better, but of memory, of which less is. A busy machine decides nothing.
    """
    if is_busy(before) or is_busy(after):
        return ""
    _, low, high = after.ratio
    _, old_low, old_high = before.ratio
    if low <= old_high and high >= old_low:
        return ""
    return "improvement" if (low > old_high) != (after.metric == "memory") else "regression"


def find_history(snippets: Sequence[Snippet], ledger: Ledger) -> tuple[Series, ...]:
    """Find what every environment measured of some snippets, in their order."""
    return tuple(
        Series(
            snippet=snippet,
            environment=name,
            against=place[0],
            size=place[1],
            metric=place[2],
            points=points,
        )
        for snippet in snippets
        for name in sorted(ledger.evidence)
        if (row := ledger.find(name, snippet.id)) is not None
        for place, points in _series(row)
    )


def compare_environments(
    snippets: Sequence[Snippet], ledger: Ledger, first: str, second: str
) -> tuple[Beside, ...]:
    """Set the newest measurements of two environments beside each other.

    Only the same code is compared: what one of them timed in another version is left out.
    """
    return tuple(
        Beside(snippet=snippet, first=ours[place], second=theirs[place])
        for snippet in snippets
        for ours, theirs in [[_newest(ledger.find(n, snippet.id)) for n in (first, second)]]
        for place in ours
        if place in theirs and ours[place].digest == theirs[place].digest
    )


def _series(row: Evidence) -> Iterator[tuple[Place, tuple[Past, ...]]]:
    points = [*row.past, *filter(None, (past_of(row, m) for m in row.measured))]
    places = dict.fromkeys((p.against, p.size, p.metric) for p in points)
    for place in places:
        yield place, tuple(p for p in points if (p.against, p.size, p.metric) == place)


def _newest(row: Evidence | None) -> dict[Place, Past]:
    return {place: points[-1] for place, points in _series(row)} if row else {}
