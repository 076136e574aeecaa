"""Finds what a text claims of speed, memory and counts, in English and Korean."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.claims.quantities import TIMES, Quantity, find_quantities
from wiki_tools.claims.vocabulary import (
    DENIED,
    DENIES,
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

NEAR = 48
"""Characters on either side of a quantity in which what it is of is looked for."""
_ENDS = re.compile(r"[.!?;|。](?!\d)")
_TO = re.compile(r"\b(?:to|down to)\s$", re.IGNORECASE)
_TO_KOREAN = re.compile(r"[)\]*_\s]*(?:로|으로)\s")
_VERBS = {"halves", "halved", "halving", "halve", *(word for word in TIMES if word != "twice")}


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
    for quantity in find_quantities(text):
        before, _ = _plain(_ENDS.split(text[max(0, quantity.start - NEAR) : quantity.start])[-1])
        after, places = _plain(_ENDS.split(text[quantity.end : quantity.end + NEAR], maxsplit=1)[0])
        word = text[quantity.start : quantity.end].rpartition(" ")[2].lower()
        meant = _meaning(quantity, before, after, word)
        if meant is None or DENIED.search(before) or DENIES.match(after):
            continue
        unit = quantity.unit
        if unit == "percent" and (_TO.search(before) or _TO_KOREAN.match(after)):
            unit = "share"  # reduced to 25%, not by
        kind, low, high = _ratio(quantity, unit, meant)
        end = quantity.end + (places[meant.end] if quantity.worded else 0)
        yield Phrase(start=quantity.start, end=end, kind=kind, low=low, high=high)


def _plain(text: str) -> tuple[str, list[int]]:
    """A text without emphasis and with single spaces, and where each of its characters stood."""
    kept: list[tuple[str, int]] = []
    for place, letter in enumerate(text):
        space = letter.isspace()
        if letter not in "*_" and not (space and kept and kept[-1][0] == " "):
            kept.append((" " if space else letter, place))
    return "".join(letter for letter, _ in kept), [*(place for _, place in kept), len(text)]


def _meaning(quantity: Quantity, before: str, after: str, word: str) -> _Meant | None:
    for rule in RULES:
        if quantity.unit not in rule.units or (quantity.closed and _is_loose(rule)):
            continue
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


def _is_loose(rule: Rule) -> bool:
    """Whether a rule takes any end of a phrase for what follows."""
    return rule.after.pattern == STOP.pattern


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
