import itertools
import math
import platform
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from wiki_tools.protocol import Cell, Cells, Job, Pairing, Samples
from wiki_tools.stats import ratio_interval
from wiki_tools.worker.program import Namespace, make_namespace
from wiki_tools.worker.timing import time_pairings
from wiki_tools.worker.timing.crew import Crew
from wiki_tools.worker.timing.results import compare, leaves
from wiki_tools.worker.timing.sampling import (
    FEWEST,
    LONGEST,
    LOOKS,
    MOST_REPEATS,
    PATIENCE,
    SHORTEST,
    Taken,
    choose_repeats,
    narrow_enough,
    take_samples,
    warm_up,
)
from wiki_tools.worker.timing.side import Side


class FakeClock:
    """Time that passes only when somebody says so; real time never enters a test."""

    def __init__(self) -> None:
        self.now = 100.0
        self.worked = 0.0
        self.last = ""

    def __call__(self) -> float:
        return self.now

    def cpu(self) -> float:
        return self.worked

    def work(self, seconds: float) -> None:
        self.now += seconds
        self.worked += seconds

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def is_last(self, name: str) -> bool:
        """Whether the call before was of the same side."""
        was, self.last = self.last, name
        return was == name


class FakeSide:
    """A side whose calls take what a function of the clock says."""

    def __init__(self, clock: FakeClock, seconds: Callable[[], float]) -> None:
        self.clock = clock
        self.seconds = seconds
        self.asked: list[int] = []
        self.untimed = 0

    def sample(self, repeats: int, untimed: int = 0) -> float:
        self.asked.append(repeats)
        self.untimed = untimed
        taken = self.seconds() * repeats
        self.clock.work(taken)
        return taken


def take(clock: FakeClock, one: FakeSide, other: FakeSide, budget: float = 2.0) -> Taken:
    return take_samples(one, other, budget=budget, clock=clock, order=random.Random(3))


def constant(clock: FakeClock, seconds: float) -> FakeSide:
    return FakeSide(clock, lambda: seconds)


# Sampling


def test_a_fast_call_is_repeated_until_a_sample_is_long_enough() -> None:
    clock = FakeClock()
    taken = take(clock, constant(clock, 8e-6), constant(clock, 2e-6))
    assert taken.repeats == pytest.approx((SHORTEST / 8e-6, SHORTEST / 2e-6), rel=0.03)


@pytest.mark.parametrize(
    ("slow", "fast", "repeats", "untimed"),
    [
        (1e-5, 1e-5, (25, 25), (50, 50)),
        (1e-4, 5e-5, (3, 6), (6, 12)),
        (1.9e-3, 1.9e-4, (1, 10), (1, 10)),
        (2.1e-3, 2.1e-4, (1, 10), (0, 0)),
    ],
)
def test_short_calls_follow_on_others_of_their_side_that_last_as_long_for_both(
    slow: float, fast: float, repeats: tuple[int, int], untimed: tuple[int, int]
) -> None:
    """What the other side has driven out of the cache is back before they are timed."""
    clock = FakeClock()
    sides = constant(clock, slow), constant(clock, fast)
    taken = take(clock, *sides)
    assert taken.repeats == repeats
    assert (sides[0].untimed, sides[1].untimed) == untimed, "what favours one is no comparison"


def test_a_card_that_finds_nothing_in_its_cache_has_long_samples() -> None:
    clock = FakeClock()
    sides = constant(clock, 1e-5), constant(clock, 1e-5)
    taken = take_samples(*sides, budget=1.0, clock=clock, order=random.Random(3), cached=False)
    assert sides[0].untimed == 0
    assert taken.repeats == (200, 200)


def test_a_slow_call_is_a_sample_of_its_own() -> None:
    clock = FakeClock()
    assert take(clock, constant(clock, 0.2), constant(clock, 0.015)).repeats == (1, 1)


@pytest.mark.parametrize("slow", [1.38e-3, 2.7e-4, 1.9e-3, 4e-3])
@pytest.mark.parametrize("ratio", [1.3, 1.5, 2.0, 10.0])
def test_samples_of_both_sides_last_about_equally_long(slow: float, ratio: float) -> None:
    few, many = choose_repeats(slow, slow / ratio)
    assert few * slow == pytest.approx(many * slow / ratio, rel=0.16 if slow < 2e-3 else 0.35)
    assert choose_repeats(slow / ratio, slow) == (many, few)


def test_a_slow_side_does_not_make_the_fast_one_wait_for_it() -> None:
    assert choose_repeats(5.0, 1e-3) == (1, LONGEST / 1e-3)


def test_calls_that_take_no_time_at_all_do_not_loop_for_ever() -> None:
    clock = FakeClock()
    assert warm_up(constant(clock, 0.0), 1.0, clock).fastest == 0.0
    assert choose_repeats(0.0, 0.004) == (MOST_REPEATS, 1)


def test_sides_that_are_nearly_equally_fast_are_called_equally_often() -> None:
    assert choose_repeats(1e-5, 1.1e-5) == (25, 25)
    assert choose_repeats(1e-5, 2e-5) == (26, 13)


def test_a_neighbour_of_one_sides_warm_up_does_not_decide_how_often_it_is_called() -> None:
    clock = FakeClock()
    calls = iter([3e-4] * 5)
    disturbed = FakeSide(clock, lambda: next(calls, 1e-4))
    taken = take(clock, disturbed, constant(clock, 1e-4))
    assert taken.repeats[0] == taken.repeats[1]


