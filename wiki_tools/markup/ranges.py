"""Reads the range of ratios that an attribute claims."""

import math
import re

NUMBER = r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?"
_FORMS = re.compile(
    rf"\s*(?:(?P<open>{NUMBER})?\.\.(?P<to>{NUMBER})?|(?P<sign>[<>]=?|[~≈])?\s*(?P<one>{NUMBER}))"
    r"\s*(?P<unit>[x×%배]?)\s*",
    re.ASCII,
)
EXACT = 0.1
"""How far a bare number reaches, as a share of it."""


def parse_range(text: str) -> tuple[float, float]:
    """Read `2..8`, `..3`, `3..`, `>1.5`, `~1000` or `2` as the lowest and the highest ratio.

    `~n` reaches from n/√10 to n·√10, half an order of magnitude either way; a bare number ±10%.
    An open end is 0 or `math.inf`. A unit may follow: `2x`, `2배`, `50%`.

    Raises:
        ValueError: it is none of these, or the range is empty.
    """
    found = _FORMS.fullmatch(text)
    if found is None or not (found["one"] or found["open"] or found["to"]):
        raise ValueError(f'{text!r} is no range; write 2..8, ..3, ">1.5", ~1000 or 2')
    scale = 0.01 if found["unit"] == "%" else 1.0
    if found["one"]:
        low, high = _around(found["sign"] or "", read_number(found["one"]) * scale)
    else:
        low = read_number(found["open"]) * scale if found["open"] else 0.0
        high = read_number(found["to"]) * scale if found["to"] else math.inf
    if low > high:
        raise ValueError(f"{text!r} is empty: {low:g} is above {high:g}")
    return low, high


def _around(sign: str, number: float) -> tuple[float, float]:
    if sign in ("~", "≈"):
        return number / math.sqrt(10), number * math.sqrt(10)
    if sign.startswith(">"):
        return number, math.inf
    if sign.startswith("<"):
        return 0.0, number
    return number * (1 - EXACT), number * (1 + EXACT)


def read_number(text: str) -> float:
    """Read `1,000` as a thousand and `2.5` as two and a half.

    Raises:
        ValueError: it is neither, such as `1.2.3`, or larger than any ratio, such as `1e999`.
    """
    number = float(text.replace(",", ""))
    if math.isinf(number):
        raise ValueError(f"{text!r} is larger than any ratio")
    return number
