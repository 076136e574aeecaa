"""Turns samples into a measurement."""

from statistics import median

from wiki_tools.measure.types import Measurement
from wiki_tools.protocol import Samples
from wiki_tools.stats import ratio_interval


def summarize(samples: Samples) -> Measurement:
    """Give the ratio of paired samples with its 95% interval.

    Time is baseline over candidate, so that more is faster; memory is candidate over baseline,
    so that less is smaller.
    """
    over, under = samples.baseline, samples.candidate
    if samples.metric == "memory":
        over, under = under, over
    return Measurement(
        against=samples.against,
        size=samples.size,
        metric=samples.metric,
        ratio=None if samples.invalid else ratio_interval(over, under),
        samples=min(len(samples.baseline), len(samples.candidate)),
        invalid=samples.invalid,
        baseline=median(samples.baseline) if samples.baseline else 0.0,
        candidate=median(samples.candidate) if samples.candidate else 0.0,
        first_call=samples.first_call[1],
        max_error=samples.max_error,
        fresh=samples.fresh,
        threads=samples.threads,
        stopped=samples.stopped,
        busy=samples.busy,
    )
