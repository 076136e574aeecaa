"""Pure functions over samples."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST_ROUNDS = 3
"""With two, Student's t of 95% is 12.7."""
MOST_FREEDOM = 500
"""Degrees of freedom beyond which Student's t is taken for that of so many, which is 0.25% more
than that of any: finding it takes as many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate and the interval that holds the true value with the stated confidence."""

    estimate: float
    low: float
    high: float
    confidence: float
    """What the interval really covers: at least the confidence that was asked for."""

    @property
    def half_width(self) -> float:
        """Half of its width, relative to the estimate: 0.02 reads ±2%."""
        return (self.high - self.low) / 2 / self.estimate


def exp(power: float) -> float:
    """Raise e to a power; infinity where no number is that large."""
    try:
        return math.exp(power)
    except OverflowError:
        return math.inf


def median(values: Sequence[float]) -> float:
    """Find the middle value, or the mean of the two middle ones.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("no median of no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return ordered[middle - 1] / 2 + ordered[middle] / 2  # a sum could overflow


def fewest_samples(confidence: float = 0.95) -> int:
    """Count the pairs that an interval of that confidence needs: 6 for 95%."""
    return math.ceil(1 - math.log2(1 - confidence))


def outer_rank(samples: int, confidence: float = 0.95) -> tuple[int, float]:
    """Find the narrowest pair of order statistics that covers the median.

    The k-th smallest and the k-th largest of n independent values enclose the median of their
    distribution, whatever its shape, with probability `1 - 2 P(Binomial(n, 1/2) < k)`.
    Formula: W. R. Thompson, "On confidence ranges for the median", Ann. Math. Statist. 7
    (1936) 122-128; H. A. David, H. N. Nagaraja, "Order Statistics" (2003), section 7.1.

    Returns:
        k, which is 0 where n is too small, and the coverage.
    """
    rank, covered = 0, 0.0
    ways, tail = 1, 0  # exact integers: C(n, k - 1), and their sum
    for k in range(1, samples // 2 + 1):
        tail += ways
        coverage = 1 - 2 * (tail / 2**samples)
        if coverage < confidence:
            break
        rank, covered = k, coverage
        ways = ways * (samples - k + 1) // k
    return rank, covered


def student_quantile(freedom: int, confidence: float = 0.95) -> float:
    """Find t that a Student's t of `freedom` degrees exceeds in neither direction.

    Formula: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and
    26.7.4; solved by halving.

    Raises:
        ValueError: there is no degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"no t of {freedom} degrees of freedom")
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _within(middle, freedom) > confidence else (middle, high)
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Probability that t lies within ± tan(angle) √freedom."""
    odd = freedom % 2
    terms, term = 0.0, math.cos(angle) if odd else 1.0
    for k in range(1 + odd, freedom, 2):
        terms += term
        term *= k / (k + 1) * math.cos(angle) ** 2
    inner = math.sin(angle) * terms
    return 2 / math.pi * (angle + inner) if odd else inner


def rounds_interval(ratios: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Estimate a ratio from one estimate a round: their geometric mean, with Student's t of logs.

    What a process finds (its place in memory, huge pages, who else is on the machine) holds for
    all its samples, so that these say nothing of how the next process would do: how often that
    misleads, `python -m benchmarks repeating` tells. The unit that repeats is the round.
    Method: T. Kalibera, R. Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013, 63-74;
    A. Georges, D. Buytaert, L. Eeckhout, "Statistically Rigorous Java Performance Evaluation",
    OOPSLA 2007, 57-76.

    Returns:
        None where fewer than `FEWEST_ROUNDS` are there, or a value is not a finite number above 0.
    """
    if len(ratios) < FEWEST_ROUNDS or not all(math.isfinite(r) and r > 0 for r in ratios):
        return None
    logs = [math.log(ratio) for ratio in ratios]
    mean = math.fsum(logs) / len(logs)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    half = student_quantile(min(len(logs) - 1, MOST_FREEDOM), confidence) * spread
    return _interval(mean, mean - half, mean + half, confidence)


def ratio_interval(
    baseline: Sequence[float], candidate: Sequence[float], confidence: float = 0.95
) -> Interval | None:
    """Estimate baseline over candidate from paired samples.

    The estimate is the median of the pairs' ratios, the interval the distribution-free one of
    `outer_rank`: what slows both halves of a pair cancels (duet benchmarking: L. Bulej et al.,
    "Duet Benchmarking: Improving Measurement Accuracy in the Cloud", ICPE 2020, 100-107), and
    neither outliers nor several modes need a model. A t interval of means would need one.

    Returns:
        None where no honest interval exists: fewer than 6 pairs (for 95%), sides of unequal
        length, or a value that is not a finite number above 0.
    """
    if len(baseline) != len(candidate):
        return None
    if not all(math.isfinite(v) and v > 0 for side in (baseline, candidate) for v in side):
        return None
    rank, covered = outer_rank(len(baseline), confidence)
    if not rank:
        return None
    ratios = sorted(math.log(b) - math.log(c) for b, c in zip(baseline, candidate, strict=True))
    return _interval(median(ratios), ratios[rank - 1], ratios[-rank], covered)


def _interval(estimate: float, low: float, high: float, confidence: float) -> Interval | None:
    """Make an interval of logarithms; None where a number cannot hold one of its ends."""
    ends = exp(estimate), exp(low), exp(high)
    if not all(0 < end < math.inf for end in ends):
        return None
    return Interval(estimate=ends[0], low=ends[1], high=ends[2], confidence=confidence)
