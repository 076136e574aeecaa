"""Runs patterns with one thing changed in each, to see whether their checks notice."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from wiki_tools.ledger import Evidence
from wiki_tools.protocol import Job, Status
from wiki_tools.snippets import Snippet
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Untried:
    """A pattern of which nobody knows whether its checks notice anything."""

    snippet: str
    path: str
    line: int
    reason: str


def find_untried(
    patterns: Sequence[Snippet], evidence: Mapping[str, Evidence], tried: Collection[str]
) -> tuple[Untried, ...]:
    """Say of each pattern that had no trial why."""
    return tuple(
        Untried(snippet=s.id, path=s.path, line=s.fence.line, reason=_reason(evidence.get(s.id)))
        for s in patterns
        if s.id not in tried
    )


def _reason(row: Evidence | None) -> str:
    if row is None:
        return "it did not run"
    if row.outcome.status is not Status.PASSED:
        return f"its run: {row.outcome.status.words}"
    return "nothing in it is an operator, a comparison, a number or an axis"


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
