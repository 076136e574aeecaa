"""Takes paired samples of two sides until their ratio is known well enough."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from wiki_tools.stats import fewest_samples, ratio_interval

Clock = Callable[[], float]
Count = Callable[[], int]

SHORTEST = 2.5e-4
"""Seconds that a sample should take: 2,500 times the resolution of the clock.

What disturbs a machine falls into few of many short samples, and into each of long ones a little:
for the same time, intervals of short calls are half as wide, or less, as with samples of 2 ms."""
LONG = 2e-3
"""Seconds that a sample should take where calls do not follow on others, and while warming up."""
LEAD = 5e-4
"""Seconds of calls that a short sample follows on; at least as many as it has itself."""
MOST_REPEATS = 1_000_000
LONGEST = 20e-3
"""Seconds that calls of the faster side are added up to, to last as long as one of the slower."""
ALIKE = 1.1
"""Sides that differ by less are called equally often; samples that do last equally long."""
EVEN = 5e-3
"""Seconds up to which samples are made longer so that those of both sides last alike."""
ATTEMPTS = 3
"""Times that a sample is taken, where another program ran in the midst of it."""
REHEARSED = 5
"""Pairs that tell how much the sides differ: both see the same neighbours, a warm-up its own."""
FEWEST = fewest_samples()
"""Pairs, where they fit into `PATIENCE` budgets."""
MOST = 2_000
PATIENCE = 5
NARROW = 0.01
"""Half-width of the interval, relative, at which sampling stops."""
SHARP = 0.04
"""The same as a share of the ratio's logarithm: 3.9 is known well enough from 3.7 to 4.1."""
LOOKS = tuple(round(30 * 1.5**i) for i in range(12))
"""Numbers of pairs at which the interval is looked at.

Few pairs that happen to agree look narrow, and stopping at them covers less than promised (Y. S.
Chow, H. Robbins, Ann. Math. Statist. 36 (1965) 457-462): so the first look comes late, and each
next one after half as many pairs again."""


class Sampled(Protocol):
    """What can be timed."""

    def sample(self, repeats: int, untimed: int = 0) -> float:
        """Seconds that `repeats` calls take, after some that are not timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Paired samples, in seconds a call."""

    baseline: tuple[float, ...]
    candidate: tuple[float, ...]
    repeats: tuple[int, int]
    stopped: str
    """`narrow` or `budget`."""
    interrupted: int = 0
    """Samples that were taken again or set aside: other programs ran in the midst of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmth:
    """What warming up a side has shown."""

    fastest: float
    """Seconds of its fastest call."""
    calls: int


def warm_up(side: Sampled, allowance: float, clock: Clock) -> Warmth:
    """Call a side until its times fall no more.

    Args:
        side: what is called.
        allowance: seconds after which it is warm whatever it does.
        clock: in seconds.
    """
    start = clock()
    repeats, calls, times = 1, 0, list[float]()
    while True:
        seconds = side.sample(repeats)
        calls += repeats
        times.append(seconds / repeats)
        enough = seconds >= 0.75 * LONG or repeats >= MOST_REPEATS
        if clock() - start >= allowance or (enough and is_settled(times)):
            return Warmth(fastest=min(times), calls=calls)
        if not enough:
            repeats = min(_repeats(times[-1], LONG), repeats * 10)


def is_settled(times: list[float]) -> bool:
    """Say whether the two newest times bring no new low: noise only ever adds."""
    return len(times) >= 4 and min(times[-2:]) >= 0.95 * min(times[:-2])


def _repeats(seconds: float, length: float) -> int:
    if seconds <= 0:
        return MOST_REPEATS
    return max(1, min(MOST_REPEATS, math.ceil(length / seconds)))


def choose_repeats(
    baseline: float, candidate: float, shortest: float = SHORTEST
) -> tuple[int, int]:
    """Choose how often a sample calls each side, from the seconds of a call.

    Samples of both sides last about equally long: a longer one is interrupted more often. When
    they lasted 2.8 and 2.2 ms, where one side does ten times the work, a busy machine read 10.3.
    """
    fast, slow = sorted((baseline, candidate))
    if slow <= ALIKE * fast:
        return _repeats(fast, shortest), _repeats(fast, shortest)
    first = _repeats(slow, shortest)
    last = max(first, min(first + 10, math.floor(EVEN / slow)))
    found = [(few, _beside(few * slow, fast, shortest)) for few in range(first, last + 1)]

    def unevenness(counts: tuple[int, int]) -> float:
        return abs(math.log(counts[0] * slow / (counts[1] * fast or slow)))

    alike = (counts for counts in found if unevenness(counts) <= math.log(ALIKE))
    few, many = next(alike, None) or min(found, key=unevenness)
    return (few, many) if baseline == slow else (many, few)


def _beside(long: float, fast: float, shortest: float) -> int:
    """Count calls of the fast side that last as long as a sample of the slow one."""
    if fast <= 0:
        return MOST_REPEATS
    return min(MOST_REPEATS, max(1, round(max(shortest, min(long, LONGEST)) / fast)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a pair of samples is taken."""

    repeats: tuple[int, int]
    untimed: tuple[int, int] = (0, 0)
    """Calls that a sample follows on: of both sides for about as long, or of neither.

    What the other side has driven out of the cache is back by then. In samples of 2 ms without,
    a side that picks from 1 MB took 1.7 times as long as one that picks from 64 KB, in samples of
    half a millisecond 2.6 times; so they take 1.5, as where each runs on for 20 ms."""

    @classmethod
    def of(cls, baseline: float, candidate: float, cached: bool) -> "Plan":
        """Make it from the seconds of a call; long calls bring back what they need themselves."""
        if not cached or max(baseline, candidate) > LONG:
            return cls(repeats=choose_repeats(baseline, candidate, LONG))
        repeats = choose_repeats(baseline, candidate, SHORTEST)
        times = max(1, round(LEAD / max(SHORTEST, repeats[0] * baseline)))
        return cls(repeats=repeats, untimed=(times * repeats[0], times * repeats[1]))


