"""Adds what measuring runs give to evidence, a round at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from wiki_tools.ledger import Evidence, Measured
from wiki_tools.measure import BUSY, Comparison, add_round
from wiki_tools.measure.rounds import rounds_of
from wiki_tools.protocol import Outcome, Samples, Status
from wiki_tools.runner.moment import now
from wiki_tools.stats import FEWEST_ROUNDS

SPARE = 2
"""More rounds that are tried where other programs were in the way, or a process ended."""


FEWEST_PAIRS = 3
"""Of a round that is one of several: it gives one ratio, and no interval of its own."""
LONG = 5.0
"""Seconds of a program, as `torch.compile` takes, from which on `FEWEST_ROUNDS` have to do."""


def rounds_for(found: Evidence, rounds: int) -> int:
    """Say how many of `rounds` a snippet gets: each runs all of its program again."""
    return min(rounds, FEWEST_ROUNDS) if found.outcome.seconds > LONG else rounds


def unmeasured(
    planned: Iterable[Comparison], found: Evidence, rounds: int, oldest: str = ""
) -> tuple[Comparison, ...]:
    """Pick the comparisons that lack samples, or rounds of them, or calm."""
    rounds = rounds_for(found, rounds)
    done = {m.digest for m in found.measured if m.recorded >= oldest and _is_done(m, rounds)}
    return tuple(c for c in planned if c.digest not in done)


def _is_done(measured: Measured, rounds: int) -> bool:
    samples = measured.samples
    if samples.invalid:
        return True
    if samples.busy > BUSY:
        return False  # decides nothing
    if samples.metric != "time":
        return True
    if rounds == 1 and samples.rounds:  # begun when more were asked for
        return len(samples.rounds) >= FEWEST_ROUNDS
    return len(rounds_of(samples)) >= rounds


def rounds_known(comparisons: Iterable[Comparison], found: Evidence) -> int:
    """Count the rounds that the furthest of them has."""
    digests = {c.digest for c in comparisons}
    many = [len(rounds_of(m.samples)) for m in found.measured if m.digest in digests]
    return max(many, default=0)


def rounds_lacking(
    comparisons: Iterable[Comparison], found: Evidence, rounds: int, oldest: str = ""
) -> int:
    """Count the rounds that whichever has the fewest lacks; busy and old ones are taken anew."""
    calm = {
        m.digest: len(rounds_of(m.samples))
        for m in found.measured
        if m.samples.busy <= BUSY and m.recorded >= oldest
    }
    rounds = rounds_for(found, rounds)
    timed = (c.digest for c in comparisons if c.pairing.metric == "time")
    return max((rounds - calm.get(digest, 0) for digest in timed), default=1)


def is_again(
    comparisons: Iterable[Comparison], found: Evidence, rounds: int, oldest: str = ""
) -> bool:
    """Say whether each of them has a calm round already."""
    return rounds_lacking(comparisons, found, rounds, oldest) < rounds_for(found, rounds)


def with_round(
    found: Evidence,
    comparisons: Sequence[Comparison],
    outcome: Outcome,
    floor: float,
    rounds: int = 1,
    oldest: str = "",
) -> Evidence:
    """Add what a measuring run gave; what it could not time is kept as invalid, with the reason.

    Args:
        found: what is known of the snippet.
        comparisons: those that the run was to time.
        outcome: of the run.
        floor: share by which identical code differs.
        rounds: how many there are to be; of one, nothing is joined.
        oldest: what was measured before is not joined with this round.
    """
    given = {(s.against, s.size, s.metric): s for s in outcome.samples}
    new = {(c.pairing.against, c.pairing.size, c.pairing.metric) for c in comparisons}
    old = [(m.samples.against, m.samples.size, m.samples.metric) for m in found.measured]
    known = {m.digest: m.samples for m in found.measured if m.recorded >= oldest}
    rows = [m for m, place in zip(found.measured, old, strict=True) if place not in new]
    for comparison in comparisons:
        pairing = comparison.pairing
        samples = given.get((pairing.against, pairing.size, pairing.metric)) or Samples(
            against=pairing.against,
            size=pairing.size,
            metric=pairing.metric,
            invalid=f"{outcome.status.words} while measuring: {outcome.message}",
            deaths=int(outcome.status in (Status.CRASHED, Status.TIMED_OUT)),
        )
        if pairing.metric == "time":
            samples = replace(samples, floor=floor)
            if rounds > 1:
                planned = rounds_for(found, rounds)
                samples = _joined(known.get(comparison.digest), samples, planned)
        rows.append(Measured(digest=comparison.digest, samples=samples, recorded=now()))
    where = outcome.environment or found.environment  # what numbers were seen on is what counts
    return replace(found, measured=tuple(rows), environment=where)


def _joined(known: Samples | None, new: Samples, rounds: int) -> Samples:
    """Put a round behind those that are known; of busy ones no more than are asked for.

    They decide nothing, and evidence would grow with each run on such a machine. A process that
    ends where others did not may have met a full machine: only a second one is the snippet's.
    """
    if known is None or known.invalid:
        return replace(add_round(known, new), planned=rounds)
    if new.invalid and new.deaths and not known.deaths:
        return replace(known, planned=rounds, deaths=1)
    if new.invalid and new.deaths:
        new = replace(new, invalid=f"{new.invalid}, in a second round as well", deaths=2)
    enough = len(rounds_of(known)) >= rounds and min(known.busy, new.busy) > BUSY
    joined = known if enough and not new.invalid else add_round(known, new)
    return replace(joined, planned=rounds, deaths=max(known.deaths, new.deaths))
