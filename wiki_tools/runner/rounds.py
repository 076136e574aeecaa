"""Adds what measuring runs give to evidence, a round at a time."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from wiki_tools.claims import Claim
from wiki_tools.environment import folder_name
from wiki_tools.ledger import Evidence, Measured
from wiki_tools.measure import BUSY, Comparison, add_round, summarize
from wiki_tools.measure.rounds import begun, first_rounds, rounds_of
from wiki_tools.protocol import Outcome, Samples, Status
from wiki_tools.runner.moment import now
from wiki_tools.stats import FEWEST_ROUNDS
from wiki_tools.verdicts import Judgement, claims_on, judge

SPARE = 2
"""More rounds that are tried where other programs were in the way, or a process ended."""


FEWEST_PAIRS = 3
"""Of a round that is one of several: it gives one ratio, and no interval of its own."""
LONG = 5.0
"""Seconds of a program, as `torch.compile` takes, from which on `FEWEST_ROUNDS` have to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """How many rounds a snippet's comparisons get, and which lack some."""

    found: Evidence
    """What is known of the snippet."""
    asked: int
    """The setting `rounds`; of one, nothing is joined."""
    oldest: str = ""
    """What was measured before counts as not there."""
    claims: tuple[Claim, ...] = ()
    """What the snippet's fence claims."""

    @property
    def first(self) -> int:
        """Rounds that each of its comparisons gets: each runs all of its program again."""
        long = self.found.outcome.seconds > LONG
        return min(self.asked, FEWEST_ROUNDS) if long else self.asked

    def unmeasured(self, planned: Iterable[Comparison]) -> tuple[Comparison, ...]:
        """Pick the comparisons that lack samples, or rounds of them, or calm."""
        known = self._known()
        return tuple(c for c in planned if not self._is_done(c, known.get(c.digest)))

    def _is_done(self, comparison: Comparison, samples: Samples | None) -> bool:
        if samples is None:
            return False
        if samples.invalid:
            return True
        if samples.busy > BUSY:
            return False  # decides nothing
        if samples.metric != "time":
            return True
        if self.asked == 1 and samples.rounds:  # begun when more were asked for
            return len(samples.rounds) >= max(begun(samples), FEWEST_ROUNDS)
        return len(rounds_of(samples)) >= self._wanted(comparison, samples)

    def _wanted(self, comparison: Comparison, samples: Samples | None) -> int:
        """Count the rounds that a comparison is to have: as many again where they leave it open.

        Looked at twice only, after the first rounds and at the end: an interval that is looked
        at until it says something covers less than promised, and of two looks each misses a
        claim's edge in at most 5%.
        """
        if self.asked == 1 or samples is None or samples.busy > BUSY:
            return self.first
        if _count(samples) < self.first or not self._is_open(comparison, samples):
            return max(begun(samples), self.first)  # who began more looks at their end
        return max(begun(samples), 2 * self.first)

    def are_open(self, comparisons: Iterable[Comparison]) -> bool:
        """Say whether the first rounds of one of them have left a claim open."""
        calm = self._calm()
        return any(self._wanted(c, calm.get(c.digest)) > self.first for c in comparisons)

    def _is_open(self, comparison: Comparison, samples: Samples) -> bool:
        seen = summarize(first_rounds(samples, self.first))
        return any(
            judge(claim, seen, self.found.environment).judgement is Judgement.INCONCLUSIVE
            for claim in claims_on(comparison, self.claims)
        )

    def lacking(self, comparisons: Iterable[Comparison]) -> int:
        """Count the rounds that whichever has the fewest lacks; busy and old ones count as none."""
        calm = self._calm()
        timed = ((c, calm.get(c.digest)) for c in comparisons if c.pairing.metric == "time")
        return max((self._wanted(c, s) - _count(s) for c, s in timed), default=1)

    def is_again(self, comparisons: Iterable[Comparison]) -> bool:
        """Say whether each of them has a calm round already."""
        calm = self._calm()
        timed = [calm.get(c.digest) for c in comparisons if c.pairing.metric == "time"]
        return bool(timed) and all(map(_count, timed))

    def draws_check(self, comparisons: Iterable[Comparison]) -> bool:
        """Draw whether this round compares results on inputs never seen, as one of a few does.

        Each of those to come is as likely as the others, so that no page can be honest in the
        one that looks and lie in the rest. The comparison that ends first decides how many come:
        none ends without a look.
        """
        calm = self._calm()
        timed = [(c, calm.get(c.digest)) for c in comparisons if c.pairing.metric == "time"]
        unseen = [c for c, s in timed if s is None or s.fresh is None]
        if timed and not unseen:
            return False
        return secrets.randbelow(max(1, min((self.lacking([c]) for c in unseen), default=1))) == 0

    def _known(self) -> dict[str, Samples]:
        """Give the samples that are not too old."""
        return {digest: m.samples for digest, m in self._rows().items()}

    def _rows(self) -> dict[str, Measured]:
        """Give what was measured by now and is not too old.

        What lacks rounds is too old after a day: of a machine as it is today and as it was in
        spring, rounds make no one measurement.
        """
        yesterday = now(days_ago=1)
        return {
            m.digest: m
            for m in self.found.measured
            if m.recorded >= self.oldest and (m.recorded >= yesterday or not self._lacks(m.samples))
        }

    def _lacks(self, samples: Samples) -> bool:
        timed = samples.metric == "time" and not samples.invalid and self.asked > 1
        return timed and _count(samples) < max(begun(samples), self.first)

    def _calm(self) -> dict[str, Samples]:
        """Give what of it decides something."""
        return {digest: s for digest, s in self._known().items() if s.busy <= BUSY}

    def known(self, comparisons: Iterable[Comparison]) -> int:
        """Count the rounds that the furthest of them has."""
        digests = {c.digest for c in comparisons}
        return max(
            (_count(m.samples) for m in self.found.measured if m.digest in digests), default=0
        )

    def joined(self, comparisons: Sequence[Comparison], outcome: Outcome, floor: float) -> Evidence:
        """Add what a measuring run gave; what it could not time is invalid, and why.

        Args:
            comparisons: those that the run was to time.
            outcome: of the run.
            floor: share by which identical code differs.
        """
        found = self.found
        given = {(s.against, s.size, s.metric): s for s in outcome.samples}
        new = {(c.pairing.against, c.pairing.size, c.pairing.metric) for c in comparisons}
        old = [(m.samples.against, m.samples.size, m.samples.metric) for m in found.measured]
        before = self._rows()
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
            known, recorded = before.get(comparison.digest), now()
            if pairing.metric == "time":
                samples = replace(samples, floor=floor)
                if self.asked > 1:
                    samples = self._with_round(known.samples if known else None, samples)
                    samples = replace(samples, planned=self._wanted(comparison, samples))
                if known and _times(samples) == _times(known.samples):
                    recorded = known.recorded  # the new round was set aside
            rows.append(Measured(digest=comparison.digest, samples=samples, recorded=recorded))
        where = outcome.environment or found.environment  # what numbers were seen on is what counts
        return replace(found, measured=tuple(rows), environment=where)

    def _with_round(self, known: Samples | None, new: Samples) -> Samples:
        """Put a round behind those that are known; of busy ones no more than are asked for.

        They decide nothing, and evidence would grow with each run on such a machine. A process
        that ends where others did not may have met a full machine: only a second one is the
        snippet's.
        """
        if known is None or known.invalid:
            return add_round(known, new)
        if new.invalid and new.deaths and not known.deaths:
            return replace(known, deaths=1)
        if new.invalid and new.deaths:
            new = replace(new, invalid=f"{new.invalid}, in a second round as well", deaths=2)
        enough = _count(known) >= self.first and min(known.busy, new.busy) > BUSY
        joined = known if enough and not new.invalid else add_round(known, new)
        return replace(joined, deaths=max(known.deaths, new.deaths))


def _count(samples: Samples | None) -> int:
    return 0 if samples is None else len(rounds_of(samples))


def with_calm(found: Evidence, before: Evidence | None) -> Evidence:
    """Put back what a calm machine had measured, for what this run could measure only a busy one.

    Its date stays with it. What ran, its versions and the kind of machine must be the same.
    """
    if before is None or not _ran_alike(found, before):
        return found
    calm = {m.digest: m for m in before.measured if _decides(m.samples)}
    rows = [m if m.samples.busy <= BUSY else calm.get(m.digest, m) for m in found.measured]
    return replace(found, measured=tuple(rows))


def _ran_alike(one: Evidence, other: Evidence) -> bool:
    return (one.digest, one.resolved, folder_name(one.environment)) == (
        other.digest,
        other.resolved,
        folder_name(other.environment),
    )


def _decides(samples: Samples) -> bool:
    return samples.busy <= BUSY and len(samples.rounds) >= samples.planned


def _times(samples: Samples) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """What tells whether samples are still those of an earlier run."""
    return samples.baseline, samples.candidate, samples.busy
