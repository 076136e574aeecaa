import dataclasses
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import CARD, CPU
from wiki_tools.claims import Claim, parse_range
from wiki_tools.environment import Environment
from wiki_tools.measure import Measurement, summarize
from wiki_tools.protocol import Conditions, Samples
from wiki_tools.stats import Interval
from wiki_tools.verdicts import Judgement, judge, speaks_of


def claim(text: str, on: str = "") -> Claim:
    low, high = parse_range(text)
    return Claim(
        path="page.md",
        line=3,
        column=1,
        text=text,
        kind="speedup",
        low=low,
        high=high,
        source="attribute",
        on=on,
    )


def seen(low: float, high: float, **fields: object) -> Measurement:
    middle = math.sqrt(low * high)
    measurement = Measurement(
        against="baseline",
        size="",
        metric="time",
        ratio=Interval(estimate=middle, low=low, high=high, confidence=0.95),
        samples=24,
    )
    return dataclasses.replace(measurement, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "low", "high", "judgement", "reason"),
    [
        ("2..8", 3.7, 4.1, Judgement.CONFIRMED, "as claimed"),
        ("2..8", 2, 8, Judgement.CONFIRMED, "as claimed"),
        ("2..8", 1.4, 1.6, Judgement.REFUTED, "less than claimed"),
        ("2..8", 8.1, 9, Judgement.REFUTED, "more than claimed"),
        ("2..8", 1.9, 2.1, Judgement.INCONCLUSIVE, "edge at 2"),
        ("2..8", 7.9, 8.1, Judgement.INCONCLUSIVE, "edge at 8"),
        ("2..8", 1.5, 9, Judgement.INCONCLUSIVE, "edge"),
        (">1", 1.001, 1.2, Judgement.CONFIRMED, "as claimed"),
        (">1", 0.99, 1.01, Judgement.INCONCLUSIVE, "edge at 1"),
        (">1", 1.0, 1.0, Judgement.INCONCLUSIVE, "edge at 1"),
        (">1", 0.9, 0.95, Judgement.REFUTED, "measured 0.9 to 0.95, less than claimed"),
        ("..3", 0.5, 0.6, Judgement.CONFIRMED, "as claimed"),
        ("~1000", 400, 600, Judgement.CONFIRMED, "as claimed"),
        ("~1000", 5, 6, Judgement.REFUTED, "less than claimed"),
        ("2", 1.95, 2.05, Judgement.CONFIRMED, "as claimed"),
    ],
)
def test_an_interval_is_held_against_the_claimed_range(
    text: str, low: float, high: float, judgement: Judgement, reason: str
) -> None:
    verdict = judge(claim(text), seen(low, high), CPU)
    assert verdict.judgement is judgement
    assert reason in verdict.reason
    assert verdict.claim.text == text
    assert verdict.measurement is not None


@pytest.mark.parametrize(
    ("text", "low", "high", "judgement"),
    [
        (">1", 1.005, 1.01, Judgement.INCONCLUSIVE),
        (">1", 1.03, 1.04, Judgement.CONFIRMED),
        ("1.01..1.5", 1.005, 1.3, Judgement.INCONCLUSIVE),
        ("1.01..1.5", 0.99, 1.005, Judgement.INCONCLUSIVE),
        ("1.01..1.5", 0.5, 0.6, Judgement.REFUTED),
        ("1.01..1.5", 2.0, 3.0, Judgement.REFUTED),
        ("1.1..1.5", 1.005, 1.01, Judgement.REFUTED),
        ("..0.99", 0.985, 0.99, Judgement.INCONCLUSIVE),
        ("..0.99", 0.5, 0.6, Judgement.CONFIRMED),
        ("0.8..1.25", 0.99, 1.01, Judgement.CONFIRMED),
    ],
)
def test_a_claim_that_is_smaller_than_the_noise_needs_more_than_noise(
    text: str, low: float, high: float, judgement: Judgement
) -> None:
    verdict = judge(claim(text), seen(low, high, floor=0.02), CPU)
    assert verdict.judgement is judgement
    assert ("identical code differed by 2.0%" in verdict.reason) == (
        judgement is Judgement.INCONCLUSIVE
    )


def test_no_measurement_leaves_a_claim_untested() -> None:
    assert judge(claim("2"), None, CPU).judgement is Judgement.UNTESTED


def test_an_unfair_comparison_is_invalid_with_its_reason() -> None:
    unfair = summarize(Samples(against="baseline", invalid="the results differ in dtype"))
    verdict = judge(claim("2"), unfair, CPU)
    assert verdict.judgement is Judgement.INVALID
    assert verdict.reason == "the results differ in dtype"


def test_a_single_pair_is_inconclusive() -> None:
    few = summarize(Samples(against="baseline", baseline=(2.0,), candidate=(1.0,)))
    verdict = judge(claim("2"), few, CPU)
    assert verdict.judgement is Judgement.INCONCLUSIVE
    assert verdict.reason == "1 sample is too few: 6 are needed for 95%"


