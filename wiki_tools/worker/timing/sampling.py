"""Takes paired samples of two sides until their ratio is known well enough."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from wiki_tools.stats import fewest_samples, ratio_interval

Clock = Callable[[], float]
Count = Callable[[], int]

SHORTEST = 2e-3
"""Seconds that a sample should take: 20,000 times the resolution of the clock."""
MOST_REPEATS = 1_000_000
LONGEST = 20e-3
"""Seconds that calls of the faster side are added up to, to last as long as one of the slower."""
ALIKE = 1.1
"""Sides that differ by less are called equally often: their samples last about equally long."""
ATTEMPTS = 3
"""Times that a sample is taken, where another program ran in the midst of it."""
REHEARSED = 5
"""Pairs that tell how much the sides differ: both see the same neighbours, a warm-up its own."""
FEWEST = fewest_samples()
"""Pairs, where they fit into `PATIENCE` budgets."""
MOST = 2_000
PATIENCE = 5
NARROW = 0.02
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

    def sample(self, repeats: int) -> float:
        """Seconds that `repeats` calls take."""


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
        enough = seconds >= 0.75 * SHORTEST or repeats >= MOST_REPEATS
        if clock() - start >= allowance or (enough and is_settled(times)):
            return Warmth(fastest=min(times), calls=calls)
        if not enough:
            repeats = min(_repeats(times[-1]), repeats * 10)


def is_settled(times: list[float]) -> bool:
    """Say whether the two newest times bring no new low: noise only ever adds."""
    return len(times) >= 4 and min(times[-2:]) >= 0.95 * min(times[:-2])


def _repeats(seconds: float) -> int:
    if seconds <= 0:
        return MOST_REPEATS
    return max(1, min(MOST_REPEATS, math.ceil(SHORTEST / seconds)))


def choose_repeats(baseline: float, candidate: float) -> tuple[int, int]:
    """Choose how often a sample calls each side, from the seconds of a call.

    Samples of both sides last about equally long: a longer one is interrupted more often. With
    `SHORTEST` alone they lasted 2.8 and 2.2 ms where one side does ten times the work, and on a
    busy machine that read 10.3.
    """
    fast, slow = sorted((baseline, candidate))
    if slow <= ALIKE * fast:
        return _repeats(fast), _repeats(fast)
    few = _repeats(slow)
    long = max(SHORTEST, min(few * slow, LONGEST))
    many = min(MOST_REPEATS, max(1, round(long / fast))) if fast > 0 else MOST_REPEATS
    return (few, many) if baseline == slow else (many, few)


@dataclass(slots=True, kw_only=True)
class Pairs:
    """Pairs of samples of two sides, in the order of measuring."""

    sides: tuple[Sampled, Sampled]
    repeats: tuple[int, int]
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
        for attempt in range(ATTEMPTS):
            before = self.count()
            seconds = self.sides[which].sample(self.repeats[which])
            calm = self.count() == before
            if calm or seconds > LONGEST or attempt == ATTEMPTS - 1:
                break
            self.again += 1
        return seconds / self.repeats[which], calm

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
) -> Taken:
    """Sample both sides back to back, in random order within each pair.

    Random order makes a drift or a periodic disturbance hit both alike (A. Abedi, T. Brecht,
    "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments", ICPE
    2017, 287-292). Pairs in which the system took the processor away are set aside, since what
    ran instead is timed as well. Sampling ends when the interval is narrow or the budget is
    spent; up to `PATIENCE` budgets are spent where the `fewest` pairs are not there yet.
    """
    sides = (baseline, candidate)
    warm = {which: warm_up(sides[which], budget / 2, clock) for which in order.sample((0, 1), 2)}
    pairs = Pairs(
        sides=sides,
        repeats=choose_repeats(warm[0].fastest, warm[1].fastest),
        order=order,
        count=interruptions,
        fewest=fewest,
    )
    if warm[0].calls == warm[1].calls == 1 and pairs.repeats == (1, 1):  # a pair like any other
        pairs.taken.append((warm[0].fastest, warm[1].fastest, False))
    else:
        pairs = _rehearse(pairs, budget, clock)
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
        repeats=pairs.repeats,
        stopped=stopped,
        interrupted=pairs.again + len(pairs.taken) - len(times[0]),
    )


def _rehearse(pairs: Pairs, budget: float, clock: Clock) -> Pairs:
    """Choose repeats by the fastest of a few pairs: others may have met one side's warm-up only.

    They count where the warm-up was right, and so does one that takes long.
    """
    start = clock()
    while len(pairs.taken) < REHEARSED and clock() - start <= budget / 10:
        pairs.take()
    fastest = (min(pair[which] for pair in pairs.taken) for which in (0, 1))
    repeats = choose_repeats(*fastest)
    if repeats == pairs.repeats or len(pairs.taken) == 1:
        return pairs
    return replace(pairs, repeats=repeats, taken=[], calm=0)


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
