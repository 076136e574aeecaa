"""Joins what several processes, one after another, measured of one comparison."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from wiki_tools.config import MOST_ROUNDS
from wiki_tools.protocol import Samples
from wiki_tools.stats import exp, median

BUSY = 0.25
"""Cores in the hands of other programs from which on a ratio decides nothing.

With one of two cores taken, the same page has been seen at 0.35x and at 15x.
"""


def add_round(known: Samples | None, new: Samples) -> Samples:
    """Put a round behind those that are known; what is not fair in one is not fair at all.

    A round in which others used the processors counts only until a calm one is there.
    """
    if known is None or known.invalid or new.invalid:
        known = new if known is None or new.invalid else known
        return known if known.invalid else _as_rounds(known)
    if (known.busy > BUSY) != (new.busy > BUSY):
        return _as_rounds(min(known, new, key=lambda samples: samples.busy))
    errors = [error for error in (known.max_error, new.max_error) if error is not None]
    return replace(
        known,
        baseline=known.baseline + new.baseline,
        candidate=known.candidate + new.candidate,
        rounds=rounds_of(known) + rounds_of(new),
        max_error=max(errors, default=None),
        fresh=min((f for f in (known.fresh, new.fresh) if f is not None), default=None),
        stopped=min(known.stopped, new.stopped),  # `budget` where one of them had to end
        interrupted=known.interrupted + new.interrupted,
        busy=max(known.busy, new.busy),
        floor=new.floor,
    )


def _as_rounds(samples: Samples) -> Samples:
    """Note what is one process's as one round: alone it decides nothing."""
    return replace(samples, rounds=rounds_of(samples))


def rounds_of(samples: Samples) -> tuple[int, ...]:
    """Give the number of pairs of each round; what was not joined is one."""
    return samples.rounds or (len(samples.baseline),)


def begun(samples: Samples) -> int:
    """Count the rounds that a measurement was to have; evidence may say anything."""
    return min(samples.planned, 2 * MOST_ROUNDS)


def ratios_of(
    over: Sequence[float], under: Sequence[float], rounds: Sequence[int]
) -> tuple[float, ...]:
    """Give each round's ratio, the median of its pairs'; none where rounds and pairs disagree."""
    if not all(math.isfinite(value) and value > 0 for side in (over, under) for value in side):
        return ()
    ends = (0, *accumulate(rounds))
    if min(rounds, default=0) < 1 or not len(over) == len(under) == ends[-1]:
        return ()
    logs = [math.log(a) - math.log(b) for a, b in zip(over, under, strict=True)]
    return tuple(exp(median(logs[start:end])) for start, end in pairwise(ends))


def first_rounds(samples: Samples, count: int) -> Samples:
    """Give what there was after so many rounds."""
    rounds = rounds_of(samples)[:count]
    pairs = sum(rounds)
    return replace(
        samples,
        rounds=rounds,
        planned=len(rounds),
        baseline=samples.baseline[:pairs],
        candidate=samples.candidate[:pairs],
    )
