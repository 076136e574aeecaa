"""Finds how people write ratios, in English and Korean."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.markup.ranges import EXACT, read_number

WORDS = {
    "한": (1, 1), "두": (2, 2), "세": (3, 3), "네": (4, 4), "다섯": (5, 5), "여섯": (6, 6),
    "일곱": (7, 7), "여덟": (8, 8), "아홉": (9, 9), "열": (10, 10), "백": (100, 100),
    "천": (1000, 1000), "몇": (2, 10), "몇십": (10, 100), "몇백": (100, 1000),
    "수십": (10, 100), "수백": (100, 1000), "수천": (1000, 10_000), "수만": (10_000, 100_000),
    "two": (2, 2), "three": (3, 3), "four": (4, 4), "five": (5, 5), "six": (6, 6),
    "eight": (8, 8), "ten": (10, 10), "a hundred": (100, 100), "a thousand": (1000, 1000),
    "hundreds of": (100, 1000), "thousands of": (1000, 10_000), "several": (2, 10),
}  # fmt: skip
"""Numbers that are written out, with the range that they mean."""

_NUMBER = r"\d{1,9}(?:,\d{3})*(?:\.\d{1,6})?"
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_TIMES = r"(?:[x×](?![\w×])(?!\s{0,2}[\d(])(?!\s{0,2}[A-Z]{1,3}\d)|-?\s?fold\b|\s?times\b)"
_BAE = r"\s?배(?![치열포경수정합분우움운율급관선낭터속달])"
_LOOSE = (
    r"(?P<loose>(?:up to|at most|at least|more than|over|about|around|roughly|nearly|almost"
    r"|최대|최소|약|대략|거의|~|≈|>)\s{0,2})?"
)
_MORE = r"(?P<more>\s?(?:이상|이하|까지|정도|가량|넘게|or more|\+))?"

FACTOR = re.compile(
    rf"{_LOOSE}(?<![\w.,/:#-])(?P<low>{_NUMBER})"
    rf"(?:\s?[x×배]?\s?(?:[-–—~〜∼]|to|에서)\s?(?P<high>{_NUMBER}))?"
    rf"(?:\s?{_TIMES}|{_BAE}){_MORE}",
    re.IGNORECASE,
)
SPELT = re.compile(rf"{_LOOSE}(?<!\w)(?P<word>{_WORD})(?:\s{_TIMES}|{_BAE}){_MORE}", re.IGNORECASE)
PERCENT = re.compile(
    rf"{_LOOSE}(?<![\w.,/:-])(?P<low>{_NUMBER})(?:\s?%?\s?[-–—~〜]\s?(?P<high>{_NUMBER}))?"
    rf"\s?(?:%|퍼센트|percent\b)(?!\s?(?:confidence|interval|CI\b|신뢰|구간)){_MORE}",
    re.IGNORECASE,
)
MAGNITUDE = re.compile(
    r"(?P<count>an|one|two|three|several)?\s?\borders? of magnitude\b"
    r"|(?P<korean>한|두|세)\s?자릿수",
    re.IGNORECASE,
)
IDIOM = re.compile(
    r"\b(?P<twice>twice as (?:fast|slow)|doubl(?:es?|ed|ing) the (?:speed|throughput))\b"
    r"|\b(?P<half>half (?:of )?(?:the|as much) (?:peak )?(?:memory|vram|time|latency))\b"
    r"|(?P<halb>(?:메모리|VRAM|시간|지연)[가-힣]{0,2}\s?(?:사용량[이을]?\s?)?(?:절반|반으로))",
    re.IGNORECASE,
)

SLOW = re.compile(r"slow|느리|느림|느려|느린|더디", re.IGNORECASE)
FAST = re.compile(
    r"fast|quick|speed|throughput|latency|performance"
    r"|빠르|빠름|빠른|빨라|빨리|속도|처리량|가속|성능|지연",
    re.IGNORECASE,
)
MEMORY = re.compile(r"memory|vram|footprint|메모리|활성값 크기", re.IGNORECASE)
LESS = re.compile(
    r"less|fewer|smaller|lower|reduc|cut|sav|절감|감소|줄|적게|적음|아끼|절약|단축", re.IGNORECASE
)
GAIN = re.compile(
    r"fast|slow|quick|speed-?up|improve|gain|boost|increase|throughput|빠|빨|느|향상|개선|단축|증가|감소|가속",
    re.IGNORECASE,
)
SIZE = re.compile(
    r"dim|width|hidden|channel|param|larger|bigger|upsampl|zoom|차원|크기|채널|파라미터|확대|축소",
    re.IGNORECASE,
)
"""What a bare range of factors speaks of when it is no claim about speed."""
_ENDS = re.compile(r"[.!?;|。\n](?!\d)")
NEAR = 48
"""Characters on either side of a number in which the word that it belongs to is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A ratio that a text states."""

    start: int
    end: int
    kind: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What stands around a number in its own sentence."""

    before: str
    after: str

    @property
    def both(self) -> str:
        return f"{self.before} {self.after}"


