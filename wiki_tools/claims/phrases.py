"""Finds what a text claims of speed, memory and counts, in English and Korean."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wiki_tools.claims.denial import is_denied
from wiki_tools.claims.quantities import TIMES, Quantity, find_quantities
from wiki_tools.claims.reading import Reading
from wiki_tools.claims.vocabulary import (
    AHEAD,
    NOUNS,
    RULES,
    SIZE,
    SPENT,
    STOP,
    THING_AFTER,
    THING_BEFORE,
    Rule,
)
from wiki_tools.markup.ranges import EXACT

_TO = re.compile(r"\b(?:to|down to)\s$", re.IGNORECASE)
_TO_KOREAN = re.compile(r"[)\]*_\s]*(?:로|으로)\s")
_VERBS = {"halves", "halved", "halving", "halve", *(word for word in TIMES if word != "twice")}
_RULES = {
    (unit, closed, ahead): tuple(
        rule
        for rule in RULES
        if unit in rule.units
        and not (closed and rule.after.pattern == STOP.pattern)
        and (ahead or rule.before is None)
    )
    for unit in ("factor", "percent", "share")
    for closed in (False, True)
    for ahead in (False, True)
}
"""Those that may fit: of what is closed none that takes any end of a phrase for what follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A ratio that a text states, or for `growth` an exponent."""

    start: int
    end: int
    kind: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meant:
    """What a quantity is of."""

    metric: str
    """`speed`, `time`, `memory` or `count`."""
    sign: int
    end: int
    """Where the words end that say so."""


def find_phrases(text: str) -> tuple[Phrase, ...]:
    """Find the ratios that a text states, in order, without overlaps."""
    found = sorted(_all(text), key=lambda p: (p.start, -p.end))
    kept: list[Phrase] = []
    for phrase in found:
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return tuple(kept)


def _all(text: str) -> Iterator[Phrase]:
    found = list(find_quantities(text))
    reading = Reading(text if found else "")
    marks = reading.marks(AHEAD)
    for quantity in found:
        word = text[quantity.start : quantity.end].rpartition(" ")[2].lower()
        ahead = reading.has_before(quantity.start, marks)
        if (phrase := _phrase(reading, quantity, word, ahead)) is not None:
            yield phrase


def _phrase(reading: Reading, quantity: Quantity, word: str, ahead: bool) -> Phrase | None:
    """What a text states with a quantity; None where it states nothing."""
    before, after = reading.before(quantity.start), reading.after(quantity.end)
    meant = _meaning(quantity, before, after, word, ahead)
    if meant is None or is_denied(before, after, meant.end):
        return None
    if reading.asks(quantity.start, quantity.end):
        return None
    unit = quantity.unit
    if unit == "percent" and (_TO.search(before) or _TO_KOREAN.match(after)):
        unit = "share"  # reduced to 25%, not by
    kind, low, high = _ratio(_left(quantity, before), unit, meant)
    end = reading.further(quantity.end, meant.end) if quantity.worded else quantity.end
    return Phrase(start=quantity.start, end=end, kind=kind, low=low, high=high)


def _left(quantity: Quantity, before: str) -> Quantity:
    """A share that is left: `by more than half` leaves less than that."""
    more = quantity.unit == "share" and math.isinf(quantity.high) and before.endswith("by ")
    return replace(quantity, low=0.0, high=quantity.low) if more else quantity


def _meaning(quantity: Quantity, before: str, after: str, word: str, ahead: bool) -> _Meant | None:
    """What a quantity is of; nothing `ahead` of it says so where no rule's first word is there."""
    for rule in _RULES[quantity.unit, quantity.closed, ahead]:
        if (meant := _read(rule, before, after)) is None:
            continue
        share = quantity.unit == "share" and meant.metric == "time" and rule.before is None
        if share and not rule.metric and word not in _VERBS and not SPENT.search(before):
            continue  # half the time it fails
        return meant
    if word in _VERBS:
        return _doubled(before, after)
    bare = quantity.unit == "factor" and quantity.ranged
    if bare and STOP.match(after) and not SIZE.search(f"{before} {after}"):
        return _Meant(metric="speed", sign=1, end=0)
    return None


def _read(rule: Rule, before: str, after: str) -> _Meant | None:
    behind = rule.after.match(after)
    ahead = rule.before.search(before) if behind and rule.before else None
    if behind is None or (rule.before and ahead is None):
        return None
    nouns = behind.groupdict() | (ahead.groupdict() if ahead else {})
    metric = rule.metric or next((name for name in NOUNS if nouns.get(name)), "")
    return _Meant(metric=metric, sign=rule.sign, end=behind.end()) if metric else None


def _doubled(before: str, after: str) -> _Meant | None:
    """`doubles throughput`, `throughput doubles`."""
    behind, ahead = THING_AFTER.match(after), THING_BEFORE.search(before)
    found = behind or ahead
    if found is None:
        return None
    metric = next(name for name in NOUNS if found[name])
    return _Meant(metric=metric, sign=1, end=behind.end() if behind else 0)


def _ratio(quantity: Quantity, unit: str, meant: _Meant) -> tuple[str, float, float]:
    """The kind of a claim and its range, from what changes by how much.

    Speed and time become the ratio of times that is above 1; memory and counts what there is
    then over what there was.
    """
    ends = [_changed(value, unit, meant.sign) for value in _wide(quantity, unit)]
    low, high = min(ends), max(ends)
    kind = meant.metric
    if kind in ("speed", "time"):
        kind = "speedup" if (high > 1) == (meant.metric == "speed") else "slowdown"
        if high <= 1:
            low, high = _over(high), _over(low)
    if quantity.exact and unit != "factor":
        low, high = low * (1 - EXACT), high * (1 + EXACT)
    return kind, low, high


def _wide(quantity: Quantity, unit: str) -> tuple[float, float]:
    low, high = quantity.low, quantity.high
    if quantity.exact and unit == "factor":
        return low * (1 - EXACT), high * (1 + EXACT)
    return low, high


def _changed(value: float, unit: str, sign: int) -> float:
    """What there is then over what there was."""
    if unit == "share":
        return value
    if unit == "percent":
        return 1 + value if sign > 0 else max(1 - value, 0.0)
    return value if sign > 0 else _over(value)


def _over(value: float) -> float:
    return 1 / value if value else math.inf
