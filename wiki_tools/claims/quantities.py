"""Finds how people write how much: factors, percentages and shares, in English and Korean."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.markup.ranges import read_number

NUMBERS = {
    "한": (1, 1), "두": (2, 2), "세": (3, 3), "네": (4, 4), "다섯": (5, 5), "여섯": (6, 6),
    "일곱": (7, 7), "여덟": (8, 8), "아홉": (9, 9), "열": (10, 10), "백": (100, 100),
    "천": (1000, 1000), "만": (10_000, 10_000), "몇": (2, 10), "몇십": (10, 100),
    "몇백": (100, 1000), "수십": (10, 100), "수백": (100, 1000), "수천": (1000, 10_000),
    "수만": (10_000, 100_000),
    "two": (2, 2), "three": (3, 3), "four": (4, 4), "five": (5, 5), "six": (6, 6),
    "eight": (8, 8), "ten": (10, 10), "a hundred": (100, 100), "a thousand": (1000, 1000),
    "dozens of": (10, 100), "tens of": (10, 100), "hundreds of": (100, 1000),
    "thousands of": (1000, 10_000), "several": (2, 10),
}  # fmt: skip
"""Numbers that are written out, with the range that they mean."""
SHARES = {
    "half": 1 / 2, "a third": 1 / 3, "one third": 1 / 3, "a quarter": 1 / 4, "one quarter": 1 / 4,
    "a fifth": 1 / 5, "an eighth": 1 / 8, "a tenth": 1 / 10, "one tenth": 1 / 10,
    "a hundredth": 1 / 100, "halves": 1 / 2, "halved": 1 / 2, "halving": 1 / 2, "halve": 1 / 2,
    "절반": 1 / 2, "반": 1 / 2,
}  # fmt: skip
"""Parts of a whole that are written out."""
TIMES = {
    "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3, "triples": 3,
    "tripled": 3, "tripling": 3, "quadruples": 4, "quadrupled": 4,
}  # fmt: skip
"""Factors that are written as one word."""
_UP_TO = (
    "up to", "at most", "less than", "fewer than", "no more than", "not more than",
    "never more than", "<", "최대", "까지", "이하", "미만", "or less",
)  # fmt: skip
_UNDER = _UP_TO[1:7]
"""Of a share these leave less; `up to half` may also be saved."""
_AT_LEAST = (
    "at least", "more than", "over", "no less than", "not less than", "never less than", ">",
    "최소", "이상", "초과", "넘게", "or more", "+",
)  # fmt: skip

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWER = rf"\d{{1,3}}(?:\^\{{?\d{{1,2}}\}}?|[{_RAISED}]{{1,2}})"
_PLAIN = r"\d{1,9}(?:,\d{3}){0,4}(?:\.\d{1,6})?(?:e[+-]?\d{1,2})?만?"
_NUMBER = rf"(?:(?:{_PLAIN}\s?[x×·]\s?)?{_POWER}|{_PLAIN})"
_RAISE = re.compile(
    rf"(?:(?P<factor>{_PLAIN})\s?[x×·]\s?)?(?P<base>\d+)(?:\^\{{?(?P<power>\d+)\}}?"
    rf"|(?P<raised>[{_RAISED}]+))",
    re.IGNORECASE,
)
_LOOSE = (
    r"(?P<loose>(?:up to|at most|at least|(?:n(?:o|ot|ever) )?(?:more|less) than|fewer than|over"
    r"|about|around|roughly|nearly|almost|최대|최소|약|대략|거의|무려|~|≈|>|<)\s{0,2})?"
)
_MORE = r"(?P<more>\s?(?:이상|이하|미만|초과|까지|정도|가량|넘게|or (?:more|less)\b|\+))?"
_MAKER = r"(?:GPUs?|TPUs?|CPUs?|RTX|GTX|DGX|HGX|NVIDIA|AMD|Intel|Tesla)\b"
_X = rf"[x×](?![\w×])(?!\s{{0,2}}[\d(])(?!\s{{0,2}}[A-Z]{{1,3}}\d)(?!\s{{0,2}}{_MAKER})"
_BAE = r"\s?배(?![치열포경수정합분우움운율급관선낭터속달])"


def _either(words: dict[str, int] | dict[str, float] | dict[str, tuple[int, int]]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_FORMS = {
    "factor": re.compile(
        rf"{_LOOSE}(?<![\w.,/:#^-])(?P<low>{_NUMBER})"
        rf"(?:\s?[x×배]?\s?(?:[-–—~〜∼]|to|에서)\s?(?P<high>{_NUMBER}))?"
        rf"(?:\s?(?:{_X}|-?\s?fold\b|여?{_BAE})|(?P<times>\s?times\b)){_MORE}",
        re.IGNORECASE,
    ),
    "spelt": re.compile(
        rf"{_LOOSE}(?<!\w)(?P<word>{_either(NUMBERS)})"
        rf"(?:[-\s]?fold\b|\s{_X}|{_BAE}|(?P<times>\stimes\b)){_MORE}",
        re.IGNORECASE,
    ),
    "percent": re.compile(
        rf"{_LOOSE}(?<![\w.,/:^-])(?P<low>{_NUMBER})(?:\s?%?\s?[-–—~〜∼]\s?(?P<high>{_NUMBER}))?"
        rf"\s?(?:%(?!\s?p\b|\s?포인트|p)|퍼센트(?!\s?포인트)|percent\b){_MORE}",
        re.IGNORECASE,
    ),
    "reach": re.compile(rf"{_LOOSE}\b(?:a )?factor of (?P<low>{_NUMBER})", re.IGNORECASE),
    "magnitude": re.compile(
        rf"{_LOOSE}(?:(?P<power>an|one|two|three|several)\s)?\borders? of magnitude\b"
        rf"|(?<!\w)(?P<places>한|두|세)\s?자릿수{_MORE}",
        re.IGNORECASE,
    ),
    "share": re.compile(
        rf"{_LOOSE}(?<![\w-])(?:(?P<part>{_either(SHARES)})(?<!반)(?![\w-])"
        r"|(?P<half>절반|반(?=으로|만))|(?P<whole>\d{1,4})\s?분의\s?(?:1|일)(?!\d))(?:\sof\b)?",
        re.IGNORECASE,
    ),
    "word": re.compile(rf"{_LOOSE}(?<![\w-])(?P<times>{_either(TIMES)})(?![\w-])", re.IGNORECASE),
}  # fmt: skip
"""Form to what is written so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """How much of something a text speaks of, whatever it is."""

    start: int
    end: int
    unit: str
    """`factor`, `percent` (of change, as a share of one) or `share` (of what it was)."""
    low: float
    high: float
    exact: bool = False
    """One number, without a word that makes it loose."""
    ranged: bool = False
    """Two numbers: `2-8x`."""
    closed: bool = False
    """What it is a quantity of follows at once: `3 times` may also count repetitions."""
    worded: bool = False
    """It has no number, and says little without what follows."""