def test_before_its_last_round_a_measurement_decides_nothing() -> None:
    unfinished = judge(claim("2..8"), seen(3.7, 4.1, rounds=3, planned=4), CPU)
    assert unfinished.judgement is Judgement.INCONCLUSIVE
    assert unfinished.reason == "3 of 4 rounds were measured; run `wiki verify` again"
    assert judge(claim("2..8"), seen(3.7, 4.1, rounds=4, planned=4), CPU).judgement is (
        Judgement.CONFIRMED
    )


def test_unequal_samples_are_inconclusive() -> None:
    odd = summarize(Samples(against="baseline", baseline=(2.0,) * 12, candidate=(1.0,) * 11))
    verdict = judge(claim("2"), odd, CPU)
    assert verdict.judgement is Judgement.INCONCLUSIVE
    assert "no pairs" in verdict.reason


AMX = dataclasses.replace(
    CPU, device_name="Intel(R) Xeon(R) Platinum 8481C", instructions=("amx_bf16", "avx2")
)


@pytest.mark.parametrize(
    ("on", "environment", "speaks"),
    [
        ("cpu", CPU, True),
        ("cpu", CARD, False),
        ("cuda", CARD, True),
        ("CUDA", CARD, True),
        ("cuda", CPU, False),
        ("cuda>=8.0", CARD, True),
        ("cuda>=9.0", CARD, True),
        ("cuda>=9.1", CARD, False),
        ("cuda>=10.0", CARD, False),
        ("cuda<9", CARD, False),
        ("cuda==9.0", CARD, True),
        ("cuda>=8.0", CPU, False),
        ("tpu", CPU, False),
        ("cuda>=", CARD, False),
        ("cpu:bf16", CPU, False),
        ("cpu:bf16", AMX, True),
        ("cpu:amx_bf16", AMX, True),
        ("cpu:avx2", AMX, True),
        ("cpu:avx", AMX, False),
        ("cpu:intel", AMX, True),
        ("cpu:Xeon", AMX, True),
        ("cpu:amd", AMX, False),
        ("cuda:h200", CARD, True),
        ("cuda:bf16", dataclasses.replace(CARD, instructions=AMX.instructions), False),
    ],
)
def test_a_claim_speaks_of_its_hardware(on: str, environment: Environment, speaks: bool) -> None:
    assert speaks_of(on, environment) is speaks


def test_other_hardware_leaves_a_claim_untested_whatever_was_measured() -> None:
    verdict = judge(claim("2..8", on="cuda>=8.0"), seen(1.0, 1.1), CPU)
    assert verdict.judgement is Judgement.UNTESTED
    assert "cuda>=8.0" in verdict.reason
    assert CPU.device_name in verdict.reason
    assert judge(claim("2..8", on="cuda>=8.0"), seen(1.0, 1.1), CARD).judgement == "refuted"


ratios = st.floats(min_value=0.01, max_value=1e4)


@given(ratios, ratios, ratios, ratios)
def test_a_verdict_never_goes_beyond_the_interval(a: float, b: float, c: float, d: float) -> None:
    low, high = sorted((a, b))
    left, right = sorted((c, d))
    held = dataclasses.replace(claim("2"), low=left, high=right)
    verdict = judge(held, seen(low, high), CPU).judgement
    overlaps = low <= right and left <= high
    assert (verdict is Judgement.REFUTED) is not overlaps
    if verdict is Judgement.CONFIRMED:
        assert left <= low <= high <= right


def test_a_ratio_taken_on_a_busy_machine_decides_nothing() -> None:
    assert judge(claim("1..2"), seen(4.9, 5.1), CPU).judgement is Judgement.REFUTED
    verdict = judge(claim("1..2"), seen(4.9, 5.1, busy=0.9), CPU)
    assert verdict.judgement is Judgement.INCONCLUSIVE
    assert "0.9 cores" in verdict.reason


def test_a_claim_about_a_card_is_untested_where_neither_side_used_it() -> None:
    beside = seen(2.5, 3, conditions=Conditions(timer="clock"))
    verdict = judge(claim("2..8", on="cuda"), beside, CARD)
    assert verdict.judgement is Judgement.UNTESTED
    assert verdict.reason == "speaks of cuda, and neither side used the card"
    on_it = seen(2.5, 3, conditions=Conditions(timer="clock", on_card=(False, True)))
    assert judge(claim("2..8", on="cuda"), on_it, CARD).judgement is Judgement.CONFIRMED
    assert judge(claim("2..8"), beside, CARD).judgement is Judgement.CONFIRMED


def test_rounds_that_give_no_ratio_are_too_few_only_where_they_are() -> None:
    pairs = Samples(against="baseline", baseline=(2.0,) * 20, candidate=(1.0,) * 20)
    begun = judge(claim("2"), summarize(replace(pairs, rounds=(20,))), CPU)
    assert begun.reason == "1 round is too few: 3 are needed for 95%"
    unfit = judge(claim("2"), summarize(replace(pairs, rounds=(9,) * 5)), CPU)
    assert unfit.reason == "the samples are no pairs of times"
