"""Joins what several processes, minutes apart, measured of one comparison."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from wiki_tools.protocol import Samples
from wiki_tools.stats import median

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
        return known if known.invalid else replace(known, rounds=rounds_of(known))
    if (known.busy > BUSY) != (new.busy > BUSY):
        return min(known, new, key=lambda samples: samples.busy)
    errors = [error for error in (known.max_error, new.max_error) if error is not None]
    return replace(
        known,
        baseline=known.baseline + new.baseline,
        candidate=known.candidate + new.candidate,
        rounds=rounds_of(known) + rounds_of(new),
        max_error=max(errors, default=None),
        fresh=known.fresh and new.fresh,
        stopped=min(known.stopped, new.stopped),  # `budget` where one of them had to end
        interrupted=known.interrupted + new.interrupted,
        busy=max(known.busy, new.busy),
        floor=new.floor,
    )


def rounds_of(samples: Samples) -> tuple[int, ...]:
    """Give the number of pairs of each round; what was not joined is one."""
    return samples.rounds or (len(samples.baseline),)


def ratios_of(samples: Samples) -> tuple[float, ...]:
    """Give each round's ratio, the median of its pairs'; none where rounds and pairs disagree."""
    times = samples.baseline + samples.candidate
    if not all(math.isfinite(seconds) and seconds > 0 for seconds in times):
        return ()
    pairs = list(zip(samples.baseline, samples.candidate, strict=False))
    ends = (0, *accumulate(rounds_of(samples)))
    if min(rounds_of(samples)) < 1 or ends[-1] != len(pairs) or len(times) != 2 * len(pairs):
        return ()
    return tuple(_middle(pairs[start:end]) for start, end in pairwise(ends))


def _middle(pairs: Sequence[tuple[float, float]]) -> float:
    return math.exp(median([math.log(over) - math.log(under) for over, under in pairs]))
