"""Runs patterns with one thing changed in each, to see whether their checks notice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from wiki_tools.protocol import Job, Status
from wiki_tools.snippets.mutants import Mutant, find_mutants

SLOWER = 10.0
"""A mutant may take so many times as long as its pattern, and `PATIENCE` seconds more."""
PATIENCE = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A mutant on its way."""

    snippet: str
    mutant: Mutant
    job: Job
    """Under a name of its own: what becomes of it is no evidence of the snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutated:
    """What became of the mutants of one snippet."""

    snippet: str
    tried: int
    unnoticed: tuple[Mutant, ...]
    """Those that passed all the same, in the order of the page."""


def make_trials(jobs: Mapping[str, Job]) -> tuple[Trial, ...]:
    """Make the mutants of jobs that pass; `jobs` are by snippet."""
    return tuple(
        Trial(snippet=name, mutant=mutant, job=_job(job, f"{name} change {number}", mutant))
        for name, job in jobs.items()
        for number, mutant in enumerate(find_mutants(job.cells), 1)
    )


def gather_trials(trials: Sequence[Trial], ended: Mapping[str, Status]) -> tuple[Mutated, ...]:
    """Say what became of each snippet's mutants; one with nothing to change is left out."""
    mutated: dict[str, list[Trial]] = {}
    for trial in trials:
        mutated.setdefault(trial.snippet, []).append(trial)
    return tuple(
        Mutated(
            snippet=name,
            tried=len(ours),
            unnoticed=tuple(t.mutant for t in ours if ended[t.job.snippet] is Status.PASSED),
        )
        for name, ours in mutated.items()
    )


def _job(job: Job, name: str, mutant: Mutant) -> Job:
    timeout = min(job.timeout, SLOWER * job.expected + PATIENCE)
    return replace(job, snippet=name, cells=mutant.cells, pairings=(), timeout=timeout)
