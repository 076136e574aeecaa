"""Keeps what was measured before, in a line each."""

from dataclasses import replace

from wiki_tools.ledger.types import Evidence, Measured, Past
from wiki_tools.measure import summarize
from wiki_tools.measure.rounds import rounds_of

MOST = 200
"""Measurements that are kept of a snippet, the newest: two years of one a week, of two kinds."""


def past_of(row: Evidence, measured: Measured) -> Past | None:
    """Put a measurement into a line; None where it gave no ratio, or has rounds to come."""
    seen = summarize(measured.samples)
    if seen.ratio is None or seen.rounds < seen.planned:
        return None
    versions = {name: getattr(row.environment, name) for name in ("python", "torch", "jax")}
    return Past(
        digest=measured.digest,
        against=seen.against,
        size=seen.size,
        metric=seen.metric,
        ratio=(seen.ratio.estimate, seen.ratio.low, seen.ratio.high),
        recorded=measured.recorded,
        commit=row.commit,
        versions={name: version for name, version in versions.items() if version},
        busy=seen.busy,
    )


def with_past(row: Evidence, known: Evidence | None) -> Evidence:
    """Add to a row what its predecessor measured and it does not hold itself.

    What was put back into the row since is no past.
    """
    if known is None or known is row:
        return row
    gone = [m for m in known.measured if not any(_holds(new, m) for new in row.measured)]
    told = (*known.past, *row.past, *(past_of(known, m) for m in gone))
    past = {_place(p): _short(p) for p in told if p}
    for held in filter(None, (past_of(row, m) for m in row.measured)):
        if (before := past.get(_place(held))) and before.ratio == _short(held).ratio:
            del past[_place(held)]
    return replace(row, past=tuple(past[place] for place in sorted(past))[-MOST:])


def _place(past: Past) -> tuple[str, str, str, str]:
    return past.recorded, past.against, past.size, past.metric


def _holds(new: Measured, old: Measured) -> bool:
    """Whether a measurement is another, or has all of its rounds and goes on from them."""
    if new.digest != old.digest or new.recorded == old.recorded:
        return new.digest == old.digest
    pairs = len(old.samples.baseline)
    return len(rounds_of(old.samples)) <= len(new.samples.rounds) and (
        new.samples.baseline[:pairs] == old.samples.baseline
        and new.samples.candidate[:pairs] == old.samples.candidate
    )


def _short(past: Past) -> Past:
    """With as many digits as a file needs; what is measured still is told by all of them."""
    estimate, low, high = (float(f"{value:.5g}") for value in past.ratio)
    return replace(past, ratio=(estimate, low, high))
