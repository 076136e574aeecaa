"""Takes paired samples of two sides until their ratio is known well enough."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from wiki_tools.stats import ratio_interval

Clock = Callable[[], float]

SHORTEST = 2e-3
"""Seconds that a sample should take: 20,000 times the resolution of the clock."""
MOST_REPEATS = 1_000_000
ALIKE = 1.5
FEWEST = 12
"""Pairs, where they fit into `PATIENCE` budgets: below, the interval spans nearly all of them."""
MOST = 2_000
PATIENCE = 5
NARROW = 0.02
"""Half-width of the interval, relative, at which sampling stops."""
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


def warm_up(side: Sampled, allowance: float, clock: Clock) -> float:
    """Call a side until its times fall no more; gives the seconds of its fastest call.

    Args:
        side: what is called.
        allowance: seconds after which it is warm whatever it does.
        clock: in seconds.
    """
    start = clock()
    repeats, times = 1, list[float]()
    while True:
        seconds = side.sample(repeats)
        times.append(seconds / repeats)
        enough = seconds >= 0.75 * SHORTEST or repeats >= MOST_REPEATS
        if clock() - start >= allowance or (enough and is_settled(times)):
            return min(times)
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

    Samples of both sides last about equally long: a longer one is interrupted more often, and
    on a busy machine that alone made identical code differ (52 of 60 intervals held 1.0). Sides
    that are nearly equally fast are called equally often, whatever noise the warm-up had.
    """
    repeats = _repeats(baseline), _repeats(candidate)
    if max(repeats) <= ALIKE * min(repeats):
        return max(repeats), max(repeats)
    return repeats


def take_samples(
    baseline: Sampled,
    candidate: Sampled,
    *,
    budget: float,
    clock: Clock,
    order: random.Random,
) -> Taken:
    """Sample both sides back to back, in random order within each pair.

    Random order makes a drift or a periodic disturbance hit both alike (A. Abedi, T. Brecht,
    "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments", ICPE
    2017, 287-292). Sampling ends when the interval is narrow or the budget is spent; up to
    `PATIENCE` budgets are spent where `FEWEST` pairs are not there yet.
    """
    sides = (baseline, candidate)
    repeats = choose_repeats(
        warm_up(baseline, budget / 2, clock), warm_up(candidate, budget / 2, clock)
    )
    times: tuple[list[float], list[float]] = ([], [])
    start = clock()
    stopped = ""
    while not stopped:
        for which in order.sample((0, 1), 2):
            times[which].append(sides[which].sample(repeats[which]) / repeats[which])
        stopped = _stopped(times, clock() - start, budget)
    rounded = [tuple(float(f"{t:.6g}") for t in side) for side in times]
    return Taken(baseline=rounded[0], candidate=rounded[1], repeats=repeats, stopped=stopped)


def _stopped(times: tuple[list[float], list[float]], spent: float, budget: float) -> str:
    pairs = len(times[0])
    if pairs in LOOKS and (interval := ratio_interval(*times)) and interval.half_width <= NARROW:
        return "narrow"
    patience = budget if pairs >= FEWEST else PATIENCE * budget
    return "budget" if spent >= patience or pairs >= MOST else ""
