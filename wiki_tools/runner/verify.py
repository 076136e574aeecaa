"""Decides what must run, runs it, and records evidence as each snippet finishes."""

import contextlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_not

from wiki_tools.config import Config
from wiki_tools.environment import Environment, resolve_versions
from wiki_tools.ledger import Evidence, Ledger, Recorder, evidence_file, make_folder
from wiki_tools.measure import Comparison
from wiki_tools.protocol import Job, Outcome, Pairing, Status, times_itself
from wiki_tools.runner import Executor
from wiki_tools.runner.able import not_run, runnable, seconds_of
from wiki_tools.runner.card import check_card
from wiki_tools.runner.changed import Here, find_change, is_measured_here
from wiki_tools.runner.compiled import is_kept
from wiki_tools.runner.moment import now
from wiki_tools.runner.mutate import Mutated, Untried, find_untried, gather_trials, make_trials
from wiki_tools.runner.noise import noise_floor, noise_job
from wiki_tools.runner.planned import Planned
from wiki_tools.runner.rounds import FEWEST_PAIRS, SPARE, with_calm
from wiki_tools.runner.step import Step, Watch
from wiki_tools.snippets import (
    Program,
    Snippet,
    digest_now,
    explain_guess,
    is_worth_trying,
    module_folders,
)
from wiki_tools.snippets.imports import frameworks_imported


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one call of `verify` did."""

    environment: Environment
    ran: tuple[str, ...]
    """Ids of the snippets that ran, or were found not to."""
    measured: int
    """Comparisons that were timed."""
    unchanged: int
    """Snippets whose evidence still stands."""
    kept: int = 0
    """Comparisons that a busy machine measured again: what a calm one had found stands."""
    moved: tuple[str, ...] = ()
    """Ids of those whose modules were edited meanwhile: what they showed is not kept."""
    mutated: tuple[Mutated, ...] = ()
    """What became of the mutants of patterns that pass, where these were asked for."""
    untried: tuple[Untried, ...] = ()
    """The other patterns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Runs snippets through an executor and keeps what they show."""

    config: Config
    environment: Environment
    folder: str
    """Folder below `config.evidence` that this run reads and writes."""
    executor: Executor
    watch: Watch = lambda _step: None
    threads: int = 1
    """Of a measurement, which has the machine to itself."""
    machines: int = 1
    """On which measurements run."""
    measure: bool = True
    mutate: bool = False
    """Run patterns with one thing changed as well, to see whether their checks notice."""
    commit: Callable[[], str] = lambda: ""
    """Gives that of the vault, for the record; empty where its pages have changes of their own."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Snippet's id to the seconds that it was taken for, where this run is a share of more."""
    oldest: str = ""
    """What was measured before this time (UTC) is measured again; empty: nothing is too old."""
    resolve: Callable[[tuple[str, ...]], Mapping[str, str]] = resolve_versions
    """Says which versions there are of some packages, and of Python."""

    def verify(self, snippets: Sequence[Snippet], ledger: Ledger, every: bool = False) -> Run:
        """Run and measure what has changed since its evidence.

        Evidence is written as each snippet finishes, so that an interrupted run goes on
        where it stopped. Pages whose evidence a newer version wrote are left as they are.

        Args:
            snippets: in the order of pages; siblings of a page must be among them.
            ledger: what is known already.
            every: run even what has not changed.
        """
        pages = _by_page(s for s in snippets if not self._is_newer(s.page, ledger))
        todo = [s for page in pages.values() for s in page]
        evidence = {s.id: row for s in todo if (row := ledger.find(self.folder, s.id))}
        before = dict(evidence)
        stale = [s for s in todo if every or not self.stands(s, evidence.get(s.id))]
        if stale:
            check_card(self.executor, self.environment)
        took = {s.id: evidence[s.id].outcome.seconds for s in stale if s.id in evidence}
        self.watch(Step(kind="ran", total=len(stale), weights=took))
        left, known = Counter(s.page for s in stale), {s.id: s for s in stale}
        moved: list[str] = []
        if stale:
            with contextlib.suppress(OSError):  # is told when something is to be written
                make_folder(self.config.evidence, self.folder)  # a sandbox hides what is there
        with Recorder(self.config.evidence, self.folder) as recorder:
            for found in self.run(stale, evidence):
                page = known[found.snippet].page
                left[page] -= 1
                if self._has_moved(known[found.snippet]):
                    moved.append(found.snippet)
                    evidence.pop(found.snippet, None)
                else:
                    evidence[found.snippet] = found
                    names = [s.id for s in pages[page]]
                    recorder.add(page, [found], names, final=not left[page])
                self.watch(Step(kind="ran", snippet=found.snippet, status=found.outcome.status))
            measured = self._measure(pages, evidence, recorder) if self.measure else 0
            kept = self._keep_calm(pages, evidence, before, recorder)
        mutated, untried = self._mutate(todo, evidence) if self.mutate else ((), ())
        return Run(
            environment=self.environment,
            ran=tuple(s.id for s in stale),
            measured=measured,
            unchanged=len(todo) - len(stale),
            kept=kept,
            moved=tuple(moved),
            mutated=mutated,
            untried=untried,
        )

    def _mutate(
        self, snippets: Sequence[Snippet], evidence: Mapping[str, Evidence]
    ) -> tuple[tuple[Mutated, ...], tuple[Untried, ...]]:
        patterns = [snippet for snippet in snippets if not snippet.role]
        jobs = {
            snippet.id: self._job(snippet, snippet.programs[row.choice], last=row)
            for snippet in patterns
            if (row := evidence.get(snippet.id))
            if row.outcome.status is Status.PASSED
        }
        trials = make_trials(jobs)
        self.watch(Step(kind="mutated", total=len(trials)))
        ended: dict[str, Status] = {}
        for outcome in self.executor.run([trial.job for trial in trials]):
            ended[outcome.snippet] = outcome.status
            self.watch(Step(kind="mutated", snippet=outcome.snippet))
        tried = {trial.snippet for trial in trials}
        return gather_trials(trials, ended), find_untried(patterns, evidence, tried)

    def stands(self, snippet: Snippet, evidence: Evidence | None) -> bool:
        """Whether a snippet need not run again."""
        if evidence is None or find_change(snippet, evidence, self._here(snippet)):
            return False
        return not self.measure or is_measured_here(evidence, self.environment)

    def _has_moved(self, snippet: Snippet) -> bool:
        """Whether a module that it imports has been edited since its digest was taken."""
        now_there = digest_now(snippet.modules, self.config.root) if snippet.modules else ""
        return now_there != snippet.modules_digest

    def _here(self, snippet: Snippet) -> Here:
        return Here(
            environment=self.environment,
            versions=self.resolve(snippet.packages),
            timeout=self._timeout(snippet),
            memory=self.config.memory,
        )

    def _is_newer(self, page: str, ledger: Ledger) -> bool:
        return evidence_file(self.config.evidence, self.folder, page) in ledger.newer

    def run(
        self, snippets: Sequence[Snippet], known: Mapping[str, Evidence] | None = None
    ) -> Iterator[Evidence]:
        """Try each snippet's programs in turn until one passes; the first failure is told.

        `known` says how long each took the last time.
        """
        first: dict[str, tuple[int, Outcome]] = {}
        waiting = {s.id: s for s in snippets}
        for snippet in snippets:
            if (outcome := not_run(snippet, self.environment)) is not None:
                del waiting[snippet.id]
                yield self._evidence(snippet, 0, outcome)
        tries = {key: runnable(snippet) for key, snippet in waiting.items()}
        while waiting:
            jobs = [
                self._job(s, s.programs[tries[s.id][0]], last=(known or {}).get(s.id))
                for s in waiting.values()
            ]
            for outcome in self.executor.run(jobs):
                snippet = waiting[outcome.snippet]
                choice = tries[snippet.id].pop(0)
                told = first.setdefault(snippet.id, (choice, outcome))
                if not _is_own(snippet, told[1]) and _is_own(snippet, outcome):
                    told = first[snippet.id] = (choice, outcome)
                tried = snippet.programs[choice]
                tries[snippet.id] = [
                    other
                    for other in tries[snippet.id]
                    if is_worth_trying(snippet.programs[other], tried, outcome)
                ]
                if outcome.status is not Status.PASSED:
                    if tries[snippet.id]:
                        continue
                    choice, outcome = told[0], explain_guess(snippet.programs[told[0]], told[1])  # noqa: PLW2901
                del waiting[snippet.id]
                yield self._evidence(snippet, choice, outcome)

    def _measure(
        self,
        pages: Mapping[str, Sequence[Snippet]],
        evidence: dict[str, Evidence],
        recorder: Recorder,
    ) -> int:
        """Time what lacks samples; the executor sees that each comparison is alone.

        A round takes each once, so that others lie between the rounds of one.
        """
        rounds = Planned.of(self.config, pages, evidence, self.oldest, self.machines)
        first = todo = rounds.unmeasured()
        noise: list[Outcome] = []
        # No round of this run has the inputs of another one of it.
        begun = {key: rounds.of_snippet(key).known(row) for key, row in first.items()}
        tries, extended = rounds.lacking(todo) + SPARE, False
        for number in itertools.count():
            self.watch(rounds.step(todo, number, tries))
            jobs = [
                self._timing(rounds, key, row, number + begun[key]) for key, row in todo.items()
            ]
            noise += self._noise(jobs, seed=number)
            floor = noise_floor(noise)
            for outcome in self.executor.run(jobs):
                snippet = rounds.snippets[outcome.snippet]
                if not self._has_moved(snippet):
                    found = rounds.of_snippet(snippet.id).joined(todo[snippet.id], outcome, floor)
                    evidence[snippet.id] = found
                    names = [s.id for s in pages[snippet.page]]
                    recorder.add(snippet.page, [found], names, final=False)
                ended = len(todo[snippet.id])
                self.watch(Step(kind="measured", snippet=snippet.id, ended=ended))
            todo = rounds.unmeasured(todo) if self.config.rounds > 1 else {}
            if not extended and rounds.are_open(todo):
                extended, tries = True, tries + self.config.rounds
            if not todo or tries <= number + 1:
                break
        return sum(map(len, first.values()))

    def _keep_calm(
        self,
        pages: Mapping[str, Sequence[Snippet]],
        evidence: Mapping[str, Evidence],
        before: Mapping[str, Evidence],
        recorder: Recorder,
    ) -> int:
        """Leave what a calm machine measured where all that this run gave in its place is busy."""
        kept = 0
        for page, snippets in pages.items():
            names = [s.id for s in snippets]
            for found in [evidence[name] for name in names if name in evidence]:
                calm = with_calm(found, before.get(found.snippet))
                if count := sum(map(is_not, calm.measured, found.measured)):
                    kept += count
                    recorder.add(page, [calm], names, final=False)
        return kept

    def _timing(
        self, planned: Planned, key: str, comparisons: Sequence[Comparison], seed: int
    ) -> Job:
        """Make the job of a round; `seed` decides on its inputs."""
        snippet, rounds = planned.snippets[key], planned.of_snippet(key)
        job = self._job(snippet, snippet.programs[rounds.found.choice], comparisons)
        fewest = job.fewest if self.config.rounds == 1 else FEWEST_PAIRS
        job = replace(job, seed=seed, fewest=fewest, again=rounds.is_again(comparisons))
        # What is kept between rounds could tell a later one that the look is over.
        return replace(job, checks=is_kept(job) or rounds.draws_check(comparisons))

    def _noise(self, jobs: Sequence[Job], seed: int) -> list[Outcome]:
        """Measure identical code first: what differs there is noise everywhere in this round.

        An executor with several machines gives one job to each; the noisiest counts.
        """
        job = noise_job(jobs)
        each = [replace(job, seed=seed)] * self.machines if job else []
        ended = sorted(self.executor.run(each), key=lambda outcome: noise_floor([outcome]))
        return ended[-1:]

    def _timeout(self, snippet: Snippet) -> float:
        return seconds_of(snippet.fence.attributes.get("timeout", "")) or self.config.timeout

    def _job(
        self,
        snippet: Snippet,
        program: Program,
        comparisons: Sequence[Comparison] = (),
        last: Evidence | None = None,
    ) -> Job:
        timeout = self._timeout(snippet)
        pairings = tuple(c.pairing for c in comparisons)
        # What is timed has passed already; running it once more can take longer than the timing.
        cells = () if pairings else program.cells
        return Job(
            snippet=snippet.id,
            cells=cells,
            pairings=pairings,
            device=self.environment.device,
            frameworks=_preloaded(program, pairings),
            threads=self.threads if pairings or times_itself(program.cells) else 1,
            timeout=timeout + len(pairings) * (timeout + 5 * self.config.budget),
            memory=int(self.config.memory * (1 << 30)),
            budget=self.config.budget / self.config.rounds,
            raises=snippet.raises,
            prints=None if pairings else snippet.prints,
            expected=last.outcome.seconds if last else 0.0,
            folders=self._folders(snippet),
        )

    def _folders(self, snippet: Snippet) -> tuple[str, ...]:
        """Where its modules lie, if it imports any of the vault's."""
        if not snippet.modules:
            return ()
        return tuple(map(str, module_folders(self.config, snippet.path)))

    def _evidence(self, snippet: Snippet, choice: int, outcome: Outcome) -> Evidence:
        program = snippet.programs[choice]
        environment = outcome.environment or self.environment
        notes = (*outcome.notes, *program.notes)
        if program.retargeted and environment.device == "cpu":
            notes = (*notes, "retargeted")
        return Evidence(
            snippet=snippet.id,
            digest=snippet.digest,
            choice=choice,
            recorded=now(),
            commit=self.commit(),
            outcome=replace(outcome, notes=notes, samples=(), environment=None),
            context=program.context,
            environment=environment,
            resolved=self._resolved(snippet, environment),
            timeout=self._timeout(snippet),
            memory=self.config.memory,
            weight=self.weights.get(snippet.id, 0.0),
        )

    def _resolved(self, snippet: Snippet, environment: Environment) -> dict[str, str]:
        """The versions that a run had; where it ran elsewhere, as far as that place said."""
        versions = dict(self.resolve(snippet.packages))
        if environment != self.environment:
            said = {name: getattr(environment, name) for name in ("torch", "jax", "numpy")}
            versions |= {name: said[name] for name in versions.keys() & said.keys()}
        return versions


def _preloaded(program: Program, pairings: Sequence[Pairing]) -> tuple[str, ...]:
    """Name what a parent imports for a program, and for all that it is measured against."""
    sides = (side for pairing in pairings for side in (pairing.candidate, pairing.baseline))
    others = frameworks_imported(cell.code for side in sides for cell in side)
    return tuple(name for name in ("torch", "jax") if name in {*program.frameworks, *others})


def _is_own(snippet: Snippet, outcome: Outcome) -> bool:
    """Whether an outcome speaks of a line of the snippet's own fence."""
    return snippet.fence.line <= outcome.line < snippet.fence.line + snippet.fence.code.count("\n")


def _by_page(snippets: Iterable[Snippet]) -> dict[str, list[Snippet]]:
    pages: dict[str, list[Snippet]] = {}
    for snippet in snippets:
        pages.setdefault(snippet.page, []).append(snippet)
    return pages