@dataclass(slots=True, kw_only=True)
class Pairs:
    """Pairs of samples of two sides, in the order of measuring."""

    sides: tuple[Sampled, Sampled]
    plan: Plan
    order: random.Random
    count: Count
    """How often other programs have run instead."""
    taken: list[tuple[float, float, bool]] = field(default_factory=list)
    """Seconds a call of baseline and candidate, and whether neither was interrupted."""
    fewest: int = FEWEST
    calm: int = 0
    """How many were not."""
    again: int = 0
    """Samples that were taken again."""

    def take(self) -> None:
        """Sample both sides back to back, in random order."""
        seconds, calm = [0.0, 0.0], True
        for which in self.order.sample((0, 1), 2):
            seconds[which], undisturbed = self._sample(which)
            calm = calm and undisturbed
        self.calm += calm
        self.taken.append((seconds[0], seconds[1], calm))

    def _sample(self, which: int) -> tuple[float, bool]:
        """Sample one side, again where that was interrupted and is short enough not to be."""
        repeats = self.plan.repeats[which]
        for attempt in range(ATTEMPTS):
            before = self.count()
            seconds = self.sides[which].sample(repeats, self.plan.untimed[which])
            calm = self.count() == before
            if calm or seconds > LONGEST or attempt == ATTEMPTS - 1:
                break
            self.again += 1
        return seconds / repeats, calm

    def kept(self) -> tuple[list[float], list[float]]:
        """Those that nothing interrupted; all, where these are too few."""
        everything = self.calm < self.fewest
        pairs = [pair for pair in self.taken if everything or pair[2]]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def take_samples(
    baseline: Sampled,
    candidate: Sampled,
    *,
    budget: float,
    clock: Clock,
    order: random.Random,
    interruptions: Count = lambda: 0,
    fewest: int = FEWEST,
    cached: bool = True,
) -> Taken:
    """Sample both sides back to back, in random order within each pair.

    Random order makes a drift or a periodic disturbance hit both alike (A. Abedi, T. Brecht,
    "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments", ICPE
    2017, 287-292). Pairs in which the system took the processor away are set aside, since what
    ran instead is timed as well. Sampling ends when the interval is narrow or the budget is
    spent; up to `PATIENCE` budgets are spent where the `fewest` pairs are not there yet. Where
    they are `cached`, calls find what they need as the same side's calls before have left it.
    """
    sides = (baseline, candidate)
    warm = {which: warm_up(sides[which], budget / 2, clock) for which in order.sample((0, 1), 2)}
    pairs = Pairs(
        sides=sides,
        plan=Plan.of(warm[0].fastest, warm[1].fastest, cached),
        order=order,
        count=interruptions,
        fewest=fewest,
    )
    once = warm[0].calls == warm[1].calls == 1
    if once and pairs.plan == Plan(repeats=(1, 1)):  # a pair like any other
        pairs.taken.append((warm[0].fastest, warm[1].fastest, False))
    else:
        pairs = _rehearse(pairs, budget, clock, cached)
    start = clock()
    stopped = ""
    while not stopped:
        pairs.take()
        stopped = _stopped(pairs, clock() - start, budget)
    times = pairs.kept()
    rounded = [tuple(float(f"{t:.6g}") for t in side) for side in times]
    return Taken(
        baseline=rounded[0],
        candidate=rounded[1],
        repeats=pairs.plan.repeats,
        stopped=stopped,
        interrupted=pairs.again + len(pairs.taken) - len(times[0]),
    )


def _rehearse(pairs: Pairs, budget: float, clock: Clock, cached: bool) -> Pairs:
    """Choose repeats by the fastest of a few pairs: others may have met one side's warm-up only.

    They count where the warm-up was right, and so does one that takes long.
    """
    start = clock()
    while len(pairs.taken) < REHEARSED and clock() - start <= budget / 10:
        pairs.take()
    baseline, candidate = (min(pair[which] for pair in pairs.taken) for which in (0, 1))
    plan = Plan.of(baseline, candidate, cached)
    if plan == pairs.plan or len(pairs.taken) == 1:
        return pairs
    return replace(pairs, plan=plan, taken=[], calm=0)


def narrow_enough(ratio: float) -> float:
    """Half-width of a ratio's interval, relative, at which sampling stops."""
    return max(NARROW, SHARP * abs(math.log(ratio)))


def _stopped(pairs: Pairs, spent: float, budget: float) -> str:
    if pairs.taken[-1][2] and pairs.calm in LOOKS:
        interval = ratio_interval(*pairs.kept())
        if interval and interval.half_width <= narrow_enough(interval.estimate):
            return "narrow"
    count = len(pairs.taken)
    patience = budget if count >= pairs.fewest else PATIENCE * budget
    return "budget" if spent >= patience or count >= MOST else ""
