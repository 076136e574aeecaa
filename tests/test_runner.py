"""What runs, what does not, and what is kept of it."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import FakeExecutor, make_outcome, make_snippet
from wiki_tools.config import MOST_ROUNDS, Config, read_config
from wiki_tools.environment import Environment
from wiki_tools.errors import UsageError
from wiki_tools.ledger import Ledger, Measured, write
from wiki_tools.measure import Comparison, summarize
from wiki_tools.measure.rounds import rounds_of
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Job, Outcome, Pairing, Samples, Status
from wiki_tools.report import EnvironmentReport, PageStatus, report_wiki
from wiki_tools.runner.able import not_run, seconds_of, unmet
from wiki_tools.runner.noise import NOISE, UNKNOWN, noise_floor, noise_job
from wiki_tools.runner.planned import Planned
from wiki_tools.runner.rounds import LONG, SPARE, Rounds
from wiki_tools.runner.step import Step
from wiki_tools.runner.verify import Run, Verifier
from wiki_tools.snippets import Snippet, extract_all
from wiki_tools.verdicts import Judgement

HERE = Environment(
    device="cpu", device_name="Test", processor="Test", cores=2, system="Test 1", python="3.11.7"
)
PAGE = """\
---
id: a
---
# A

### Pattern 1
```python speedup=1.2..9
total = 1 + 1
```
```python baseline
total = sum([1, 1])
```

### Pattern 2
```python
y = x.reshape(2, 4)
```

### Pattern 3
```python
print(nobody_knows)
```

### Pattern 4
```python no-run
launch()
```

