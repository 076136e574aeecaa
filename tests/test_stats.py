import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki_tools.stats import (
    FEWEST_ROUNDS,
    Interval,
    fewest_samples,
    median,
    outer_rank,
    ratio_interval,
    rounds_interval,
    student_quantile,
)

REPLAYS = Path(__file__).parent / "replays"


def replay(name: str) -> tuple[Interval | None, dict[str, float]]:
    recorded = json.loads((REPLAYS / f"{name}.json").read_text(encoding="utf-8"))
    return ratio_interval(recorded["baseline"], recorded["candidate"]), recorded["expected"]


def test_noisy_samples_of_identical_code_hold_one() -> None:
    interval, expected = replay("noisy")
    assert interval is not None
    assert interval.low <= 1.0 <= interval.high
    assert interval.estimate == pytest.approx(expected["estimate"], rel=1e-6)
    assert interval.half_width < 0.1


def test_both_halves_of_a_slow_pair_cancel() -> None:
    interval, expected = replay("bimodal")
    assert interval is not None
    assert interval.estimate == pytest.approx(expected["estimate"], rel=1e-6)
    assert interval.low <= expected["true"] <= interval.high
    assert interval.half_width < 0.02


def test_identical_samples_give_exactly_one() -> None:
    interval, _ = replay("identical")
    assert interval is not None
    assert (interval.low, interval.estimate, interval.high) == (1.0, 1.0, 1.0)


def test_samples_of_unequal_number_are_refused() -> None:
    assert replay("unequal-n")[0] is None


def test_a_single_pair_says_nothing() -> None:
    assert replay("single")[0] is None


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_values_that_are_no_durations_are_refused(bad: float) -> None:
    assert ratio_interval([1.0] * 11 + [bad], [1.0] * 12) is None
    assert ratio_interval([1.0] * 12, [1.0] * 11 + [bad]) is None


def test_six_pairs_are_the_fewest_for_95_percent() -> None:
    assert fewest_samples(0.95) == 6
    assert ratio_interval([2.0] * 5, [1.0] * 5) is None
    interval = ratio_interval([2.0] * 6, [1.0] * 6)
    assert interval is not None
    assert interval.confidence == pytest.approx(1 - 2 / 64)


@pytest.mark.parametrize(
    ("samples", "rank", "coverage"),
    # The published table: Dixon & Massey, "Introduction to Statistical Analysis", A-25.
    [(6, 1, 0.969), (9, 2, 0.961), (12, 3, 0.961), (20, 6, 0.959), (50, 18, 0.967)],
)
def test_ranks_are_those_of_the_published_table(samples: int, rank: int, coverage: float) -> None:
    found, covered = outer_rank(samples)
    assert found == rank
    assert covered == pytest.approx(coverage, abs=6e-4)


def test_coverage_is_what_it_says_for_a_skewed_distribution() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(2000):
        noise = [rng.expovariate(1.0) for _ in range(12)]
        interval = ratio_interval([math.exp(n) for n in noise], [1.0] * 12)
        assert interval is not None
        held += interval.low <= 2.0 <= interval.high  # exp(median of Exp(1)) is 2
    assert held / 2000 == pytest.approx(0.9614, abs=0.013)


durations = st.floats(min_value=1e-9, max_value=1e6)


@given(st.lists(st.tuples(durations, durations), min_size=6, max_size=40))
def test_swapping_both_sides_inverts_the_interval(pairs: list[tuple[float, float]]) -> None:
    baseline, candidate = [b for b, _ in pairs], [c for _, c in pairs]
    there, back = ratio_interval(baseline, candidate), ratio_interval(candidate, baseline)
    assert there is not None
    assert back is not None
    assert there.low == pytest.approx(1 / back.high, rel=1e-9)
    assert there.high == pytest.approx(1 / back.low, rel=1e-9)
    assert there.low <= there.estimate * (1 + 1e-12)
    assert there.estimate <= there.high * (1 + 1e-12)


@given(st.lists(durations, min_size=1))
def test_the_median_has_as_many_above_as_below(values: list[float]) -> None:
    middle = median(values)
    assert sum(v < middle for v in values) <= len(values) / 2
    assert sum(v > middle for v in values) <= len(values) / 2


def test_no_values_have_no_median() -> None:
    with pytest.raises(ValueError, match="no median"):
        median([])


# Rounds


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042)],
)
def test_students_t_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, abs=6e-4)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99, 0.999])
def test_students_t_is_scipys(confidence: float) -> None:
    stats = pytest.importorskip("scipy.stats", reason="nothing to hold it to")
    for freedom in range(1, 40):
        expected = stats.t.ppf((1 + confidence) / 2, freedom)
        assert student_quantile(freedom, confidence) == pytest.approx(expected, rel=1e-9)


def test_no_degree_of_freedom_has_no_t() -> None:
    with pytest.raises(ValueError, match="no t of 0"):
        student_quantile(0)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.inf, math.nan])
def test_few_or_odd_rounds_have_no_interval(bad: float) -> None:
    assert rounds_interval([2.0] * (FEWEST_ROUNDS - 1)) is None
    assert rounds_interval([2.0] * 4 + [bad]) is None


def test_rounds_that_agree_are_narrow_and_one_that_does_not_is_seen() -> None:
    same, apart = rounds_interval([2.0] * 5), rounds_interval([2.0, 2.0, 2.0, 2.0, 3.0])
    assert same is not None
    assert apart is not None
    assert same.low == pytest.approx(2.0)
    assert same.high == pytest.approx(2.0)
    assert apart.low < 2.0
    assert apart.high > 2.6


def test_the_interval_of_rounds_holds_the_truth_as_often_as_it_says() -> None:
    """Each round has an offset of its own, as processes do, which its samples cannot show."""
    rng, held = random.Random(11), 0
    for _ in range(2000):
        rounds = [math.exp(rng.gauss(math.log(1.5), 0.08)) for _ in range(5)]
        interval = rounds_interval(rounds)
        assert interval is not None
        held += interval.low <= 1.5 <= interval.high
    assert 0.935 <= held / 2000 <= 0.965


def test_the_ratio_of_one_more_run_lies_in_the_interval_in_88_of_100_cases() -> None:
    """An interval of a mean is none of the next one: both scatter."""
    rng, held = random.Random(12), 0
    for _ in range(4000):
        first, again = ([math.exp(rng.gauss(0, 0.05)) for _ in range(5)] for _ in range(2))
        interval, other = rounds_interval(first), rounds_interval(again)
        assert interval is not None
        assert other is not None
        held += interval.low <= other.estimate <= interval.high
    assert 0.86 <= held / 4000 <= 0.90


def test_the_other_way_round_is_the_inverse() -> None:
    rounds = [1.9, 2.0, 2.3, 2.1]
    there, back = rounds_interval(rounds), rounds_interval([1 / ratio for ratio in rounds])
    assert there is not None
    assert back is not None
    assert (there.low, there.estimate, there.high) == pytest.approx(
        (1 / back.high, 1 / back.estimate, 1 / back.low)
    )


def test_rounds_that_no_number_can_hold_have_no_interval() -> None:
    assert rounds_interval([1e300, 1.0, 1e-300]) is None
    assert ratio_interval([1e300] * 12, [1e-300] * 12) is None


def test_the_t_of_very_many_rounds_takes_no_longer() -> None:
    many = rounds_interval([1.0, 1.1] * 50_000)
    assert many is not None
    assert many.low < many.estimate < many.high
