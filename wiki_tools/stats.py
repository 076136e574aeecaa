"""Pure functions over samples."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


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
    return Interval(
        estimate=math.exp(median(ratios)),
        low=math.exp(ratios[rank - 1]),
        high=math.exp(ratios[-rank]),
        confidence=covered,
    )