### Pattern 5
```python needs=cuda
z = 1
```
"""
Answers = Callable[[Job], Outcome]


class Wiki:
    """A vault of one page that is verified again and again."""

    def __init__(self, root: Path, text: str = PAGE, rounds: int = 1) -> None:
        self.root = root
        self.rounds = rounds
        (root / "docs").mkdir(parents=True)
        self.write(text)

    def write(self, text: str) -> None:
        (self.root / "docs" / "a.md").write_text(text, encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        text = (self.root / "docs" / "a.md").read_text(encoding="utf-8")
        assert old in text
        self.write(text.replace(old, new))

    def snippets(self) -> tuple[Snippet, ...]:
        config = read_config(self.root / "docs")
        return extract_all(config, read_pages(config))

    def config(self) -> Config:
        return replace(read_config(self.root / "docs"), rounds=self.rounds)

    def verify(
        self, answers: Answers = make_outcome, *, every: bool = False
    ) -> tuple[Run, list[Job]]:
        executor = FakeExecutor(answers)
        config = self.config()
        verifier = Verifier(config=config, environment=HERE, folder="local", executor=executor)
        ledger = Ledger.read(config.evidence)
        run = verifier.verify(self.snippets(), ledger, every)
        return run, [job for job in executor.jobs if job.snippet != NOISE]

    def statuses(self) -> dict[str, Status]:
        ledger = Ledger.read(self.root / "evidence")
        return {
            s.id: e.outcome.status for s in self.snippets() if (e := ledger.find("local", s.id))
        }

    def judgements(self) -> list[Judgement]:
        """What is said of the claims of the page."""
        return [v.judgement for snippet in self.report().snippets for v in snippet.verdicts]

    def page_status(self) -> PageStatus:
        return self.report().status

    def report(self) -> EnvironmentReport:
        config = read_config(self.root / "docs")
        pages = read_pages(config)
        ledger = Ledger.read(config.evidence)
        (report,) = report_wiki(config, pages, self.snippets(), ledger)
        return report.environments[0]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki(tmp_path)


def test_every_snippet_is_accounted_for(wiki: Wiki) -> None:
    wiki.verify()
    assert wiki.statuses() == {
        "a#p01": Status.PASSED,
        "a#p01-baseline": Status.PASSED,
        "a#p02": Status.PASSED,
        "a#p03": Status.INCOMPLETE,
        "a#p04": Status.SKIPPED,
        "a#p05": Status.SKIPPED,
    }


def test_what_cannot_run_here_is_not_sent(wiki: Wiki) -> None:
    _, jobs = wiki.verify()
    assert {job.snippet for job in jobs} == {"a#p01", "a#p01-baseline", "a#p02"}


def test_evidence_names_the_machine_that_an_outcome_names(wiki: Wiki) -> None:
    there = replace(HERE, device_name="Another", processor="Another")

    def answer(job: Job) -> Outcome:
        return replace(make_outcome(job), environment=there if job.pairings else None)

    wiki.verify(answer)
    ledger = Ledger.read(wiki.root / "evidence")
    found = [ledger.find("local", f"a#p0{n}") for n in (1, 2)]
    assert [e and e.environment for e in found] == [there, HERE]
    assert [e and e.outcome.environment for e in found] == [None, None]


def test_an_unfilled_name_is_told_with_its_line(wiki: Wiki) -> None:
    wiki.verify()
    found = Ledger.read(wiki.root / "evidence").find("local", "a#p03")
    assert found is not None
    assert found.outcome.line == 21
    assert "nobody_knows (line 21)" in found.outcome.message


def test_nothing_runs_twice(wiki: Wiki) -> None:
    wiki.verify()
    run, jobs = wiki.verify()
    assert (run.ran, run.measured, jobs) == ((), 0, [])


def test_all_runs_and_measures_again_when_asked(wiki: Wiki) -> None:
    wiki.verify()
    run, jobs = wiki.verify(every=True)
    assert len(run.ran) == 6
    assert [job.snippet for job in jobs if job.pairings] == ["a#p01"]


def test_only_what_changed_runs(wiki: Wiki) -> None:
    wiki.verify()
    wiki.edit("x.reshape(2, 4)", "x.reshape(4, 2)")
    _, jobs = wiki.verify()
    assert [job.snippet for job in jobs] == ["a#p02"]


def test_a_changed_baseline_is_measured_anew(wiki: Wiki) -> None:
    wiki.verify()
    wiki.edit("sum([1, 1])", "sum([1, 1, 0])")
    run, jobs = wiki.verify()
    assert run.ran == ("a#p01-baseline",)
    assert [job.snippet for job in jobs if job.pairings] == ["a#p01"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("speedup=1.2..9", "speedup=3..4"), ("# A", "# Another title"), ("total = 1", "total  =  1")],
)
def test_claims_titles_and_layout_need_no_new_run(wiki: Wiki, old: str, new: str) -> None:
    wiki.verify()
    wiki.edit(old, new)
    assert wiki.verify()[1] == []


def test_a_changed_claim_is_judged_when_read(wiki: Wiki) -> None:
    wiki.verify()
    assert wiki.page_status() is PageStatus.PARTIAL
    wiki.edit("speedup=1.2..9", "speedup=3..4")
    assert wiki.page_status() is PageStatus.FAILING
    wiki.edit("speedup=3..4", "speedup=3..4 expect=refuted")
    assert wiki.page_status() is PageStatus.PARTIAL


def test_an_edited_pattern_is_outdated_until_it_ran(wiki: Wiki) -> None:
    wiki.verify()
    wiki.edit("x.reshape(2, 4)", "x.reshape(4, 2)")
    assert wiki.page_status() is PageStatus.OUTDATED
    wiki.verify()
    assert wiki.page_status() is PageStatus.PARTIAL


def failing(*snippets: str) -> Answers:
    def answer(job: Job) -> Outcome:
        status = Status.FAILED if job.snippet in snippets else Status.PASSED
        return make_outcome(job, status, "wrong")

    return answer


def test_a_failing_pattern_fails_its_page_and_is_not_measured(wiki: Wiki) -> None:
    run, _ = wiki.verify(failing("a#p01"))
    assert wiki.page_status() is PageStatus.FAILING
    assert run.measured == 0


def test_a_guess_that_fails_gives_way_to_the_next(wiki: Wiki) -> None:
    programs = next(s for s in wiki.snippets() if s.id == "a#p02").programs
    assert len(programs) > 1

    def answer(job: Job) -> Outcome:
        first = job.cells == programs[0].cells
        return make_outcome(job, Status.FAILED if first else Status.PASSED)

    wiki.verify(answer)
    found = Ledger.read(wiki.root / "evidence").find("local", "a#p02")
    assert found is not None
    assert (found.outcome.status, found.choice) == (Status.PASSED, 1)
    assert found.context == programs[1].context


def test_where_every_guess_fails_the_first_is_told(wiki: Wiki) -> None:
    def answer(job: Job) -> Outcome:
        return make_outcome(job, Status.FAILED, f"{len(job.cells[0].code)}")

    wiki.verify(answer)
    snippet = next(s for s in wiki.snippets() if s.id == "a#p02")
    found = Ledger.read(wiki.root / "evidence").find("local", "a#p02")
    assert found is not None
    assert found.choice == 0
    assert found.outcome.message == f"{len(snippet.programs[0].cells[0].code)}"


def test_what_hangs_is_not_tried_again(wiki: Wiki) -> None:
    _, jobs = wiki.verify(lambda job: make_outcome(job, Status.TIMED_OUT))
    assert [job.snippet for job in jobs].count("a#p02") == 1


def test_an_interrupted_run_keeps_what_had_finished(wiki: Wiki) -> None:
    def answer(job: Job) -> Outcome:
        if job.snippet == "a#p01":
            raise KeyboardInterrupt
        return make_outcome(job)

    with pytest.raises(KeyboardInterrupt):
        wiki.verify(answer)
    assert wiki.statuses()["a#p02"] is Status.PASSED
    _, jobs = wiki.verify()
    assert "a#p02" not in {job.snippet for job in jobs}


def test_a_comparison_that_crashes_is_invalid_and_not_tried_forever(wiki: Wiki) -> None:
    def answer(job: Job) -> Outcome:
        if job.pairings:
            return replace(make_outcome(job, Status.CRASHED, "signal 11"), samples=())
        return make_outcome(job)

    wiki.verify(answer)
    found = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert found is not None
    assert found.outcome.status is Status.PASSED
    assert "signal 11" in found.measured[0].samples.invalid
    assert wiki.verify()[1] == []


def test_samples_are_kept_as_they_were_taken(wiki: Wiki) -> None:
    wiki.verify()
    found = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert found is not None
    assert found.measured[0].samples.baseline == (2.0,) * 20


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        ("", ""),
        ("json", ""),
        ("cuda", "needs a CUDA device"),
        ("json,no_such_module", "needs no_such_module, which is not installed"),
        ("../evil", "needs ../evil, which is not installed"),
    ],
)
def test_needs_are_named(needs: str, reason: str) -> None:
    assert unmet(needs, HERE) == reason


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 0), ("2.5", 2.5), ("abc", 0), ("-1", 0), ("nan", 0), ("inf", 86400), ("1e308", 86400)],
)
def test_a_timeout_that_is_none_is_left_to_the_settings(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


def test_a_bad_timeout_does_not_stop_the_others(wiki: Wiki) -> None:
    wiki.edit("```python speedup=1.2..9", "```python speedup=1.2..9 timeout=abc")
    wiki.verify()
    assert wiki.statuses()["a#p01"] is Status.PASSED


# Noise


def test_identical_code_is_measured_before_anything_else(wiki: Wiki) -> None:
    executor = FakeExecutor(make_outcome)
    config = wiki.config()
    verifier = Verifier(config=config, environment=HERE, folder="local", executor=executor)
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    measured = [job for job in executor.jobs if job.pairings]
    assert measured[0].snippet == NOISE
    assert len(measured) > 1
    assert measured[0].threads == measured[1].threads
    count = len(executor.jobs)
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert len(executor.jobs) == count, "nothing to measure, and no noise either"


def test_the_noisiest_of_several_machines_counts(wiki: Wiki) -> None:
    spread = iter([1.01, 1.2, 1.05])

    def answer(job: Job) -> Outcome:
        outcome = make_outcome(job)
        if job.snippet != NOISE:
            return outcome
        (samples,) = outcome.samples
        one, other = (next(spread),) * 20, (1.0,) * 20
        return replace(outcome, samples=(replace(samples, baseline=one, candidate=other),))

    config = wiki.config()
    executor = FakeExecutor(answer)
    verifier = Verifier(
        config=config, environment=HERE, folder="local", executor=executor, machines=3
    )
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    assert {m.samples.floor for m in row.measured} == {0.2}


def test_evidence_keeps_the_noise_of_its_run(wiki: Wiki) -> None:
    def answer(job: Job) -> Outcome:
        outcome = make_outcome(job)
        if job.snippet != NOISE:
            return outcome
        (samples,) = outcome.samples
        return replace(outcome, samples=(replace(samples, baseline=(1.03,) * 10 + (0.96,) * 10),))

    wiki.verify(answer)
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    assert {m.samples.floor for m in row.measured} == {0.0417}


def test_noise_that_has_no_interval_hides_everything_below_twice(wiki: Wiki) -> None:
    few = Samples(against="baseline", baseline=(1.0,), candidate=(1.0,))
    told = Outcome(snippet=NOISE, status=Status.PASSED, samples=(few,))
    assert noise_floor([told]) == UNKNOWN
    assert noise_floor([replace(told, status=Status.TIMED_OUT, samples=())]) == UNKNOWN


def noise_of(ratio: float, pairs: int = 20, busy: float = 0.0) -> Outcome:
    samples = Samples(
        against="baseline", baseline=(ratio,) * pairs, candidate=(1.0,) * pairs, busy=busy
    )
    return Outcome(snippet=NOISE, status=Status.PASSED, samples=(samples,))


def test_rounds_of_noise_are_known_together_where_each_has_few_pairs() -> None:
    rounds = [noise_of(ratio, pairs=3) for ratio in (1.01, 0.99, 1.0, 1.0, 1.0)]
    assert noise_floor(rounds[:2]) == UNKNOWN
    assert 0.005 < noise_floor(rounds) < 0.015
    assert noise_floor([*rounds, noise_of(1.0, pairs=0)]) == UNKNOWN


def test_the_noise_of_a_busy_round_counts_only_where_all_were_busy() -> None:
    calm, busy = noise_of(1.0), noise_of(3.0, busy=1.0)
    assert noise_floor([calm, busy, calm, calm]) == 0
    assert noise_floor([busy]) == 2.0


def test_the_noise_of_torch_is_measured_with_torch() -> None:
    pairing = Pairing(against="baseline", candidate=(), baseline=())
    plain = Job(snippet="a#p01", cells=(), pairings=(pairing,))
    assert noise_job([replace(plain, pairings=())]) is None
    alone = noise_job([plain])
    assert alone is not None
    assert alone.frameworks == ()
    beside = noise_job([plain, replace(plain, frameworks=("jax", "torch"), device="cuda")])
    assert beside is not None
    assert (beside.frameworks, beside.device) == (("torch",), "cuda")
    assert "device='cuda'" in beside.cells[0].code


def test_what_was_measured_on_a_busy_machine_is_measured_again(wiki: Wiki) -> None:
    def answer(job: Job, busy: float) -> Outcome:
        outcome = make_outcome(job)
        return replace(outcome, samples=tuple(replace(s, busy=busy) for s in outcome.samples))

    wiki.verify(lambda job: answer(job, 1.0))
    run, jobs = wiki.verify(lambda job: answer(job, 0.0))
    assert (run.ran, run.measured) == ((), 1)
    assert [job.snippet for job in jobs] == ["a#p01"]
    assert wiki.verify()[0].measured == 0


# Rounds


def at(job: Job, ratio: float, busy: float = 0.0) -> Outcome:
    outcome = make_outcome(job)
    ours, theirs = (1.0 if job.snippet == NOISE else ratio,) * 20, (1.0,) * 20
    told = [
        replace(
            s,
            baseline=ours,
            candidate=theirs,
            busy=busy,
            stopped="narrow",
            fresh=job.checks or None,
        )
        for s in outcome.samples
    ]
    return replace(outcome, samples=tuple(told))


def in_turn(*answers: tuple[float, float]) -> Answers:
    """Answers with these ratios and busy cores, one a round."""
    left = iter(answers)
    return lambda job: (
        at(job, *next(left)) if job.snippet == "a#p01" and job.pairings else at(job, 1.0)
    )


def measured_of(wiki: Wiki) -> Samples:
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    (measured,) = row.measured
    return measured.samples


def test_rounds_are_processes_with_other_inputs_and_are_joined(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=4)
    run, jobs = wiki.verify(in_turn((2.0, 0), (2.2, 0), (1.9, 0), (2.1, 0)))
    timed = [job for job in jobs if job.pairings]
    assert [job.seed for job in timed] == [0, 1, 2, 3]
    assert [job.again for job in timed] == [False, True, True, True]
    assert {job.fewest for job in timed} == {3}
    assert {job.budget for job in timed} == {wiki.config().budget / 4}
    assert run.measured == 1
    samples = measured_of(wiki)
    assert samples.rounds == (20, 20, 20, 20)
    ratio = summarize(samples).ratio
    assert ratio is not None
    assert ratio.low < 1.9 < ratio.estimate < 2.2 < ratio.high
    assert wiki.verify()[1] == []


def test_a_program_that_takes_long_gets_the_fewest_rounds(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=5)
    _, jobs = wiki.verify(lambda job: replace(at(job, 2.0), seconds=LONG + 1))
    assert len([job for job in jobs if job.pairings]) == 3
    assert measured_of(wiki).rounds == (20, 20, 20)
    assert wiki.verify()[1] == []


def test_what_differs_from_round_to_round_is_seen_however_narrow_each_is(tmp_path: Path) -> None:
    page = PAGE.replace(" speedup=1.2..9", "")
    apart, alone = Wiki(tmp_path / "apart", page, rounds=3), Wiki(tmp_path / "alone", page)
    apart.verify(in_turn((1.4, 0), (1.7, 0), (1.4, 0)))
    alone.verify(in_turn((1.4, 0)))
    wide, narrow = (summarize(measured_of(wiki)).ratio for wiki in (apart, alone))
    assert wide is not None
    assert narrow is not None
    assert narrow.low == narrow.high
    assert wide.low < 1.4 < 1.7 < wide.high


def test_a_claim_that_rounds_leave_open_gets_as_many_again(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(in_turn((1.1, 0), (1.4, 0), (1.3, 0), (1.3, 0), (1.3, 0), (1.3, 0)))
    assert [job.again for job in timed(jobs)] == [False] + [True] * 5
    assert measured_of(wiki).rounds == (20,) * 6
    assert wiki.verify()[1] == [], "and no more, whatever they say"
    ratio = summarize(measured_of(wiki)).ratio
    assert ratio is not None
    assert ratio.low < 1.2 < ratio.estimate


def test_what_lacks_no_round_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[str]()
    of_snippet = Planned.of_snippet

    def note(planned: Planned, key: str) -> Rounds:
        looked.append(key)
        return of_snippet(planned, key)

    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify()
    wiki.edit(
        "y = x.reshape(2, 4)\n```", "y = x.reshape(2, 4)\n```\n```python baseline\ny = x\n```"
    )
    monkeypatch.setattr(Planned, "of_snippet", note)
    _, jobs = wiki.verify()
    assert {job.snippet for job in jobs if job.pairings} == {"a#p02"}
    assert looked.count("a#p02") > 10
    assert looked.count("a#p01") == 1


def test_a_claim_that_the_first_rounds_decide_gets_no_more(tmp_path: Path) -> None:
    for ratio in (1.01, 2.0):
        wiki = Wiki(tmp_path / f"{ratio}", rounds=3)
        _, jobs = wiki.verify(lambda job, ratio=ratio: at(job, ratio))  # type: ignore[misc]
        assert len(timed(jobs)) == 3


def test_rounds_of_an_open_claim_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    given = iter([1.1, 1.4, 1.3, 1.3])

    def answer(job: Job) -> Outcome:
        if job.pairings and job.snippet != NOISE:
            return at(job, next(given))
        return at(job, 1.0)

    with pytest.raises(RuntimeError, match="StopIteration"):
        wiki.verify(answer)
    assert measured_of(wiki).rounds == (20,) * 4
    assert wiki.judgements() == [Judgement.INCONCLUSIVE], "two of six are still to come"
    _, jobs = wiki.verify(in_turn((1.3, 0), (1.3, 0)))
    assert len(timed(jobs)) == 2
    assert measured_of(wiki).rounds == (20,) * 6


def test_an_edited_claim_waits_for_the_rounds_that_were_begun(tmp_path: Path) -> None:
    wiki, given = Wiki(tmp_path, rounds=3), iter([1.1, 1.4, 1.3, 1.3])
    with pytest.raises(RuntimeError, match="StopIteration"):
        wiki.verify(lambda job: at(job, 2.0 if job.snippet == NOISE else next(given)))
    wiki.edit("speedup=1.2..9", "speedup=0.1..9")
    _, jobs = wiki.verify(in_turn((1.3, 0), (1.3, 0)))
    assert len(timed(jobs)) == 2, "an end that depends on what was seen would promise too much"
    assert wiki.judgements() == [Judgement.CONFIRMED]


def test_evidence_cannot_ask_for_rounds_without_end(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(lambda job: at(job, 2.0))
    (file,) = (tmp_path / "evidence" / "local").glob("*.json")
    file.write_text(file.read_text().replace('"planned": 3', '"planned": 1000000000'))
    assert measured_of(wiki).planned == 1_000_000_000
    _, jobs = wiki.verify(lambda job: at(job, 2.0))
    assert len(timed(jobs)) == 2 * MOST_ROUNDS - 3


def test_a_claim_that_is_edited_so_that_it_is_open_is_measured_further(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    ratios = ((2.0, 0), (2.1, 0), (1.9, 0))
    assert len(timed(wiki.verify(in_turn(*ratios))[1])) == 3
    wiki.edit("speedup=1.2..9", "speedup=2..9")
    assert len(timed(wiki.verify(in_turn(*ratios))[1])) == 3
    assert measured_of(wiki).rounds == (20,) * 6


def test_one_round_that_nobody_can_know_looks_at_other_inputs(tmp_path: Path) -> None:
    looks = set()
    for trial in range(24):
        wiki = Wiki(tmp_path / f"{trial}", rounds=4)
        jobs = timed(wiki.verify(lambda job: at(job, 2.0))[1])
        assert sum(job.checks for job in jobs) == 1
        looks.add([job.checks for job in jobs].index(True))
        assert measured_of(wiki).fresh is True
    assert len(looks) > 1


def test_a_comparison_that_ends_before_others_has_been_looked_at(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path)
    wiki.verify(lambda job: at(job, 2.0))
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    pairing = Pairing(against="baseline", candidate=(), baseline=())
    near, far = (
        Comparison(snippet="a#p01", pairing=pairing, digest=name, meaning="") for name in "ab"
    )
    samples = replace(measured_of(wiki), rounds=(20,) * 3, fresh=None, baseline=(2.0,) * 60)
    samples = replace(samples, candidate=(1.0,) * 60)
    found = replace(row, measured=(Measured(digest="a", samples=samples, recorded="2099"),))
    rounds = Rounds(found=found, asked=4)
    assert all(rounds.draws_check([near, far]) for _ in range(20))
    assert not all(rounds.draws_check([far]) for _ in range(40))


def test_each_round_looks_where_something_is_kept_between_them(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, PAGE.replace("total = 1 + 1", "total = 2  # torch.compile"), rounds=4)
    assert all(job.checks for job in timed(wiki.verify(lambda job: at(job, 2.0))[1]))


def timed(jobs: Sequence[Job]) -> list[Job]:
    """Those that time the page's pattern."""
    return [job for job in jobs if job.pairings and job.snippet != NOISE]