class Neighbour:
    """Another program, which runs in the midst of some samples, as a test says."""

    def __init__(self, clock: FakeClock, disturbs: Callable[[], bool]) -> None:
        self.clock = clock
        self.disturbs = disturbs
        self.times = 0

    def beside(self, seconds: float) -> FakeSide:
        """A side whose samples it disturbs: it has the processor for 3 ms."""

        def taken() -> float:
            if self.disturbs():
                self.times += 1
                return seconds + 3e-3
            return seconds

        return FakeSide(self.clock, taken)

    def measure(self, baseline: float, candidate: float) -> Taken:
        return take_samples(
            self.beside(baseline),
            self.beside(candidate),
            budget=1.0,
            clock=self.clock,
            order=random.Random(3),
            interruptions=lambda: self.times,
        )


def test_a_sample_that_another_program_interrupted_does_not_count() -> None:
    clock, rng = FakeClock(), random.Random(1)
    taken = Neighbour(clock, lambda: rng.random() < 0.45).measure(0.004, 0.003)
    assert set(taken.baseline) == {0.004}
    assert set(taken.candidate) == {0.003}
    assert taken.interrupted > 10


def test_neighbours_do_not_decide_how_often_a_side_is_called() -> None:
    clock, rng = FakeClock(), random.Random(2)
    taken = Neighbour(clock, lambda: rng.random() < 0.7).measure(1e-4, 1e-4)
    assert taken.repeats[0] == taken.repeats[1]


def test_samples_that_are_always_interrupted_count_all_the_same() -> None:
    clock = FakeClock()
    taken = Neighbour(clock, lambda: True).measure(0.004, 0.003)
    assert len(taken.baseline) >= FEWEST
    assert taken.interrupted > 0


def test_long_samples_are_not_taken_again() -> None:
    clock = FakeClock()
    taken = Neighbour(clock, lambda: True).measure(0.2, 0.19)
    assert len(taken.baseline) == FEWEST
    assert taken.interrupted == 0


def test_warming_up_goes_on_while_calls_get_faster() -> None:
    clock = FakeClock()
    times = iter([0.02, 0.015, 0.011, 0.008, 0.006, 0.004] + [0.003] * 100)
    side = FakeSide(clock, lambda: next(times))
    warm_up(side, 1.0, clock)
    assert len(side.asked) > 7


def test_warming_up_ends_when_its_time_is_spent() -> None:
    clock = FakeClock()
    times = iter([2.0 / n for n in range(1, 1000)])
    side = FakeSide(clock, lambda: next(times))
    warm_up(side, 1.0, clock)
    assert len(side.asked) == 1


def test_sampling_stops_when_the_interval_is_narrow() -> None:
    clock = FakeClock()
    taken = take(clock, constant(clock, 0.004), constant(clock, 0.002))
    assert taken.stopped == "narrow"
    assert len(taken.baseline) == len(taken.candidate) == LOOKS[0]
    interval = ratio_interval(taken.baseline, taken.candidate)
    assert interval is not None
    assert interval.estimate == pytest.approx(2.0)


def test_sampling_stops_when_the_budget_is_spent() -> None:
    clock, rng = FakeClock(), random.Random(1)
    noisy = FakeSide(clock, lambda: 0.004 * math.exp(rng.gauss(0, 0.8)))
    taken = take(clock, noisy, constant(clock, 0.004))
    assert taken.stopped == "budget"
    assert len(taken.baseline) > FEWEST


def test_a_slow_pair_gets_its_fewest_samples_beyond_the_budget() -> None:
    clock, rng = FakeClock(), random.Random(1)
    slow = FakeSide(clock, lambda: 0.9 * math.exp(rng.gauss(0, 0.5)))
    taken = take(clock, slow, constant(clock, 0.01))
    assert taken.stopped == "budget"
    assert len(taken.baseline) == FEWEST


def test_of_slow_sides_the_warm_up_is_the_first_pair() -> None:
    clock = FakeClock()
    one, other = constant(clock, 1.2), constant(clock, 1.1)
    taken = take(clock, one, other)
    assert len(taken.baseline) == len(one.asked) == len(other.asked) == FEWEST
    assert set(taken.baseline) == {1.2}
    assert set(taken.candidate) == {1.1}


def test_a_baseline_of_ten_seconds_gives_few_samples_and_does_not_hang() -> None:
    clock = FakeClock()
    slow = constant(clock, 10.0)
    taken = take(clock, slow, constant(clock, 0.01))
    assert taken.stopped == "budget"
    assert 1 <= len(taken.baseline) <= 2
    assert clock.now - 100.0 < PATIENCE * 2.0 + 21.0


def test_each_side_comes_first_about_as_often() -> None:
    clock, first = FakeClock(), list[str]()
    rng = random.Random(1)

    def named(name: str) -> Callable[[], float]:
        def seconds() -> float:
            first.append(name)
            return 0.004 * math.exp(rng.gauss(0, 0.8))

        return seconds

    one, other = FakeSide(clock, named("one")), FakeSide(clock, named("other"))
    taken = take(clock, one, other)
    pairs = first[-2 * len(taken.baseline) :]
    ahead = sum(pairs[i] == "one" for i in range(0, len(pairs), 2)) / len(taken.baseline)
    assert 0.3 < ahead < 0.7


def noisy_machine(clock: FakeClock, rng: random.Random, cost: float) -> Callable[[], float]:
    """3% of noise, a drift of 20% in two seconds, and a neighbour that doubles times in bursts."""

    def seconds() -> float:
        drift = 1 + 0.1 * (clock.now - 100.0)
        burst = 1.9 if rng.random() < 0.05 or int(clock.now * 3) % 4 == 0 else 1.0
        return cost * drift * burst * math.exp(rng.gauss(0, 0.03))

    return seconds


