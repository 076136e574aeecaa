"""Finds how people write how a cost grows: `O(n²)`, `linear in S`, `길이의 제곱에 비례`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wiki_tools.claims.denial import is_denied
from wiki_tools.claims.reading import Reading

NEAR = 0.2
"""How far an exponent may be from what is claimed: small sizes have other costs as well."""
LOGARITHM = 0.5
"""What a logarithm adds to an exponent at most, over the sizes that anyone measures."""
_POWERS = {
    "constant": 0, "linear": 1, "quadratic": 2, "cubic": 3, "상수": 0, "선형": 1, "이차": 2,
    "2차": 2, "삼차": 3, "3차": 3, "제곱": 2, "세제곱": 3,
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

_BIG_O = re.compile(
    r"(?<![\w.])(?:\\mathcal\s?\{O\}|\\(?:Theta|Omega)|[OΘ])\s?(?:\\left)?"
    r"\((?P<inside>[^()\n]{1,60}(?:\([^()\n]{0,20}\)[^()\n]{0,20})?)\)"
)
_TERM = re.compile(r"(?<![\\\w^])([A-Za-z](?:_\{?\w+\}?)?)(?:\s?\^\s?\{?\s?(\d+(?:\.\d+)?)\s?\}?)?")
_KNOWN = re.compile(r"[A-Za-z0-9_\s·*×+^{}.,|\\⁰¹²³⁴⁵⁶⁷⁸⁹()/]+")
_POWER = r"(?P<power>constant|linear|quadratic|cubic|logarithmic)"
_SIZE = (
    r"(?:the\s|its\s)?(?:[\w-]+\s)?(?:lengths?|sizes?|tokens?|widths?|depths?|dimensions?|sides?"
    r"|batch(?:\ssize)?|inputs?|context|number\sof\s\w+|[A-Z]|[nmkdl])\b"
)
_WORDS = (
    re.compile(
        rf"\b(?:grow|scale|ris|increas)\w{{0,3}}\s(?:only\s)?{_POWER}?(?:al)?ly\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:grow|scale|ris|increas)\w{0,3}\s(?:only\s)?(?:with|as)\sthe\s(?P<root>square|cube)"
        r"\sof\b",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![\w-]){_POWER}(?:(?:al)?ly)?\sin\s{_SIZE}", re.IGNORECASE),
    re.compile(
        rf"(?<![\w-]){_POWER}\s(?:(?:run|compute|total)[- ]?)?"
        r"(?:time|memory|space|costs?|complexity|scaling|growth)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b[A-Za-z](?P<raised>[²³]|\^[23])에\s?비례"),
    re.compile(r"\bproportional\sto\s[A-Za-z](?P<raised>[²³]|\^[23])", re.IGNORECASE),
    re.compile(r"(?P<korean>세제곱|제곱)(?:에\s?비례|으로\s?(?:늘|증가|커|비례))"),
    re.compile(
        r"(?<![가-힣])(?P<korean>선형|이차|2차|삼차|3차|로그)(?:적)?(?:으로|로)?\s?"
        r"(?:증가|늘|커|비례)"
    ),
    re.compile(
        r"(?<![가-힣])(?P<korean>선형|이차|2차|삼차|3차|로그|상수)\s(?:시간|메모리|공간|비용|복잡도)"
    ),
)  # fmt: skip
_RATES = re.compile(r"learning\srate|warm-?\s?up|\blr\b|학습률|워밍업", re.IGNORECASE)
"""What grows so by a schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How something grows, as a range of exponents of the size that counts most."""

    start: int
    end: int
    low: float
    high: float


def find_orders(text: str) -> Iterator[Growth]:
    """Find `O(...)`, in prose, code or mathematics; what is no power of sizes is passed over."""
    matches = list(_BIG_O.finditer(text))
    reading = Reading(text if matches else "")
    for match in matches:
        found = _exponents(match["inside"])
        if found is not None and not _is_unsaid(reading, match):
            yield Growth(start=match.start(), end=match.end(), low=found[0], high=found[1])


def find_growth(text: str) -> Iterator[Growth]:
    """Find growth that is told in words."""
    matches = [match for pattern in _WORDS for match in pattern.finditer(text)]
    reading = Reading(text if matches else "")
    for match in matches:
        if _RATES.search(text[max(0, match.start() - 40) : match.end() + 10]):
            continue
        found = _told({key: word for key, word in match.groupdict().items() if word})
        if found is not None and not _is_unsaid(reading, match):
            yield Growth(start=match.start(), end=match.end(), low=found[0], high=found[1])


def _is_unsaid(reading: Reading, match: re.Match[str]) -> bool:
    """Whether a text only asks, supposes or denies what it names."""
    before, after = reading.before(match.start()), reading.after(match.end())
    return is_denied(before, after, 0) or reading.asks(match.start(), match.end())


def _told(said: dict[str, str]) -> tuple[float, float] | None:
    if "raised" in said:
        return _around(3 if said["raised"] in ("³", "^3") else 2)
    if "root" in said:
        return _around(3 if said["root"].lower() == "cube" else 2)
    word = (said.get("power") or said.get("korean") or "").lower()
    if word in ("logarithmic", "로그"):
        return -NEAR, LOGARITHM
    return _around(_POWERS[word]) if word else None


def _exponents(inside: str) -> tuple[float, float] | None:
    """The exponents that `n log n` or `S^2 d` may have; None where a size is an exponent."""
    text = re.sub(r"([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"^\1", inside).translate(_SUPERSCRIPTS)
    if not _KNOWN.fullmatch(inside) or re.search(r"\^\s?\{?\s?[A-Za-z]", text):
        return None
    logs = re.compile(
        r"\\?log(?:_\{?\w\}?)?\s?\(?\s?\|?\w+\|?\)?|\\(?:cdot|times|,|;)\s?", re.IGNORECASE
    )
    rest = logs.sub(" ", text)
    powers = [float(power or 1) for _, power in _TERM.findall(rest)]
    if re.search(r"log", text, re.IGNORECASE):
        top = max(powers, default=0.0)
        return top - NEAR, top + LOGARITHM
    if not powers:
        return _around(0) if inside.strip() == "1" else None
    return _around(max(powers))


def _around(exponent: float) -> tuple[float, float]:
    return exponent - NEAR, exponent + NEAR
