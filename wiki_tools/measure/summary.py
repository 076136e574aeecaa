"""Turns samples into a measurement."""

import math
from statistics import median

from wiki_tools.measure.rounds import begun, ratios_of
from wiki_tools.measure.types import Measurement
from wiki_tools.protocol import Samples
from wiki_tools.stats import Interval, ratio_interval, rounds_interval

COMPILED = 0.1
"""Seconds by which a first call takes longer where it compiles; less is a cold cache."""


def summarize(samples: Samples) -> Measurement:
    """Give the ratio of paired samples with its 95% interval.

    Time is baseline over candidate, so that more is faster; memory is candidate over baseline,
    so that less is smaller.
    """
    over, under = samples.baseline, samples.candidate
    if samples.metric == "memory":
        over, under = under, over
    ratio = None
    if samples.rounds and not samples.invalid:
        ratio = rounds_interval(ratios_of(over, under, samples.rounds))
    elif not samples.invalid:
        ratio = ratio_interval(over, under)
    return Measurement(
        against=samples.against,
        size=samples.size,
        metric=samples.metric,
        ratio=ratio,
        samples=min(len(samples.baseline), len(samples.candidate)),
        rounds=len(samples.rounds),
        planned=begun(samples) if samples.rounds else 0,
        invalid=samples.invalid,
        baseline=median(samples.baseline) if samples.baseline else 0.0,
        candidate=median(samples.candidate) if samples.candidate else 0.0,
        first_call=samples.first_call[1],
        pays_off=_pays_off(samples, ratio),
        max_error=samples.max_error,
        fresh=samples.fresh,
        threads=samples.threads,
        stopped=samples.stopped,
        busy=samples.busy,
        floor=samples.floor,
        conditions=samples.conditions,
    )


def _pays_off(samples: Samples, ratio: Interval | None) -> int | None:
    """Count the calls whose saving makes up for a first call that took longer."""
    if samples.metric != "time" or ratio is None or ratio.low <= 1:
        return None
    longer = samples.first_call[1] - samples.first_call[0]
    saved = median(samples.baseline) - median(samples.candidate)
    return math.ceil(longer / saved) if COMPILED < longer < math.inf and saved > 0 else None