@pytest.mark.parametrize("ratio", [1.0, 1.05, 2.0])
def test_the_interval_holds_the_true_ratio_in_95_of_100_trials(ratio: float) -> None:
    held, widths = 0, list[float]()
    for trial in range(300):
        clock, rng = FakeClock(), random.Random(f"{ratio} {trial}")
        one = FakeSide(clock, noisy_machine(clock, rng, 0.002 * ratio))
        other = FakeSide(clock, noisy_machine(clock, rng, 0.002))
        taken = take_samples(one, other, budget=1.0, clock=clock, order=rng)
        interval = ratio_interval(taken.baseline, taken.candidate)
        assert interval is not None
        held += interval.low <= ratio <= interval.high
        widths.append(interval.half_width)
    assert 0.91 <= held / 300 <= 0.99
    assert sorted(widths)[150] <= narrow_enough(ratio) + 0.001


# Results


def test_results_agree_within_rounding_and_not_beyond() -> None:
    close = compare(leaves([1.0, 2.0]), leaves([1.0, 2.0 + 1e-13]))
    far = compare(leaves([1.0, 2.0]), leaves([1.0, 2.001]))
    assert close.problem == ""
    assert 0 < close.error < close.tolerance
    assert "differ by 0.0005 of their magnitude" in far.problem


def test_zeros_prove_nothing() -> None:
    assert "all zeros" in compare(leaves([0.0, 0.0]), leaves([0.0, 0.0])).problem
    assert "all zeros" in compare((), ()).problem


def test_integers_and_texts_must_be_equal() -> None:
    assert compare(leaves([1, 2]), leaves([1, 2])).problem == ""
    assert "differ" in compare(leaves([1000001, 2]), leaves([1000000, 2])).problem
    assert compare(leaves({"a": "x"}), leaves({"a": "x"})).problem == ""
    assert "'x' against 'y'" in compare(leaves("x"), leaves("y")).problem


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_that_are_not_finite_are_no_result(bad: float) -> None:
    assert "candidate's result holds" in compare(leaves([1.0, 2.0]), leaves([1.0, bad])).problem


def test_results_of_other_shape_or_number_differ() -> None:
    assert (
        "shape: (2,) against (3,)" in compare(leaves([1.0, 2.0]), leaves([1.0, 2.0, 3.0])).problem
    )
    two = compare(leaves(({"a": 1.0}, 2.0, "x")), leaves(("y", 2.0)))
    assert "the baseline gives 3, the candidate 2" in two.problem


def test_arrays_differ_in_dtype_unless_the_coarser_may_decide() -> None:
    np = pytest.importorskip("numpy")
    fine, coarse = np.full(3, 1 / 3), np.full(3, 1 / 3, dtype="float16")
    assert "float64 against float16" in compare(leaves(fine), leaves(coarse)).problem
    assert compare(leaves(fine), leaves(coarse), coarser=True).problem == ""


def test_small_products_compare_with_the_batched_one() -> None:
    np = pytest.importorskip("numpy")
    batch = np.arange(1.0, 13.0).reshape(3, 4)
    assert compare(leaves(list(batch)), leaves(batch)).problem == ""
    assert compare(leaves(batch), leaves(list(batch))).problem == ""
    assert "number" in compare(leaves(list(batch)), leaves(batch.T.copy())).problem


def test_bfloat16_is_compared_at_its_own_precision() -> None:
    torch = pytest.importorskip("torch")
    exact = torch.linspace(0.5, 1.5, 64)
    rounded = exact.bfloat16()
    assert compare(leaves(exact), leaves(rounded), coarser=True).problem == ""
    assert "dtype: float32 against bfloat16" in compare(leaves(exact), leaves(rounded)).problem
    wrong = (exact * 1.2).bfloat16()
    assert "differ by" in compare(leaves(exact), leaves(wrong), coarser=True).problem


def test_a_loss_that_was_computed_in_half_and_widened_is_compared_in_half() -> None:
    np = pytest.importorskip("numpy")
    exact, widened = np.float32([1.0]), np.float32([1.003])
    assert compare(leaves(exact), leaves(widened), coarser=True).problem == ""
    assert "differ by" in compare(leaves(exact), leaves(widened)).problem
    assert "differ by" in compare(leaves(exact), leaves(exact * 1.1), coarser=True).problem
    assert "differ" in compare(leaves([1]), leaves([2]), coarser=True).problem


