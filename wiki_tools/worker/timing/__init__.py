"""Times two programs against each other, and first makes sure that this is fair."""

import gc
import os
import random
import time
from collections.abc import Iterator, Sequence

from wiki_tools.protocol import Job, Pairing, Samples
from wiki_tools.worker.state import set_threads
from wiki_tools.worker.timing.conditions import note_conditions
from wiki_tools.worker.timing.crew import Crew, enlist, recruit
from wiki_tools.worker.timing.device import Device, find_device
from wiki_tools.worker.timing.others import Others, interruptions, willing_seconds
from wiki_tools.worker.timing.results import Agreement, compare
from wiki_tools.worker.timing.sampling import PATIENCE, Clock, Count, Taken, take_samples
from wiki_tools.worker.timing.settings import Settings, put_settings, take_settings
from wiki_tools.worker.timing.side import Machine, MakeNamespace, Side, UnfairError
from wiki_tools.worker.timing.turns import waits_busily

# Taken before any page's code runs, which may replace `time.perf_counter`.
CLOCK: Clock = time.perf_counter
CPU_CLOCK: Clock = willing_seconds

BUSY = 0.75
"""Share of its time that a baseline works, at least, where a candidate works all of it."""
WORKS = 0.9
"""A candidate that works for a smaller share of its time waits as well."""
SEEN = 3
"""So many times faster is a call on inputs that it knows, where it keeps its answers."""
CALM = 0.2
"""Cores that other programs may use before a timing is done again."""
TRIES = 2
FRESH = 6
"""Sets of inputs, until a first call on one of them is fast, or slow and nothing interrupts it."""
CHECKED = 4
"""Copies whose results are compared again after the timing, as far as an eighth of the budget
lasts: each does its set-up anew."""
PEAKS = 6
"""Calls whose peak memory is taken: the fewest that have an interval."""


def time_pairings(
    job: Job,
    make_namespace: MakeNamespace,
    clock: Clock = CLOCK,
    cpu_clock: Clock = CPU_CLOCK,
    interrupted: Count = interruptions,
    device: Device | None = None,
    settings: Settings | None = None,
) -> Iterator[Samples]:
    """Time a job's pairings, one after the other.

    Nothing that a program does comes out as an exception: what is not fair is `invalid`.

    Args:
        job: its pairings, device, threads, budget and seed hold.
        make_namespace: gives a fresh namespace for cells.
        clock: seconds of real time.
        cpu_clock: seconds that processors worked for this process, or that it queued for one.
        interrupted: counts how often others got a processor instead.
        device: where the pairings run; None is the job's own.
        settings: those of the process before any page's code ran in it; None is those of now.
    """
    machine = Machine(
        make_namespace=make_namespace,
        clock=clock,
        cpu_clock=cpu_clock,
        interruptions=interrupted,
        device=device or find_device(job.device),
        threads=job.threads,
        seed=job.seed,
        settings=take_settings() if settings is None else settings,
    )
    for pairing in job.pairings:
        try:
            yield _compete(pairing, job, machine)
        except UnfairError as unfair:
            yield Samples(
                against=pairing.against,
                size=pairing.size,
                metric=pairing.metric,
                threads=job.threads,
                invalid=str(unfair),
            )
        finally:
            set_threads(job.threads)
            put_settings(machine.settings)


