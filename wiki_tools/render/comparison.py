"""A comparison in words and as a picture: what was measured, what was claimed, what follows."""

from collections.abc import Iterator, Sequence

from wiki_tools.claims import Claim
from wiki_tools.environment import Environment
from wiki_tools.measure import BUSY, Comparison, Measurement
from wiki_tools.protocol import Conditions
from wiki_tools.render.bar import bar, curve
from wiki_tools.render.text import attribute, escape, mark
from wiki_tools.render.turned_off import TURNED_OFF
from wiki_tools.render.words import WORDS, duration, number, say, times
from wiki_tools.report import ComparisonReport, find_sweeps
from wiki_tools.stats import Interval
from wiki_tools.verdicts import Judgement, Verdict, is_below

FEW = 10
"""Calls after which nobody minds that the first one took longer."""


def comparison_lines(
    language: str, environment: Environment, found: ComparisonReport, *, card: bool
) -> Iterator[str]:
    """Write one comparison of one environment: what was seen, and what follows for its claims.

    `card` says that a GPU has run the snippet, so that a claim about GPUs is judged there.
    """
    shown = _shown(found.measurement)
    picture = ""
    if shown:
        claims = [(verdict.claim.low, verdict.claim.high) for verdict in found.verdicts
                  if verdict.judgement is not Judgement.UNTESTED]  # fmt: skip
        picture = bar(
            shown, claims[0] if claims else None, attribute(_ratio(language, found, shown))
        )
    yield picture + _sentence(language, found)
    yield "{: .wiki-compared }"
    yield ""
    parts = [verdict_text(language, verdict) for verdict in found.verdicts
             if not (card and elsewhere(environment, verdict))]  # fmt: skip
    if found.measurement and found.measurement.ratio:
        against = found.comparison.pairing.against
        parts.append(escape(_how(language, found.measurement, against)))
    if parts:
        yield " · ".join(parts)
        yield "{: .wiki-how }"
        yield ""


def elsewhere(environment: Environment, verdict: Verdict) -> bool:
    """Whether a claim speaks of a GPU, and this environment is none."""
    about_card = verdict.claim.on.startswith("cuda")
    untested = verdict.judgement is Judgement.UNTESTED
    return about_card and untested and environment.device == "cpu"


def verdict_text(language: str, verdict: Verdict) -> str:
    """Write a claim and what evidence says of it."""
    if verdict.judgement is Judgement.UNTESTED:
        return untested_text(language, verdict.claim)
    text = f"{_claim(language, verdict.claim)} {verdict_word(language, verdict)}"
    reason = _reason(language, verdict)
    return text + (f' <span class="wiki-reason">({escape(reason)})</span>' if reason else "")


def untested_text(language: str, claim: Claim) -> str:
    """Write a claim that nothing has been held against yet."""
    key = "no-gpu" if claim.on.startswith("cuda") else "untested"
    return f"{_claim(language, claim)} {mark('untested', say(language, key))}"


def _claim(language: str, claim: Claim) -> str:
    words = say(language, "claim", text=_range(claim.text))
    if claim.on:
        words += " " + say(language, "on", hardware=claim.on)
    return f'<span class="wiki-claim">{escape(words)}</span>'


def _range(text: str) -> str:
    """Write a range that is open at one end as readers do: `..0.2` is at most 0.2."""
    if text.startswith(".."):
        return f"≤{text[2:]}"
    return f"≥{text[:-2]}" if text.endswith("..") else text


def _reason(language: str, verdict: Verdict) -> str:
    """Why a claim came out so, in the language of the page; empty where the sentence says it."""
    seen = verdict.measurement
    ratio = seen.ratio if seen else None
    if verdict.judgement is Judgement.INCONCLUSIVE:
        if seen and seen.busy > BUSY:
            return say(language, "busy", cores=f"{seen.busy:.1f}")
        if seen and ratio and is_below(verdict.claim, ratio, seen.floor):
            return say(language, "noise", share=f"{seen.floor:.1%}")
        return say(language, "across" if ratio else "too-few")
    if verdict.judgement is not Judgement.REFUTED or ratio is None:
        return ""
    reason = say(language, "less" if ratio.high < verdict.claim.low else "more")
    if verdict.claim.expected == "refuted":
        reason += "; " + say(language, "owned")
    return reason


def verdict_word(language: str, verdict: Verdict) -> str:
    """Write a verdict as one word."""
    return mark(verdict.judgement, say(language, verdict.judgement))


def meaning(language: str, comparison: Comparison) -> str:
    """Say what a pattern is measured against."""
    against = comparison.pairing.against
    if against.startswith("ablation:") and language in TURNED_OFF:
        name = against.removeprefix("ablation:")
        return TURNED_OFF[language].get(name, comparison.meaning or name)
    if against in ("baseline", "pattern"):
        return say(language, f"the-{against}")
    return comparison.meaning or against


def sweep_lines(language: str, found: Sequence[ComparisonReport]) -> Iterator[str]:
    """Say of each claim over a sweep at which sizes it holds."""
    for sweep in find_sweeps(found):
        good = sweep.sizes(Judgement.CONFIRMED)
        ends = (good[0], good[-1]) if good else ("", "")
        sizes = ", ".join(map(str, good))
        key = f"holds-{sweep.holds}"
        words = say(language, key, axis=sweep.axis, first=ends[0], last=ends[1], sizes=sizes)
        yield f"{_claim(language, sweep.claim)} {escape(words)}"
        yield "{: .wiki-how }"
        yield ""