# Whole pairings, with programs that let the fake clock run


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Samples]:
    """Time two programs; `work(seconds)` and `rest(seconds)` let the clock run in them."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # as in a worker, where numpy is loaded late

    def run(
        baseline: str | Cells,
        candidate: str | Cells,
        setup: str = "",
        off: str = "",
        metric: str = "time",
        threads: int = 1,
        coarser: bool = False,
        checks: bool = True,
        interrupted: Callable[[], int] = lambda: 0,
    ) -> Samples:
        clock = FakeClock()

        def fresh(cells: Cells) -> Namespace:
            namespace = make_namespace(cells, folder=str(tmp_path), device="cpu")
            namespace.update(work=clock.work, rest=clock.sleep, clock=clock, is_last=clock.is_last)
            return namespace

        pairing = Pairing(
            against="baseline",
            baseline=cells(baseline, setup),
            candidate=cells(candidate, setup),
            off=off,
            coarser=coarser,
            metric=metric,
        )
        job = Job(
            snippet="s",
            cells=(),
            pairings=(pairing,),
            threads=threads,
            budget=0.8,
            checks=checks,
        )
        (samples,) = time_pairings(job, fresh, clock, clock.cpu, interrupted)
        return samples

    return run


def cells(code: str | Cells, setup: str) -> Cells:
    if not isinstance(code, str):
        return code
    return (
        Cell(role="setup", code=setup),
        Cell(role="pattern", code=code, path="page.md", line=7, timed=True),
    )


Duel = Callable[..., Samples]


def ratio(samples: Samples) -> float:
    interval = ratio_interval(samples.baseline, samples.candidate)
    assert interval is not None, samples.invalid
    return interval.estimate


def printed(code: str, *arguments: str) -> list[str]:
    """Words that code prints in a process of its own."""
    run = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's threshold moves")
def test_a_measured_process_keeps_the_memory_that_it_frees(tmp_path: Path) -> None:
    code = """
        import resource, sys
        from wiki_tools.protocol import Job, Pairing
        from wiki_tools.worker.child import run_job

        def faults_of_a_call():
            for n in range(11):
                if n == 1:  # the first call gets its memory
                    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                arrays = [bytearray(1 << 20) for _ in range(16)]
                del arrays
            return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 10

        said = sys.stdout
        got_anew = faults_of_a_call()
        pairing = Pairing(against="baseline", baseline=(), candidate=())
        job = Job(snippet="s", cells=(), pairings=(pairing,), budget=0.1)
        run_job(job, sys.argv[1], lambda text: None, lambda cell: None)
        print(got_anew, faults_of_a_call(), file=said)
    """
    got_anew, kept = map(float, printed(code, str(tmp_path)))
    assert got_anew > 1000
    assert kept < 10


def test_half_the_work_is_twice_as_fast(duel: Duel) -> None:
    samples = duel("work(0.006); y = 5", "work(0.003); y = 5")
    assert samples.invalid == ""
    assert ratio(samples) == pytest.approx(2.0)
    assert samples.max_error == 0.0
    assert samples.stopped == "narrow"


def test_definitions_run_once_and_are_not_timed(duel: Duel) -> None:
    slow = "def f():\n    work(0.002)\n    return 5\nwork(0.002)\nclass A:\n    work(50.0)\ny = f()"
    samples = duel(slow, "work(0.002); y = 5")
    assert ratio(samples) == pytest.approx(2.0)


def test_set_up_is_not_timed(duel: Duel) -> None:
    samples = duel("work(0.004); y = 5", "work(0.002); y = 5", setup="work(9.0)")
    assert ratio(samples) == pytest.approx(2.0)
    assert samples.first_call == pytest.approx((0.004, 0.002))


@pytest.mark.parametrize(("setup", "then"), [("y = 5", ""), ("y = [5]", "; y[0] += 1")])
def test_what_the_other_side_has_driven_out_of_the_cache_is_back_before_calls_are_timed(
    duel: Duel, setup: str, then: str
) -> None:
    """Also where each call finds its inputs restored."""
    samples = duel(
        f"work(4e-4 if is_last('baseline') else 1.4e-3){then}; z = y",
        f"work(1e-4 if is_last('candidate') else 1.1e-3){then}; z = y",
        setup=setup,
    )
    assert samples.invalid == ""
    assert samples.repeats == (1, 4)
    assert set(samples.baseline) == {4e-4}
    assert set(samples.candidate) == {1e-4}


def test_only_the_call_of_a_driven_pattern_is_timed(duel: Duel) -> None:
    def driven(seconds: float) -> Cells:
        return (
            Cell(
                role="pattern",
                code=f"k = work(1.0)\ndef f(): return work({seconds}) or 5",
                timed=True,
            ),
            Cell(role="drive", code="result = f()", timed=True),
            Cell(role="result", code="work(3.0)"),
        )

    assert ratio(duel(driven(0.008), driven(0.002))) == pytest.approx(4.0)


def test_the_first_call_is_told_apart(duel: Duel) -> None:
    compiled = (
        "class Code: ready = False\n"
        "def f():\n    if not Code.ready: work(12.0)\n"
        "    Code.ready = True\n    work(0.002)\n    return 5"
    )
    samples = duel("work(0.004); y = 5", "y = f()", setup=compiled)
    assert samples.first_call == pytest.approx((0.004, 12.002))
    assert ratio(samples) == pytest.approx(2.0)


def test_an_overwritten_input_is_restored_before_each_call(duel: Duel) -> None:
    samples = duel("work(1e-5 * x); x = x * 2", "work(2e-5 * x); x = x * 2", setup="x = 3.0")
    assert samples.invalid == ""
    assert samples.repeats[1] > 1
    assert samples.baseline[-1] == pytest.approx(0.00003)
    assert ratio(samples) == pytest.approx(0.5)


def test_an_input_changed_in_place_is_restored_before_each_call(duel: Duel) -> None:
    grow = "work(0.0005 * len(xs)); xs.append(1)"
    samples = duel(grow, grow, setup="xs = [1, 2]")
    assert samples.invalid == ""
    assert samples.baseline[-1] == pytest.approx(0.001)


@pytest.mark.parametrize(
    ("made", "step", "seconds"),
    [
        ("numpy.ones(3)", "work(0.0005 * float(a[0])); a += 1", 0.0005),
        ("array.array('d', [1.0])", "work(0.0005 * a[0]); a[0] += 1; y = 1", 0.0005),
        (
            "numpy.array([1, 2], dtype=object)",
            "work(0.0005 * a[0]); a[0] = a[0] + 1; y = 1",
            0.0005,
        ),
        (
            "numpy.ma.masked_array([1.0, 2.0], mask=[False, False])",
            "work(0.0005 * a.count()); a[0] = numpy.ma.masked; y = 1",
            0.001,
        ),
    ],
    ids=["numbers", "standard library", "objects", "mask"],
)
def test_an_array_changed_in_place_is_restored_before_each_call(
    duel: Duel, made: str, step: str, seconds: float
) -> None:
    pytest.importorskip("numpy")
    samples = duel(step, step, setup=f"import array, numpy\na = {made}")
    assert samples.invalid == ""
    assert samples.baseline[-1] == pytest.approx(seconds)


def test_an_input_that_cannot_be_copied_is_no_fair_comparison(duel: Duel) -> None:
    setup = "class Log(list):\n    def copy(self): raise TypeError('no copies')\nxs = Log([1, 2])"
    step = "work(0.0005 * len(xs)); xs.append(1); y = 1"
    samples = duel(step, step, setup=setup)
    assert "holds a Log that cannot be copied" in samples.invalid
    assert "no copies" in samples.invalid


def test_a_generator_without_a_state_changes_nothing(duel: Duel) -> None:
    setup = "import random\nsecret = random.SystemRandom()"
    assert duel("work(0.004); y = 5", "work(0.002); y = 5", setup=setup).invalid == ""


LARGE = [
    pytest.param("import numpy\na = numpy.ones(1000)\nb = [1]", id="numpy"),
    pytest.param(
        "import torch\na = torch.ones(1000)\nb = [1]", id="torch", marks=pytest.mark.torch
    ),
]


@pytest.mark.parametrize("setup", LARGE)
def test_an_input_too_large_to_copy_must_not_be_changed(
    duel: Duel, monkeypatch: pytest.MonkeyPatch, setup: str
) -> None:
    pytest.importorskip(setup.split()[1])
    monkeypatch.setattr("wiki_tools.worker.timing.inputs.CLONED", 1000)
    read = "work(0.004); y = float(a[0])"
    assert duel(read, read, setup=setup).invalid == ""
    changed = "work(0.004); a += 1; y = 1"
    assert "too large to be restored" in duel(changed, changed, setup=setup).invalid
    small = "work(0.0005 * len(b)); b.append(1); y = 1"
    samples = duel(small, small, setup=setup)
    assert samples.baseline[-1] == pytest.approx(0.0005)


@pytest.mark.torch
def test_a_training_step_starts_from_the_same_weights_each_time(duel: Duel) -> None:
    pytest.importorskip("torch")
    setup = (
        "import torch\nx = torch.ones(2, 3)\nm = torch.nn.Linear(3, 1)\n"
        "opt = torch.optim.Adam(m.parameters())"
    )
    step = "work(0.01)\nloss = m(x).pow(2).sum()\nloss.backward()\nopt.step()"
    samples = duel(step, step, setup=setup)
    assert samples.invalid == ""
    assert samples.max_error == 0.0


@pytest.mark.torch
def test_the_weights_are_what_an_optimizers_step_gives(duel: Duel) -> None:
    pytest.importorskip("torch")
    setup = (
        "import torch\nw = [torch.ones(3, requires_grad=True), torch.ones(2, requires_grad=True)]\n"
        "w[1].grad = torch.ones(2)\nopt = torch.optim.Adam(w)"
    )
    assert duel("work(0.004); opt.step()", "work(0.002); opt.step()", setup=setup).invalid == ""
    halved = "work(0.002); w[1].grad *= 0; opt.step()"
    assert "the results differ" in duel("work(0.004); opt.step()", halved, setup=setup).invalid


@pytest.mark.torch
def test_what_the_call_before_has_made_is_no_room_at_the_peak(duel: Duel) -> None:
    pytest.importorskip("torch")
    kept = "y = 0\nfor _ in range(4):\n    y = y + (x * 2).exp().sum()\nz = y.detach()"
    let_go = kept.replace(".sum()", ".sum().detach()")
    setup = "import torch\nx = torch.ones(1 << 16, requires_grad=True)"
    samples = duel(kept, let_go, setup=setup, metric="memory")
    assert samples.invalid == ""
    assert min(samples.baseline) >= 2 * max(samples.candidate)


def test_samples_are_taken_of_several_copies_of_what_is_quick_to_build(duel: Duel) -> None:
    import builtins

    for build, most, checked in ((0.001, 32, 4), (5.0, 1, 1)):
        built: list[int] = []
        builtins.wiki_built = built  # type: ignore[attr-defined]
        try:
            code = "work(0.001); y = 5"
            setup = f"import builtins\nbuiltins.wiki_built.append(1)\nwork({build})"
            assert duel(code, code, setup=setup).invalid == ""
        finally:
            del builtins.wiki_built  # type: ignore[attr-defined]
        assert len(built) == 2 * most + 2 * checked  # the latter once more, with other inputs


def test_random_state_is_reset_before_each_sample(duel: Duel) -> None:
    draw = "work(0.004); y = random.random()"
    assert duel(draw, draw, setup="import random").invalid == ""
    few, many = ("work(0.004); y = random.random()", "work(0.0004); y = random.random()")
    later = duel(few, many, setup="import random", checks=False)
    assert later.invalid == ""
    assert later.repeats[0] < later.repeats[1]
    own = "work(0.004); y = rng.random()"
    assert duel(own, own, setup="import random\nrng = random.Random()\nrng.seed(4)").invalid == ""


def test_both_sides_draw_the_same_inputs_whatever_else_they_draw(duel: Duel) -> None:
    imports = Cell(role="imports", code="import random")
    x = Cell(role="fixture", code="x = random.random()")
    other = Cell(role="fixture", code="other = random.random()")
    y = Cell(role="pattern", code="work(0.004); y = 2 * x", timed=True)
    assert duel((imports, x, other, y), (imports, other, x, y)).invalid == ""


def test_what_turns_an_accelerator_off_holds_for_definitions_and_calls(duel: Duel) -> None:
    setup = "import os\nwork(0)\ndef on(): return os.environ.get('WIKI_OFF') != 'x'"
    code = "FAST = on()\ndef f(): return work(0.001 if on() and FAST else 0.003) or 5\ny = f()"
    off = "mock.patch.dict('os.environ', WIKI_OFF='x')"
    assert ratio(duel(code, code, setup=setup, off=off)) == pytest.approx(3.0)


def test_what_the_snippet_prints_does_not_fill_the_outcome(
    duel: Duel, capsys: pytest.CaptureFixture[str]
) -> None:
    duel("work(0.004); y = 5; print('again')", "work(0.004); y = 5; print('again')")
    assert capsys.readouterr().out == ""


def test_a_timer_that_the_snippet_replaces_does_not_matter(
    duel: Duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)
    assert ratio(duel("work(0.008); y = 5", "work(0.004); y = 5")) == pytest.approx(2.0)


def test_the_value_of_the_last_expression_is_a_result(duel: Duel) -> None:
    assert duel("work(0.004); 2 + 3", "work(0.002); 5").invalid == ""
    assert "differ" in duel("work(0.004); 2 + 3", "work(0.002); 6").invalid


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("np.copyto(z, x); y = z", "np.copyto(z, x + 1); y = z"),
        ("np.add(x, 1, out=z)", "np.add(x, 2, out=z)"),
        ("g.random(3); y = x", "g.random(3); y = x + 1"),
    ],
)
def test_what_a_loop_only_works_with_is_no_result(duel: Duel, line: str, wrong: str) -> None:
    setup = "import numpy as np\nx, z = np.arange(1.0, 4.0), np.zeros(3)\n"
    setup += "g = np.random.default_rng(3)"
    body = "for _ in range(2):\n    work({}); {}"
    slow, fast, false = (body.format(*s) for s in ((0.002, line), (0.001, line), (0.001, wrong)))
    assert duel(slow, fast, setup=setup).invalid == ""
    assert "differ" in duel(slow, false, setup=setup).invalid


def test_a_loop_gives_what_it_writes_into(duel: Duel) -> None:
    loop = "c = [0] * 4\nwork(0.004)\nfor i in range(4):\n    t = i * 2\n    c[i] = t"
    assert duel(loop, "work(0.001); c = [0, 2, 4, 6]").invalid == ""
    assert "differ" in duel(loop, "work(0.001); c = [0, 2, 4, 7]").invalid


LIES: dict[str, tuple[str, str, str, str]] = {
    "wrong answer": ("y = 5", "y = 6", "", "the results differ"),
    "another dtype": ("y = np.ones(3)", "y = np.ones(3, 'f4')", "import numpy as np", "dtype"),
    "smaller input": ("y = np.ones(3)", "y = np.ones(2)", "import numpy as np", "shape"),
    "nothing computed": ("y = 0 * 5", "y = 0", "", "all zeros"),
    "no result": ("print(1)", "print(2)", "", "no value"),
    "an object": ("y = object()", "y = object()", "", "a object cannot be compared"),
    "a baseline that raises": ("y = 1 / 0", "y = 5", "", "baseline raised ZeroDivisionError: div"),
    "a candidate that exits": (
        "y = 5",
        "raise SystemExit(3)",
        "",
        "candidate raised SystemExit: 3",
    ),
    "no number": ("y = float('nan')", "y = float('nan')", "", "not finite"),
    "wrong after a while": (
        "n.append(1); y = 5",
        "y = f()",
        "n = []\nclass C: n = 0\ndef f():\n    C.n += 1\n    return 5 if C.n < 9 else 6",
        "after the timing the results differ",
    ),
    "a baseline that sleeps": ("rest(0.05); y = 5", "y = 5", "", "baseline waits 9"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_never_a_speedup(duel: Duel, lie: str) -> None:
    baseline, candidate, setup, reason = LIES[lie]
    samples = duel(f"work(0.004); {baseline}", f"work(0.002)\n{candidate}", setup=setup)
    assert reason in samples.invalid
    assert samples.baseline == samples.candidate == ()


def test_a_side_that_only_defines_something_cannot_be_timed(duel: Duel) -> None:
    samples = duel("work(0.004); y = 5", "import math\ndef f(): return 5")
    assert samples.invalid == "the candidate has no statement to time, only definitions"


def test_a_cache_in_plain_sight_is_emptied_before_each_call(duel: Duel) -> None:
    cached = "if 1 not in memo:\n    work(0.002)\n    memo[1] = 5\ny = memo[1]"
    samples = duel("work(0.004); y = 5", cached, setup="memo = {}")
    assert ratio(samples) == pytest.approx(2.0)


KEPT = {
    "a default argument": "def f(known={}):\n    if 1 not in known: work(0.002); known[1] = 5\n"
    "    return known[1]",
    "a closure": "def make():\n    known = {}\n    def f():\n"
    "        if 1 not in known: work(0.002)\n        return known.setdefault(1, 5)\n"
    "    return f\nf = make()",
    "an attribute of the function": "def f():\n    if 1 not in f.known: work(0.002)\n"
    "    return f.known.setdefault(1, 5)\nf.known = {}",
    "an attribute of a class": "class C:\n    known = {}\n    def __call__(self):\n"
    "        if 1 not in self.known: work(0.002)\n        return self.known.setdefault(1, 5)\n"
    "f = C()",
    "an attribute of an object": "class C:\n    def __init__(self): self.known = {}\n"
    "    def __call__(self):\n        if 1 not in self.known: work(0.002)\n"
    "        return self.known.setdefault(1, 5)\nf = C()",
    "functools": "import functools\n@functools.cache\ndef f(): return work(0.002) or 5",
    "functools, in a class": "import functools\nclass C:\n    @staticmethod\n"
    "    @functools.cache\n    def f(): return work(0.002) or 5\nf = C.f",
}


@pytest.mark.parametrize("place", KEPT)
def test_a_cache_is_emptied_before_each_call_wherever_the_program_has_it(
    duel: Duel, place: str
) -> None:
    samples = duel("work(0.004); y = 5", "y = f()", setup=KEPT[place])
    assert ratio(samples) == pytest.approx(2.0)


@pytest.mark.torch
def test_a_cached_answer_is_found_out_on_other_inputs(duel: Duel) -> None:
    pytest.importorskip("torch")
    setup = (
        "import torch\nx = torch.randn(4, 4)\nclass Last: pass\n"
        "def cached(a):\n    if getattr(Last, 'a', None) is not a: Last.a, Last.y = a, a @ a\n"
        "    return Last.y"
    )
    samples = duel("work(0.004); y = x @ x", "work(0.002); y = cached(x)", setup=setup)
    assert "on other inputs the results differ" in samples.invalid
    honest = duel("work(0.004); y = x @ x", "work(0.002); y = torch.mm(x, x)", setup=setup)
    assert honest.invalid == ""


INPUTS = {
    "a list": "[random.random() for _ in range(9)]",
    "nested lists": "[[random.random()] for _ in range(9)]",
    "a tuple": "tuple(random.random() for _ in range(9))",
    "a dictionary": "{k: random.random() for k in range(9)}",
    "records": "[{'at': (random.random(), 'a')} for _ in range(9)]",
    "an array": "array.array('d', [random.random() for _ in range(9)])",
    "texts": "[random.choice('abc') for _ in range(9)]",
    "an object": "Data(random.random())",
    "a namespace": "types.SimpleNamespace(at=[random.random()])",
}
"""What a set-up draws at random, as code."""
DATA = (
    "import array, random, types\nfrom dataclasses import dataclass\n"
    "@dataclass\nclass Data:\n    at: float\n"
)


@pytest.mark.parametrize("kind", INPUTS)
def test_an_answer_known_by_the_value_of_its_input_is_found_out_of_every_kind(
    duel: Duel, kind: str
) -> None:
    keeps = (
        "class Last: key = None\n"
        "def f(x):\n"
        "    work(0.001 if Last.key == repr(x) else 0.2)\n"
        "    Last.key = repr(x)\n"
        "    return repr(x)\n"
        "y = f(x)"
    )
    samples = duel("work(0.2); y = repr(x)", keeps, setup=f"{DATA}x = {INPUTS[kind]}")
    assert "the candidate is fast only on inputs that it has seen" in samples.invalid


@pytest.mark.parametrize("kind", INPUTS)
def test_results_are_compared_on_other_inputs_of_every_kind(duel: Duel, kind: str) -> None:
    setup = f"{DATA}x = {INPUTS[kind]}"
    samples = duel("work(0.004); y = repr(x)", "work(0.002); y = repr(x)", setup=setup)
    assert samples.invalid == ""
    assert samples.fresh is True
    assert ratio(samples) == pytest.approx(2.0)


def test_a_list_sorted_in_place_is_unsorted_before_each_call_on_other_inputs_too(
    duel: Duel,
) -> None:
    """Else its second call on them would be a fast one, and its first one that of a liar."""
    setup = "import random\nxs = [random.random() for _ in range(9)]"
    sort = "work(0.001 if xs == sorted(xs) else 0.2); xs.sort()"
    samples = duel("work(0.2); xs = sorted(xs)", sort, setup=setup)
    assert samples.invalid == ""
    assert samples.fresh is True
    assert ratio(samples) == pytest.approx(1.0)


MADE = {
    "an object": "class Index:\n    def __init__(self, xs): self.known = {i: x for i, x in "
    "enumerate(xs)}\n    def __call__(self, i): return self.known[i]\nfind = Index(xs)",
    "a closure": "def make(xs):\n    known = dict(enumerate(xs))\n"
    "    return lambda i: known[i]\nfind = make(xs)",
}


@pytest.mark.parametrize("kind", MADE)
def test_what_a_set_up_makes_of_its_inputs_belongs_to_the_other_ones_as_well(
    duel: Duel, kind: str
) -> None:
    setup = f"import random\nxs = [random.random() for _ in range(9)]\n{MADE[kind]}"
    samples = duel("work(0.004); y = xs[3]", "work(0.002); y = find(3)", setup=setup)
    assert samples.invalid == ""
    assert samples.fresh is True
    assert ratio(samples) == pytest.approx(2.0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_text_that_names_a_file_stays_the_same(duel: Duel, tmp_path: Path) -> None:
    """A second set-up may make another one and delete it at its end."""
    setup = (
        "import pathlib, random, tempfile\n"
        f"folder = tempfile.TemporaryDirectory(dir={str(tmp_path)!r})\nname = folder.name\n"
        "xs = [random.random()]"
    )
    read = "y = (pathlib.Path(name).exists(), *xs)"
    samples = duel(f"work(0.004); {read}", f"work(0.002); {read}", setup=setup)
    assert samples.invalid == ""
    assert samples.fresh is True


ELSEWHERE = {
    "a namespace": ("import types\nns = types.SimpleNamespace(known={})", "ns.known"),
    "a module": ("import kept", "kept.known"),
    "a function's module": ("from kept import look, known as _", "look()"),
    "a function of a module behind a cache": ("import kept", "kept.cached"),
    "a module of a module": ("import keeper", "keeper.kept.known"),
}


@pytest.mark.parametrize("place", ELSEWHERE)
def test_an_answer_kept_in_another_place_is_forgotten_before_each_call(
    duel: Duel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "kept.py").write_text(
        "import functools\nknown = {}\ndef look(): return known\n"
        "@functools.lru_cache\ndef cached(work, seconds): work(seconds)\n"
    )
    (tmp_path / "keeper.py").write_text("import kept\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("kept", "keeper"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    setup, held = ELSEWHERE[place]
    look = f"if 5 not in {held}: work(0.004); {held}[5] = 5\ny = {held}[5]"
    candidate = "kept.cached(work, 0.004); y = 5" if held == "kept.cached" else look
    samples = duel("work(0.004); y = 5", candidate, setup=setup)
    assert samples.invalid == ""
    assert ratio(samples) == pytest.approx(1.0)


def test_it_is_noted_whether_results_were_compared_on_other_inputs(duel: Duel) -> None:
    sides = "work(0.004); y = 2 * x", "work(0.002); y = x + x"
    assert duel(*sides, setup="import random\nx = random.random()").fresh is True
    assert duel(*sides, setup="x = 5").fresh is False
    assert duel(*sides, setup="import random\nx = random.Random(3).random()").fresh is False


@pytest.mark.torch
def test_sides_with_different_numbers_of_threads_are_not_compared(duel: Duel) -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    more = "torch.set_num_threads(2); work(0.002); y = 5"
    try:
        samples = duel("work(0.004); y = 5", more, setup="import torch")
        both = duel(more, more, setup="import torch")
    finally:
        torch.set_num_threads(before)
    assert "different numbers of threads: baseline 1, candidate 2" in samples.invalid
    assert both.invalid == ""
    assert both.threads == 2


def test_an_unfair_pairing_does_not_cost_the_next_one(tmp_path: Path) -> None:
    good = Pairing(against="baseline", baseline=cells("y = 5", ""), candidate=cells("y = 5", ""))
    bad = Pairing(against="pattern", baseline=cells("y = 5", ""), candidate=cells("y = 6", ""))
    job = Job(snippet="s", cells=(), pairings=(bad, good), budget=0.01)

    def fresh(cells: Cells) -> Namespace:
        return make_namespace(cells, folder=str(tmp_path))

    clock = FakeClock()

    def ticking() -> float:
        clock.work(1e-4)
        return clock.now

    first, second = time_pairings(job, fresh, ticking, clock.cpu, lambda: 0)
    assert "differ" in first.invalid
    assert second.invalid == ""


def test_rounds_take_turns_in_what_is_built_first_and_draw_where_it_lies() -> None:
    code = """
        import sys, numpy
        from wiki_tools.protocol import Cell, Job, Pairing
        from wiki_tools.worker.program import make_namespace
        from wiki_tools.worker.timing import time_pairings

        def side(name):
            lies = "x.__array_interface__['data'][0]"
            setup = f"import numpy\\nx = numpy.ones(1 << 20)\\nbuilt.append(({name!r}, {lies}))"
            timed = Cell(role="pattern", code="y = x.sum()", path="p.md", line=1, timed=True)
            return (Cell(role="setup", code=setup), timed)

        def fresh(code):
            namespace = make_namespace(code, folder="")
            namespace["built"] = built
            return namespace

        built = []
        sides = {name: side(name) for name in ("baseline", "candidate")}
        pairing = Pairing(against="baseline", **sides)
        job = Job(snippet="s", cells=(), pairings=(pairing,), budget=0.01, seed=int(sys.argv[1]))
        assert [samples.invalid for samples in time_pairings(job, fresh)] == [""]
        (first, here), (second, there) = built[:2]
        print(first, second, there - here)
    """
    firsts, apart = [], set()
    for seed in range(4):
        first, second, distance = printed(code, str(seed))
        firsts.append(first)
        apart.add(distance)
        assert {first, second} == {"baseline", "candidate"}
    assert firsts == ["baseline", "candidate"] * 2
    assert len(apart) == 4


def test_a_machine_that_stands_still_for_once_is_no_baseline_that_sleeps(duel: Duel) -> None:
    pauses = [0.06, *[0.0] * 40]
    code = "work(0.004); rest(builtins.wiki_pauses.pop() if builtins.wiki_pauses else 0); y = 5"
    with mock.patch("builtins.wiki_pauses", pauses, create=True):
        samples = duel(code, "work(0.004); y = 5", setup="import builtins")
    assert not pauses
    assert samples.invalid == ""


@pytest.mark.parametrize(
    ("spent", "busy"),
    [
        ([(1.0, 1.0)] * 4 + [(3.0, 1.0)], 1.0),
        ([(1.0, 1.0)] * 18 + [(9.0, 1.0)] * 2, 1.0),
        ([(1.0, 0.5)] * 5, 0.5),
        ([(1.0, 0.25)], 0.25),
    ],
)
def test_of_how_busy_a_side_is_no_single_sample_decides(
    spent: list[tuple[float, float]], busy: float
) -> None:
    """Of short samples one that the host stops is a third of all their time."""
    side = mock.Mock(spec=Side, spent=spent)
    assert Crew(sides=(side,), order=random.Random(0)).busy() == pytest.approx(busy)


CALM, NEVER_CALM = itertools.repeat(0), itertools.count()


@pytest.mark.parametrize("interruptions", [CALM, NEVER_CALM])
def test_a_candidate_that_keeps_answers_is_told_even_where_other_programs_never_rest(
    duel: Duel, interruptions: Iterator[int]
) -> None:
    keeps = (
        "class Last: x = None\n"
        "def f(x):\n"
        "    work(0.001 if Last.x == x else 0.2)\n"
        "    Last.x = x\n"
        "    return 2 * x\n"
        "y = f(x)"
    )
    samples = duel(
        "work(0.2); y = 2 * x",
        keeps,
        setup="import random\nx = random.random()",
        interrupted=lambda: next(interruptions),
    )
    assert "fast only on inputs that it has seen: 0.2 s on others, 0.001 s after" in samples.invalid


def test_long_calls_are_not_asked_again_because_other_programs_interrupt_them(duel: Duel) -> None:
    built: dict[str, int] = {}
    for name, interruptions in {"calm": itertools.repeat(0), "not": itertools.count()}.items():
        count: list[int] = []
        setup = "import builtins, random\nbuiltins.wiki_built.append(1)\nx = random.random()"
        with mock.patch("builtins.wiki_built", count, create=True):
            samples = duel(
                "work(0.3); y = 2 * x",
                "work(0.2); y = x + x",
                setup=setup,
                interrupted=lambda given=interruptions: next(given),
            )
        assert samples.invalid == ""
        assert samples.fresh
        built[name] = len(count)
    assert built["calm"] == built["not"]


@pytest.mark.torch
def test_memory_is_the_peak_of_one_call(duel: Duel) -> None:
    pytest.importorskip("torch")
    setup = "import torch\nx = torch.ones(1000, 1000)"
    samples = duel("y = x + x + x + 0", "y = x * 3", setup=setup, metric="memory")
    assert samples.invalid == ""
    assert samples.metric == "memory"
    assert min(samples.candidate) >= 4_000_000
    assert ratio(samples) >= 1.9
