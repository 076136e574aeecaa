import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki_tools.stats import Interval, fewest_samples, median, outer_rank, ratio_interval

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