def test_a_run_that_is_interrupted_goes_on_with_the_next_round(tmp_path: Path) -> None:
    wiki, seen = Wiki(tmp_path, rounds=5), iter(range(100))

    def stop(job: Job) -> Outcome:
        if job.pairings and job.snippet != NOISE and next(seen) == 2:
            raise KeyboardInterrupt
        return at(job, 2.0)

    with pytest.raises(KeyboardInterrupt):
        wiki.verify(stop)
    assert measured_of(wiki).rounds == (20, 20)
    assert summarize(measured_of(wiki)).ratio is None, "two rounds are too few"
    _, jobs = wiki.verify(lambda job: at(job, 2.0))
    assert [job.seed for job in jobs] == [2, 3, 4]
    assert measured_of(wiki).rounds == (20,) * 5
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    assert row.past == (), "rounds are no history"


def minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is written down lie minutes apart, as rounds do."""
    clock = (f"2099-01-01T00:{n // 60:02}:{n % 60:02}Z" for n in itertools.count())
    monkeypatch.setattr(
        "wiki_tools.runner.rounds.now", lambda days_ago=0: "2098" if days_ago else next(clock)
    )


def past_of_it(wiki: Wiki) -> list[float]:
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    return [past.ratio[0] for past in row.past]


def test_history_has_no_measurement_that_was_not_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=5)
    wiki.verify(in_turn(*[(ratio, 0.0) for ratio in (2.0, 2.1, 2.2, 2.0, 2.1)]))
    assert past_of_it(wiki) == []
    with pytest.raises(RuntimeError):  # it has no fifth answer
        wiki.verify(in_turn(*[(3.0, 0.0)] * 4), every=True)
    assert measured_of(wiki).rounds == (20,) * 4
    assert past_of_it(wiki) == [pytest.approx(2.08, abs=0.01)]
    wiki.verify(in_turn(*[(4.0, 0.0)] * 5), every=True)
    assert past_of_it(wiki) == [pytest.approx(2.08, abs=0.01)], "four of five rounds are none"
    wiki.verify(in_turn(*[(5.0, 0.0)] * 5), every=True)
    assert past_of_it(wiki) == [pytest.approx(2.08, abs=0.01), pytest.approx(4.0)]


def test_history_has_no_measurement_of_which_as_many_rounds_were_to_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=3)
    with pytest.raises(RuntimeError):  # it has no fifth answer
        wiki.verify(in_turn((1.1, 0), (1.4, 0), (1.3, 0), (1.3, 0)))
    assert measured_of(wiki).planned == 6
    wiki.verify(in_turn(*[(4.0, 0.0)] * 3), every=True)
    assert measured_of(wiki).planned == 3
    assert past_of_it(wiki) == []


def test_more_rounds_than_before_go_on_and_fewer_leave_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=5)
    wiki.verify(lambda job: at(job, 2.0))
    wiki.rounds = 7
    _, jobs = wiki.verify(lambda job: at(job, 2.1))
    assert [job.seed for job in jobs if job.snippet != NOISE] == [5, 6]
    assert measured_of(wiki).rounds == (20,) * 7
    assert past_of_it(wiki) == [], "nothing is counted twice"
    wiki.rounds = 3
    assert wiki.verify()[1] == []


def test_one_round_for_all_is_the_first_of_many(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path)
    wiki.verify(lambda job: at(job, 2.0))
    wiki.rounds = 3
    _, jobs = wiki.verify(lambda job: at(job, 2.0))
    assert [job.seed for job in jobs if job.snippet != NOISE] == [1, 2], "not its inputs again"
    assert measured_of(wiki).rounds == (20,) * 3


@pytest.mark.parametrize("many", [1, 2])
def test_what_was_left_with_few_rounds_is_measured_where_one_is_to_do(
    tmp_path: Path, many: int
) -> None:
    wiki = Wiki(tmp_path, rounds=5)
    with pytest.raises(RuntimeError):
        wiki.verify(in_turn(*[(2.0, 0.0)] * many))
    assert summarize(measured_of(wiki)).ratio is None
    wiki.rounds = 1
    assert wiki.verify(lambda job: at(job, 2.0))[0].measured == 1
    assert summarize(measured_of(wiki)).ratio is not None


def test_the_only_calm_round_is_no_measurement(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(in_turn(*[(2.0, 1.0)] * 4, (2.0, 0.0)))
    samples = measured_of(wiki)
    assert samples.rounds == (20,)
    assert summarize(samples).ratio is None, "one process says nothing of the next"


def test_a_busy_round_and_the_one_instead_of_it_have_other_inputs(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(in_turn((2.0, 1.0), (2.0, 0), (2.0, 0), (2.0, 0)))
    assert [job.seed for job in jobs if job.pairings and job.snippet != NOISE] == [0, 1, 2, 3]


def test_busy_rounds_do_not_pile_up(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    for _ in range(3):
        wiki.verify(lambda job: at(job, 2.0, busy=1.0))
    assert measured_of(wiki).rounds == (20,) * 3
    wiki.verify(lambda job: at(job, 3.0))
    assert set(measured_of(wiki).baseline) == {3.0}


@pytest.mark.parametrize("busy", [0.0, 1.0], ids=["calm", "busy"])
def test_evidence_keeps_its_date_where_a_round_was_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: float
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=3)
    with pytest.raises(RuntimeError):  # it has no further answer
        wiki.verify(in_turn(*[(2.0, busy)] * (3 if busy else 2)))
    recorded = recorded_of(wiki)
    wiki.verify(lambda job: at(job, 3.0, busy=1.0))
    assert set(measured_of(wiki).baseline) == {2.0}
    assert recorded_of(wiki) == recorded


def test_a_busy_machine_does_not_replace_what_a_calm_one_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(lambda job: at(job, 2.0))
    recorded = recorded_of(wiki)
    run, _ = wiki.verify(lambda job: at(job, 3.0, busy=1.0), every=True)
    assert (run.measured, run.kept) == (1, 1)
    assert set(measured_of(wiki).baseline) == {2.0}
    assert recorded_of(wiki) == recorded
    assert wiki.judgements() == [Judgement.CONFIRMED]


def test_what_a_busy_machine_could_not_replace_is_in_history_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(lambda job: at(job, 2.0))
    wiki.verify(lambda job: at(job, 3.0, busy=1.0), every=True)
    assert past_of_it(wiki) == []


def test_other_code_does_not_keep_what_was_measured(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(lambda job: at(job, 2.0))
    wiki.edit("total = sum([1, 1])", "total = sum([1, 1, 0])")
    run, _ = wiki.verify(lambda job: at(job, 3.0, busy=1.0))
    assert run.kept == 0
    assert measured_of(wiki).busy == 1.0


def recorded_of(wiki: Wiki) -> str:
    row = Ledger.read(wiki.root / "evidence").find("local", "a#p01")
    assert row is not None
    return row.measured[0].recorded


def test_what_is_too_old_gets_all_its_rounds_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes(monkeypatch)
    wiki, config = Wiki(tmp_path, rounds=5), replace(read_config(tmp_path / "docs"), rounds=5)
    wiki.verify(lambda job: at(job, 2.0))
    verifier = Verifier(
        config=config,
        environment=HERE,
        folder="local",
        executor=FakeExecutor(lambda job: at(job, 3.0)),
        oldest="2099-01-01T00:00:05Z",
    )
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert measured_of(wiki).rounds == (20,) * 5
    assert set(measured_of(wiki).baseline) == {3.0}
    assert past_of_it(wiki) == [pytest.approx(2.0)]


def test_rounds_of_another_day_are_no_part_of_a_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    with monkeypatch.context() as then:
        then.setattr("wiki_tools.runner.rounds.now", lambda days_ago=0: "2020-03-01T12:00:00Z")
        with pytest.raises(RuntimeError):  # it has no third answer
            wiki.verify(in_turn((2.0, 0.0), (2.0, 0.0)))
    assert measured_of(wiki).rounds == (20,) * 2
    wiki.verify(lambda job: at(job, 3.0))
    assert measured_of(wiki).rounds == (20,) * 3
    assert set(measured_of(wiki).baseline) == {3.0}


def test_a_run_says_how_many_rounds_are_to_come(tmp_path: Path) -> None:
    wiki, told = Wiki(tmp_path, rounds=5), list[int]()
    with pytest.raises(RuntimeError):
        wiki.verify(in_turn(*[(2.0, 0.0)] * 3))

    def watch(step: Step) -> None:
        if step.kind == "measured" and step.total is not None:
            told.append(step.rounds_left)

    config = wiki.config()
    verifier = Verifier(
        config=config,
        environment=HERE,
        folder="local",
        executor=FakeExecutor(lambda job: at(job, 2.0, busy=1.0)),
        watch=watch,
    )
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert told == [1, 1, 1, 0], "two are lacking, and two more are tried on a busy machine"


def test_progress_counts_the_comparisons_of_a_round(tmp_path: Path) -> None:
    text = PAGE.replace("speedup=1.2..9", "speedup=1.2..9 memory=..2")
    wiki, told = Wiki(tmp_path, text, rounds=3), list[Step]()
    config = wiki.config()
    executor = FakeExecutor(lambda job: at(job, 2.0))
    verifier = Verifier(
        config=config, environment=HERE, folder="local", executor=executor, watch=told.append
    )
    run = verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    begins = [step for step in told if step.kind == "measured" and step.total is not None]
    ends = [step for step in told if step.kind == "measured" and step.total is None]
    assert [(step.round, step.total) for step in begins] == [(1, 2), (2, 1), (3, 1)]
    assert [step.ended for step in ends] == [2, 1, 1]
    assert run.measured == 2


def test_a_busy_round_is_taken_again(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    wiki.verify(in_turn((9.0, 1.0), (2.0, 0), (0.2, 0.9), (2.0, 0), (2.0, 0)))
    samples = measured_of(wiki)
    assert samples.rounds == (20, 20, 20)
    assert samples.busy == 0
    assert set(samples.baseline) == {2.0}


def test_a_machine_that_is_always_busy_ends_nevertheless(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(in_turn(*[(2.0, 1.0)] * 5))
    assert len([job for job in jobs if job.pairings]) == 3 + SPARE
    assert measured_of(wiki).busy == 1.0


def broken_in(*rounds: int, status: Status = Status.CRASHED) -> Answers:
    """Answer with a crash in some rounds."""
    seen = iter(range(100))

    def answer(job: Job) -> Outcome:
        if job.pairings and job.snippet != NOISE and next(seen) in rounds:
            return replace(make_outcome(job, status, "signal 11"), samples=())
        return at(job, 2.0)

    return answer


def test_a_round_that_is_unfair_makes_all_invalid(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(broken_in(1, status=Status.FAILED))
    assert len([job for job in jobs if job.pairings]) == 2
    assert "signal 11" in measured_of(wiki).invalid


@pytest.mark.parametrize("status", [Status.CRASHED, Status.TIMED_OUT])
def test_a_later_round_whose_process_ended_is_taken_again(tmp_path: Path, status: Status) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(broken_in(1, status=status))
    assert [job.seed for job in jobs if job.pairings] == [0, 1, 2, 3]
    samples = measured_of(wiki)
    assert (samples.rounds, samples.deaths, samples.invalid) == ((20,) * 3, 1, "")
    assert wiki.verify()[1] == []


def test_a_second_round_whose_process_ended_makes_all_invalid(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=4)
    _, jobs = wiki.verify(broken_in(1, 3))
    assert len([job for job in jobs if job.pairings]) == 4
    assert measured_of(wiki).invalid.endswith("signal 11, in a second round as well")


def test_a_first_round_whose_process_ended_makes_all_invalid(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path, rounds=3)
    _, jobs = wiki.verify(broken_in(0))
    assert len([job for job in jobs if job.pairings]) == 1
    assert measured_of(wiki).invalid.endswith("signal 11")


def test_rounds_are_in_the_journal_until_all_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki, written, shown = Wiki(tmp_path, rounds=5), list[str](), list[int]()
    replace_file = write._replace

    def note(file: Path, text: str, *, durable: bool) -> None:
        written.append(file.name)
        replace_file(file, text, durable=durable)

    monkeypatch.setattr(write, "_replace", note)

    def answer(job: Job) -> Outcome:
        if job.pairings and job.snippet != NOISE and job.seed:
            shown.append(len(rounds_of(measured_of(wiki))))
        return at(job, 2.0)

    wiki.verify(answer)
    assert shown == [1, 2, 3, 4], "whoever is killed here loses no round"
    assert written == ["a.json"] * 2, "once when all ran, once when all is measured"


def test_rounds_that_fit_no_samples_give_no_ratio() -> None:
    samples = Samples(against="baseline", baseline=(2.0,) * 20, candidate=(1.0,) * 20)
    assert summarize(replace(samples, rounds=(10, 5, 5))).ratio is not None
    for rounds in ((10, 5, 6), (30, -5, -5), (20, 0, 0), (1 << 80,) * 3):
        assert summarize(replace(samples, rounds=rounds)).ratio is None
    short = replace(samples, candidate=(1.0,) * 19, rounds=(10, 5, 5))
    assert summarize(short).ratio is None
    huge = replace(samples, baseline=(1e300,) * 20, candidate=(1e-300,) * 20, rounds=(10, 5, 5))
    assert summarize(huge).ratio is None
    endless = replace(samples, rounds=(10, 5, 5), first_call=(0.0, float("inf")))
    assert summarize(endless).pays_off is None


def test_less_memory_is_less_in_rounds_too() -> None:
    samples = Samples(against="baseline", baseline=(2.0,) * 20, candidate=(1.0,) * 20)
    ratio = summarize(replace(samples, metric="memory", rounds=(10, 5, 5))).ratio
    assert ratio is not None
    assert ratio.estimate == pytest.approx(0.5)


# A card


def test_a_card_that_torch_cannot_use_is_one_error_and_not_many_skips(wiki: Wiki) -> None:
    card = replace(HERE, device="cuda", device_name="NVIDIA H200", driver="580.65", torch="2.13.0")
    reason = "needs a CUDA device"

    def answer(job: Job) -> Outcome:
        if job.snippet == "card":
            return make_outcome(job, Status.SKIPPED, reason)
        return make_outcome(job)

    config = wiki.config()
    executor = FakeExecutor(answer)
    verifier = Verifier(config=config, environment=card, folder="card", executor=executor)
    told = r"torch 2.13.0 cannot use the NVIDIA H200: needs a CUDA device; its driver is 580.65"
    with pytest.raises(UsageError, match=told):
        verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert [job.snippet for job in executor.jobs] == ["card"]
    assert not (wiki.root / "evidence" / "card").exists()


def test_a_card_is_tried_only_where_something_is_to_run(wiki: Wiki) -> None:
    card = replace(HERE, device="cuda", device_name="NVIDIA H200", torch="2.13.0")
    config = read_config(wiki.root / "docs")
    executor = FakeExecutor(make_outcome)
    verifier = Verifier(config=config, environment=card, folder="card", executor=executor)
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert executor.jobs[0].snippet == "card"
    count = len(executor.jobs)
    verifier.verify(wiki.snippets(), Ledger.read(config.evidence))
    assert len(executor.jobs) == count


def test_jax_that_takes_the_processor_is_no_evidence_of_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card = replace(HERE, device="cuda", device_name="NVIDIA H200", jax="0.10.2")
    snippet = make_snippet("import jax.numpy as jnp\nx = jnp.ones(3)")
    for able, message in ((False, "the JAX that is installed here takes the CPU"), (True, "")):
        monkeypatch.setattr("wiki_tools.runner.able.jax_uses_card", lambda able=able: able)
        found = not_run(snippet, card)
        assert message in (found.message if found else "")
        assert (found is None) is able
    assert not_run(snippet, HERE) is None
