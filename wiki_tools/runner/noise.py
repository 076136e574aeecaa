"""Measures code against itself: what differs then is what a run cannot tell from noise."""

from collections.abc import Iterable
from itertools import chain

from wiki_tools.measure import BUSY, summarize
from wiki_tools.measure.rounds import ratios_of, rounds_of
from wiki_tools.protocol import Cell, Job, Outcome, Pairing
from wiki_tools.stats import FEWEST_ROUNDS, rounds_interval

NOISE = "noise"
"""Stands where a job names its snippet; those of pages have a `#` in their ids."""
TIMEOUT = 60.0
LOOP = ("numbers = list(range(2000))", "total = sum(n * n for n in numbers)")
PRODUCT = ("import torch\nx = torch.ones(256, 256, device={!r})", "y = x @ x")
"""Set-up, and what is timed: about 0.1 ms a call, as most patterns take."""
UNKNOWN = 1.0
"""The floor where even identical code gives no interval, or did not run: 2x may be noise."""


def noise_job(jobs: Iterable[Job]) -> Job | None:
    """Make the job that measures the noise of a run like `jobs`; None where none is measured."""
    measured = [job for job in jobs if job.pairings]
    if not measured:
        return None
    like = next((job for job in measured if "torch" in job.frameworks), measured[0])
    torch = "torch" in like.frameworks
    setup, timed = PRODUCT if torch else LOOP
    cells = (
        Cell(role="setup", code=setup.format(like.device)),
        Cell(role="pattern", code=timed, timed=True),
    )
    return Job(
        snippet=NOISE,
        cells=cells,
        pairings=(Pairing(against="baseline", candidate=cells, baseline=cells),),
        device=like.device,
        frameworks=("torch",) if torch else (),
        threads=like.threads,
        timeout=TIMEOUT,
        memory=like.memory,
        budget=like.budget,
    )


def noise_floor(outcomes: Iterable[Outcome]) -> float:
    """Give the share by which identical code differed: 0.02 where an interval reaches 1.02.

    Of many rounds it is the interval that they give together, of few the widest of their own.
    Busy rounds count where there is no other: what was measured in them is set aside as well.
    """
    told = [next(iter(outcome.samples), None) for outcome in outcomes]
    samples = [s for s in told if s]
    if len(samples) < len(told):
        return UNKNOWN
    samples = [s for s in samples if s.busy <= BUSY] or samples
    found = [summarize(s).ratio for s in samples]
    if len(samples) >= FEWEST_ROUNDS and not any(s.invalid for s in samples):
        each = [ratios_of(s.baseline, s.candidate, rounds_of(s)) for s in samples]
        found = [rounds_interval(list(chain(*each))) if all(each) else None]
    reached = [max(i.high, 1 / i.low) - 1 if i else UNKNOWN for i in found]
    return round(max(reached, default=0.0), 4)