def find_phrases(text: str) -> tuple[Phrase, ...]:
    """Find the ratios of speed or memory that a text states, in order, without overlaps."""
    found = sorted(_all(text), key=lambda p: (p.start, -p.end))
    kept: list[Phrase] = []
    for phrase in found:
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return tuple(kept)


def _all(text: str) -> Iterator[Phrase]:
    for match in FACTOR.finditer(text):
        low = read_number(match["low"])
        high = read_number(match["high"]) if match["high"] else low
        yield from _factor(text, match, low, high)
    for match in SPELT.finditer(text):
        yield from _factor(text, match, *WORDS[match["word"].lower()])
    for match in PERCENT.finditer(text):
        yield from _percent(text, match)
    for match in MAGNITUDE.finditer(text):
        power = {"two": 2, "두": 2, "three": 3, "세": 3}.get(
            (match["count"] or match["korean"] or "").lower(), 1
        )
        yield from _factor(text, match, 10.0**power, 10.0**power, loose="~")
    for match in IDIOM.finditer(text):
        yield from _idiom(match)


def _factor(
    text: str, match: re.Match[str], low: float, high: float, loose: str = ""
) -> Iterator[Phrase]:
    around = _around(text, match)
    kind = _kind(around)
    if not kind and low < high and not SIZE.search(around.both):
        kind = "speedup"
    if not kind or not 0 < low <= high:
        return
    low, high = _loosened(match, low, high, loose)
    if kind == "memory" and LESS.search(around.after or around.both):
        low, high = 1 / high if high else 0.0, 1 / low if low else math.inf
    yield Phrase(start=match.start(), end=match.end(), kind=kind, low=low, high=high)


def _percent(text: str, match: re.Match[str]) -> Iterator[Phrase]:
    around = _around(text, match, NEAR // 2)
    kind, after = _kind(around), around.after[:24]
    shares = [read_number(match[g]) / 100 for g in ("low", "high") if match[g]]
    low, high = min(shares), max(shares)
    less = bool(LESS.search(after))
    if kind == "memory" and less and high < 1:
        low, high = _loosened(match, 1 - high, 1 - low, "")
    elif kind in ("speedup", "slowdown") and GAIN.search(after):
        shorter = less and high < 1
        low, high = (1 / (1 - low), 1 / (1 - high)) if shorter else (1 + low, 1 + high)
        low, high = _loosened(match, low, high, "")
    else:
        return
    yield Phrase(start=match.start(), end=match.end(), kind=kind, low=low, high=high)


def _idiom(match: re.Match[str]) -> Iterator[Phrase]:
    words = match[0].lower()
    start, end = match.span()
    if match["twice"]:
        kind = "slowdown" if "slow" in words else "speedup"
        yield Phrase(start=start, end=end, kind=kind, low=2 * (1 - EXACT), high=2 * (1 + EXACT))
    elif re.search("memory|vram|메모리", words):
        yield Phrase(
            start=start, end=end, kind="memory", low=0.5 * (1 - EXACT), high=0.5 * (1 + EXACT)
        )
    else:
        yield Phrase(
            start=start, end=end, kind="speedup", low=2 * (1 - EXACT), high=2 * (1 + EXACT)
        )


def _around(text: str, match: re.Match[str], near: int = NEAR) -> _Around:
    start, end = match.span()
    before = _ENDS.split(text[max(0, start - near) : start])[-1]
    after = _ENDS.split(text[end : end + near])[0]
    return _Around(before=before, after=after)


def _kind(around: _Around) -> str:
    """What the nearest word speaks of: behind a number it counts for more than before it."""
    for words in (around.after, around.before):
        found = [
            (match.start(), kind)
            for kind, pattern in (("slowdown", SLOW), ("memory", MEMORY), ("speedup", FAST))
            if (match := pattern.search(words))
        ]
        if found:
            return min(found)[1]
    return ""


def _loosened(match: re.Match[str], low: float, high: float, loose: str) -> tuple[float, float]:
    groups = match.groupdict()
    word = (loose or groups.get("loose") or groups.get("more") or "").strip().lower()
    if word in ("up to", "at most", "최대", "까지", "이하"):
        return min(1.0, high), high
    if word in ("at least", "more than", "over", "최소", ">", "이상", "넘게", "or more", "+"):
        return low, math.inf
    if low < high:
        return low, high
    if word:
        return low / math.sqrt(10), high * math.sqrt(10)
    return low * (1 - EXACT), high * (1 + EXACT)