def _compete(pairing: Pairing, job: Job, machine: Machine) -> Samples:
    order = random.Random(job.seed)
    baseline, candidate = enlist(pairing, machine, order, last=job.seed % 2 == 1)
    if baseline.threads != candidate.threads:
        counts = f"baseline {baseline.threads}, candidate {candidate.threads}"
        told = f"the sides run with different numbers of threads: {counts}"
        raise UnfairError(f"{told}; give both as many, or leave it to whoever runs them")
    set_threads(baseline.threads)
    try:
        before = _agree(baseline, candidate, pairing)
    except UnfairError:
        candidate.check_threads()  # one may still have to write what is missing: that says more
        raise
    taken, busy, ours, theirs = _take_quietly(baseline, candidate, pairing, job, order)
    conditions = note_conditions(ours, theirs) if job.device != "cpu" else None
    copies = list(zip(ours.sides, theirs.sides, strict=True))
    again = _agree_still(copies, pairing, taken, job, machine)
    return Samples(
        against=pairing.against,
        size=pairing.size,
        metric=pairing.metric,
        baseline=taken.baseline,
        candidate=taken.candidate,
        repeats=taken.repeats,
        first_call=(baseline.first_call, candidate.first_call),
        threads=baseline.threads,
        max_error=max(found.error for found in (before, *(found for found, _ in again))),
        tolerance=before.tolerance,
        fresh=all(fresh for _, fresh in again) if job.checks else None,
        stopped=taken.stopped,
        interrupted=taken.interrupted,
        busy=round(busy, 2),
        conditions=conditions,
    )


def _take_quietly(
    baseline: Side, candidate: Side, pairing: Pairing, job: Job, order: random.Random
) -> tuple[Taken, float, Crew, Crew]:
    """Time once more where other programs got in the way, and keep the quieter samples.

    Returns:
        The samples, the cores that others used meanwhile, and all copies of both sides.
    """
    machine = baseline.machine
    if pairing.metric == "memory":
        alone = [Crew(sides=(side,), order=order) for side in (baseline, candidate)]
        return _take_peaks(baseline, candidate), 0.0, alone[0], alone[1]
    ours, theirs = recruit(baseline, candidate, job.budget / 4, machine.clock, order)
    set_threads(baseline.threads)
    takes: list[tuple[Taken, float]] = []
    waits = 0.0
    while len(takes) < TRIES and (not takes or takes[-1][1] > CALM or waits):
        others = Others(threads=baseline.threads, cores=os.cpu_count() or 1)
        takes.append((_take(ours, theirs, order, job, machine), others.taken()))
        waits = _waits(ours, theirs, machine)
    if waits:  # of all takes: a host that stands still for once is no baseline that sleeps
        told = f"the baseline waits {waits:.0%} of its time instead of working"
        raise UnfairError(f"{told}: only work can be saved; take out what it waits for")
    taken, busy = min(takes, key=lambda take: take[1])
    return taken, busy, ours, theirs


def _take(ours: Crew, theirs: Crew, order: random.Random, job: Job, machine: Machine) -> Taken:
    gc.collect()
    gc.disable()
    try:
        return take_samples(
            ours,
            theirs,
            budget=job.budget,
            clock=machine.clock,
            order=order,
            interruptions=machine.interruptions,
            fewest=job.fewest,
            cached=not machine.device.in_use,
        )
    finally:
        gc.enable()


def _take_peaks(baseline: Side, candidate: Side) -> Taken:
    pairs = [(baseline.peak(), candidate.peak()) for _ in range(PEAKS)]
    for side, peaks in zip((baseline, candidate), zip(*pairs, strict=True), strict=True):
        if not min(peaks):
            raise UnfairError(f"no memory that the {side.name} allocates can be counted")
    return Taken(
        baseline=tuple(float(b) for b, _ in pairs),
        candidate=tuple(float(c) for _, c in pairs),
        repeats=(1, 1),
        stopped="narrow",
    )


def _waits(baseline: Crew, candidate: Crew, machine: Machine) -> float:
    """Give the share of its time that a baseline waits whose candidate works; 0 where it works."""
    busy, theirs = baseline.busy(), candidate.busy()
    if busy is None or theirs is None:
        return 0.0
    if machine.device.in_use and not waits_busily(machine):
        return 0.0  # who waits for a card and who sleeps look alike
    theirs = min(1.0, theirs)
    # Where the candidate waits as well, waiting is what both are about.
    return 1 - busy if theirs > WORKS and busy < BUSY * theirs else 0.0