def find_quantities(text: str) -> Iterator[Quantity]:
    """Find the quantities of a text, in no order."""
    for form, pattern in _FORMS.items():
        for match in pattern.finditer(text):
            if (found := _read(form, match)) is not None:
                yield found


def _read(form: str, match: re.Match[str]) -> Quantity | None:
    said = {name: word for name, word in match.groupdict().items() if word}
    word = (said.get("loose") or said.get("more") or "").strip().lower()
    unit = form if form in ("percent", "share") else "factor"
    low, high = _values(form, said)
    if form == "magnitude" and not word:
        word = "about"
    if not 0 < low <= high < math.inf:
        return None
    grows_from_none = unit == "percent" or (unit == "share" and word in _UNDER)
    ends = _ends(word, low, high, 0.0 if grows_from_none else 1.0)
    return Quantity(
        start=match.end() - len(match[0].lstrip()),
        end=match.end(),
        unit=unit,
        low=ends[0],
        high=ends[1],
        exact=low == high and not word,
        ranged="high" in said,
        closed="times" in said or form == "magnitude",
        worded=form in ("share", "word"),
    )


def _values(form: str, said: dict[str, str]) -> tuple[float, float]:
    """The lowest and the highest number that a form says."""
    if form == "spelt":
        return NUMBERS[said["word"].lower()]
    if form == "word":
        low: float = TIMES[said["times"].lower()]
    elif form == "share":
        part = said.get("part") or said.get("half")
        low = SHARES[part.lower()] if part else 1 / max(int(said["whole"]), 1)
    elif form == "magnitude":
        places = said.get("power") or said.get("places") or ""
        low = 10.0 ** {"two": 2, "두": 2, "three": 3, "세": 3}.get(places.lower(), 1)
    else:
        scale = 0.01 if form == "percent" else 1.0
        low = _number(said["low"]) * scale
        return low, _number(said["high"]) * scale if "high" in said else low
    return low, low


def _number(text: str) -> float:
    """Read `1,000`, `1.5만`, `1e3`, `10^3` and `2·10³`."""
    raised = _RAISE.fullmatch(text)
    if raised is None:
        return read_number(text.removesuffix("만")) * (10_000 if text.endswith("만") else 1)
    factor = _number(raised["factor"]) if raised["factor"] else 1.0
    power = raised["power"] or raised["raised"].translate(str.maketrans(_RAISED, "0123456789"))
    return factor * float(raised["base"]) ** int(power)


def _ends(word: str, low: float, high: float, least: float) -> tuple[float, float]:
    """What a word before or behind a number makes of it; `least` changes nothing."""
    if word in _UP_TO:
        return min(least, high), max(least, high)
    if word in _AT_LEAST:
        return low, math.inf
    if word and low == high:
        return low / math.sqrt(10), high * math.sqrt(10)
    return low, high
