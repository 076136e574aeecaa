"""Holds a measurement against its claim."""

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.environment import Environment
from wiki_tools.errors import counted, shortened
from wiki_tools.markup import HARDWARE
from wiki_tools.measure import BUSY, Comparison, Measurement
from wiki_tools.stats import FEWEST_ROUNDS, Interval, fewest_samples

NOT_MEASURED = "was not measured"
"""The reason of what nobody has timed yet."""


class Judgement(enum.StrEnum):
    """What evidence says of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A claim judged in one environment."""

    claim: Claim
    judgement: Judgement
    reason: str
    measurement: Measurement | None = None


def claims_on(comparison: Comparison, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Pick those of a fence's claims that are held against one of its comparisons."""
    kinds = {"memory"} if comparison.pairing.metric == "memory" else {"speedup", "slowdown"}
    return tuple(c for c in claims if c.kind in kinds and comparison.claimed)


def judge(claim: Claim, measurement: Measurement | None, environment: Environment) -> Verdict:
    """Hold the interval of a measurement against the range of a claim.

    Inside, it is confirmed; apart, refuted; across an edge, inconclusive. Hardware that the
    claim does not speak of leaves it untested, whatever was measured.
    """
    judgement, reason = _judge(claim, measurement, environment)
    return Verdict(claim=claim, judgement=judgement, reason=reason, measurement=measurement)


def _judge(
    claim: Claim, measurement: Measurement | None, environment: Environment
) -> tuple[Judgement, str]:
    on = shortened(claim.on)
    if claim.on and not speaks_of(claim.on, environment):
        return Judgement.UNTESTED, f"speaks of {on}, and this is {environment.device_name}"
    if measurement is None:
        return Judgement.UNTESTED, NOT_MEASURED
    if claim.on.startswith("cuda") and not _used_card(measurement):
        return Judgement.UNTESTED, f"speaks of {on}, and neither side used the card"
    if measurement.invalid:
        return Judgement.INVALID, measurement.invalid
    if measurement.ratio is None:
        return Judgement.INCONCLUSIVE, why_unclear(measurement)
    if measurement.busy > BUSY:
        return (
            Judgement.INCONCLUSIVE,
            f"other programs used {measurement.busy:.1f} cores meanwhile; measure again",
        )
    if measurement.rounds < measurement.planned:
        there = f"{measurement.rounds} of {measurement.planned} rounds"
        return (
            Judgement.INCONCLUSIVE,
            f"{there} were measured; run `wiki verify` again",
        )
    if is_below(claim, measurement.ratio, measurement.floor):
        return (
            Judgement.INCONCLUSIVE,
            f"identical code differed by {measurement.floor:.1%} in the same run, "
            "and so little is claimed and measured",
        )
    return _compare(claim, measurement.ratio)


def _used_card(measurement: Measurement) -> bool:
    """Whether a side had anything in the card's memory, as far as somebody noted it."""
    return measurement.conditions is None or any(measurement.conditions.on_card)


def is_below(claim: Claim, ratio: Interval, floor: float) -> bool:
    """Say whether a claim is smaller than the noise, and what was measured is no larger.

    A claim of no difference, such as 0.8 to 1.25, is none of these: noise confirms it.
    """
    top = 1 + floor
    if not floor:
        return False
    if claim.low >= 1:
        return claim.low <= top and 1 / top <= ratio.low <= top
    return claim.high <= 1 and claim.high >= 1 / top and 1 / top <= ratio.high <= top


def why_unclear(measurement: Measurement) -> str:
    """Say why a fair comparison has no ratio."""
    unit, seen, needed = "sample", measurement.samples, fewest_samples()
    if measurement.rounds:
        unit, seen, needed = "round", measurement.rounds, FEWEST_ROUNDS
    few = f"{counted(seen, unit, 'are')} too few: {needed} are needed for 95%"
    return few if seen < needed else "the samples are no pairs of times"


def _compare(claim: Claim, ratio: Interval) -> tuple[Judgement, str]:
    seen = f"{ratio.low:.3g} to {ratio.high:.3g}"
    if ratio.high < claim.low:
        return Judgement.REFUTED, f"measured {seen}, less than claimed"
    if ratio.low > claim.high:
        return Judgement.REFUTED, f"measured {seen}, more than claimed"
    if claim.low <= ratio.low and ratio.high <= claim.high and ratio.high > claim.low:
        return Judgement.CONFIRMED, f"measured {seen}, all of it as claimed"
    edge = claim.high if ratio.high > claim.high else claim.low
    return Judgement.INCONCLUSIVE, f"measured {seen}, across the claim's edge at {edge:.3g}"


def speaks_of(on: str, environment: Environment) -> bool:
    """Say whether a claim's hardware is that of an environment.

    `cpu` and `cuda` are kinds of device, `cuda>=8.0` those of a compute capability, `cpu:bf16` and
    `cpu:intel` those that have something: an instruction set (or one whose name ends with it, such
    as `amx_bf16`), or a word of the device's name.
    """
    found = HARDWARE.fullmatch(on.strip())
    if found is None or found["device"].casefold() != environment.device:
        return False
    if found["has"]:
        return _has(found["has"].casefold(), environment)
    if found["version"] is None:
        return True
    have, want = _version(environment.capability), _version(found["version"])
    return {
        ">=": have >= want,
        ">": have > want,
        "<=": have <= want,
        "<": have < want,
        "==": have == want,
        "=": have == want,
    }[found["sign"]]


def _has(word: str, environment: Environment) -> bool:
    names = re.findall(r"\w+", environment.device_name.casefold())
    if environment.device == "cpu":
        names += environment.instructions
    return any(name == word or name.endswith(f"_{word}") for name in names)


def _version(text: str) -> tuple[int, int]:
    """A compute capability, which is no fraction: 10.0 comes after 9.0."""
    major, _, minor = text.partition(".")
    return (int(major), int(minor or 0)) if major.isdigit() else (0, 0)