def curve_lines(language: str, found: Sequence[ComparisonReport]) -> Iterator[str]:
    """Draw the sizes of each sweep among an environment's comparisons."""
    groups: dict[tuple[str, str], list[tuple[str, Interval, ComparisonReport]]] = {}
    for one in found:
        shown = _shown(one.measurement)
        pairing = one.comparison.pairing
        if shown and "=" in pairing.size:
            groups.setdefault((pairing.against, pairing.metric), []).append(
                (pairing.size, shown, one)
            )
    for (against, metric), points in groups.items():
        if len(points) < 3:
            continue
        axis = points[0][0].partition("=")[0]
        what = meaning(language, points[0][2].comparison)
        kind = "chart-memory" if metric == "memory" else f"chart-{against}"
        key = kind if kind in WORDS else "chart"
        label = say(language, key, meaning=what)
        yield escape(label)
        yield "{: .wiki-how }"
        yield ""
        sizes = tuple(size.partition("=")[2] for size, _, _ in points)
        yield curve(sizes, tuple(shown for _, shown, _ in points), axis, attribute(label))
        yield "{: .wiki-chart }"
        yield ""


def _shown(measurement: Measurement | None) -> Interval | None:
    return measurement.ratio if measurement else None


def _sentence(language: str, found: ComparisonReport) -> str:
    size = found.comparison.pairing.size
    head = f"<code>{escape(size)}</code> " if size else ""
    what = meaning(language, found.comparison)
    measurement, shown = found.measurement, _shown(found.measurement)
    if measurement is None:
        return head + escape(say(language, "not-measured", meaning=what))
    if measurement.invalid or shown is None:
        key = "invalid-comparison" if measurement.invalid else "no-ratio"
        reason = measurement.invalid or _count(language, measurement)
        return head + escape(say(language, key, meaning=what, reason=reason))
    text = _ratio(language, found, shown)
    ratio = times(language, shown.estimate)
    return head + escape(text).replace(escape(ratio), f"**{escape(ratio)}**", 1)


def _ratio(language: str, found: ComparisonReport, shown: Interval) -> str:
    against = found.comparison.pairing.against
    kind = "ablation" if against.startswith("ablation:") else against
    memory = found.comparison.pairing.metric == "memory"
    key = "memory-of" if memory else f"over-{kind}"
    if memory and number(shown.low) == number(shown.high):
        key = "memory-exact"  # bytes are counted: every sample says the same
    text = say(
        language,
        key if kind in ("baseline", "ablation", "pattern") or memory else "over-ablation",
        ratio=times(language, shown.estimate),
        low=number(shown.low),
        high=number(shown.high),
        meaning=meaning(language, found.comparison),
    )
    if memory or against == "pattern":
        return text
    if shown.high < 1:
        return f"{text}: {say(language, 'slower')}"
    return f"{text}: {say(language, 'no-difference')}" if shown.low <= 1 else text


def _first_call(language: str, measurement: Measurement, *, pays: bool) -> str:
    """Say how long the first call took and, where a gain is meant to pay for it, when it has."""
    text = say(language, "first-call", time=duration(measurement.first_call))
    if not pays or (calls := measurement.pays_off or 0) <= FEW:
        return text
    return f"{text}, {say(language, 'pays-off', calls=number(calls))}"


def _conditions(language: str, found: Conditions) -> Iterator[str]:
    """Say what of a card decided on a measurement, as far as something told it."""
    if any(found.attention):
        yield say(language, "attention", kernels=_both(found.attention))
    precision = [side.get("float32_matmul_precision", "") for side in found.settings]
    if set(precision) - {"", "highest"}:
        yield say(language, "precision", precision=_both(precision))
    if clock := found.clocks.get("clocks.sm"):
        yield clock


def _both(sides: Sequence[str]) -> str:
    """Baseline and candidate, once where they are the same."""
    return " / ".join(dict.fromkeys(side or "–" for side in sides))


def _count(language: str, measurement: Measurement) -> str:
    key = "rounds" if measurement.rounds else "samples"
    return say(language, key, n=measurement.samples, rounds=measurement.rounds)


def _samples(language: str, measurement: Measurement) -> str:
    """Say how many there are, and why there are no more."""
    text = _count(language, measurement)
    if measurement.rounds:
        return text
    if measurement.metric != "time" or measurement.stopped not in ("narrow", "budget"):
        return text
    return f"{text} {say(language, measurement.stopped)}"


def _how(language: str, measurement: Measurement, against: str) -> str:
    parts = [_samples(language, measurement)]
    if measurement.metric == "time" and measurement.baseline and measurement.candidate:
        sides = (duration(measurement.baseline), duration(measurement.candidate))
        kind = against.partition(":")[0].partition("-")[0]
        parts.append(say(language, f"medians-{kind}", baseline=sides[0], candidate=sides[1]))
        parts.append(say(language, "threads", n=measurement.threads))
    if measurement.conditions:
        parts += _conditions(language, measurement.conditions)
    if measurement.first_call:
        parts.append(_first_call(language, measurement, pays=against != "pattern"))
    if measurement.max_error is not None:
        error = f"{measurement.max_error:.0e}"
        parts.append(say(language, "equal" if measurement.max_error else "identical", error=error))
    if measurement.fresh is False:
        parts.append(say(language, "one-input"))
    return " · ".join(parts)