def _agree(baseline: Side, candidate: Side, pairing: Pairing, when: str = "") -> Agreement:
    """Compare both results: the names that both sides give, else the last of each."""
    names, ours = baseline.results()
    others, theirs = candidate.results()
    shared = [name for name in names if name in theirs]
    found = compare(
        [leaf for name in shared or names[-1:] for leaf in ours[name]],
        [leaf for name in shared or others[-1:] for leaf in theirs[name]],
        pairing.coarser,
    )
    if found.problem:
        raise UnfairError(when + found.problem)
    return found


def _agree_still(
    copies: Sequence[tuple[Side, Side]], pairing: Pairing, taken: Taken, job: Job, machine: Machine
) -> list[tuple[Agreement, bool]]:
    """Compare some copies again after the timing, and one at least."""
    if not job.checks:
        if taken.repeats != (1, 1):  # a call's random numbers are those after the calls before it
            for side in copies[0]:
                side.call()
        return [(_agree(*copies[0], pairing, "after the timing "), False)]
    found: list[tuple[Agreement, bool]] = []
    start = machine.clock()
    for pair in copies[:CHECKED]:
        if found and machine.clock() - start >= job.budget / 8:
            break
        found.append(_agree_again(*pair, pairing, taken, job))
    return found


def _agree_again(
    baseline: Side, candidate: Side, pairing: Pairing, taken: Taken, job: Job
) -> tuple[Agreement, bool]:
    """Compare once more after the timing, and on inputs that no cache has seen.

    Returns:
        How far they agree, and whether there were such inputs: a set-up that reads a file or has
        a seed of its own gives the same ones again, and a call of minutes is not made again.
    """
    if pairing.metric == "time":
        slow = min(taken.baseline) > PATIENCE * job.budget and taken.repeats == (1, 1)
        if slow:
            return _agree(baseline, candidate, pairing, "after the timing "), False
    if taken.repeats != (1, 1):  # else what it holds is that of one call
        baseline.call()
        candidate.call()
    after = _agree(baseline, candidate, pairing, "after the timing ")
    _, stale = baseline.results()
    if not (baseline.freshen() and candidate.freshen()):
        return after, False
    baseline.call()
    unseen = candidate.sample(1)
    _, fresh = baseline.results()
    known = [leaf for part in stale.values() for leaf in part]
    new = [leaf for part in fresh.values() for leaf in part]
    if not compare(known, new).problem:
        return after, False
    found = _agree(baseline, candidate, pairing, "on other inputs ")
    if pairing.metric == "time":
        _refuse_cached(candidate, unseen, min(taken.baseline))
    return max(after, found, key=lambda agreement: agreement.error), True


def _refuse_cached(candidate: Side, unseen: float, baseline: float) -> None:
    """Refuse a candidate that keeps its answers: on other inputs a call takes as long as ever.

    A first call is slower for other reasons too (what it needs lies in no cache of the processor),
    but then seldom as slow as the baseline, and the next call on the same inputs is not faster.
    What interrupts a call only adds to it: one that is fast enough has kept nothing, whatever ran
    in its midst, and one that is slow tells once nothing did, or where all of them are.

    Args:
        candidate: its inputs are other ones than while it was timed.
        unseen: seconds of its first call on them.
        baseline: seconds of the baseline's fastest call.
    """
    again = candidate.sample(1)
    for seeds in range(2, 2 + FRESH):
        if unseen <= max(SEEN * again, baseline / 2) or not candidate.freshen(seeds):
            return
        before = candidate.machine.interruptions()
        unseen, after = candidate.sample(1), candidate.machine.interruptions()
        again = candidate.sample(1)
        if before == after:
            break
    if unseen > max(SEEN * again, baseline / 2):
        told = f"{unseen:.1g} s on others, {again:.1g} s after that"
        raise UnfairError(f"the candidate is fast only on inputs that it has seen: {told}")
