"""Reads what attributes say in numbers: the range of ratios that one claims, sizes."""

import math
import re

NUMBER = r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?"
_FORMS = re.compile(
    rf"\s*(?:(?P<open>{NUMBER})?\.\.(?P<to>{NUMBER})?|(?P<sign>[<>]=?|[~≈])?\s*(?P<one>{NUMBER}))"
    r"\s*(?P<unit>[x×%배]?)\s*",
    re.ASCII,
)
_SWEEP = re.compile(r"(?P<axis>[^\W\d]\w*):(?P<sizes>-?[0-9]{1,15}(?:,-?[0-9]{1,15})*)")
LONGEST = 100
"""Characters of a range: what is longer is none."""
MOST = 32
"""Sizes of a sweep: each is measured for as long as a comparison may take."""
EXACT = 0.1
"""How far a bare number reaches, as a share of it."""


class SenselessError(ValueError):
    """A value has the form, and makes no sense."""

    def __init__(self, reason: str, remedy: str) -> None:
        """Say what is wrong, as a sentence goes on, and what to do."""
        super().__init__(f"{reason}; {remedy}")
        self.reason, self.remedy = reason, remedy


def parse_range(text: str) -> tuple[float, float]:
    """Read `2..8`, `..3`, `3..`, `>1.5`, `~1000` or `2` as the lowest and the highest ratio.

    `~n` reaches from n/√10 to n·√10, half an order of magnitude either way; a bare number ±10%.
    An open end is 0 or `math.inf`. A unit may follow: `2x`, `2배`, `50%`.

    Raises:
        ValueError: it is none of these, or the range is empty.
    """
    found = _FORMS.fullmatch(text) if len(text) <= LONGEST else None
    if found is None or not (found["one"] or found["open"] or found["to"]):
        raise ValueError(f'{text[:LONGEST]!r} is no range; write 2..8, ..3, ">1.5", ~1000 or 2')
    scale = 0.01 if found["unit"] == "%" else 1.0
    if found["one"]:
        low, high = _around(found["sign"] or "", read_number(found["one"]) * scale)
    else:
        low = read_number(found["open"]) * scale if found["open"] else 0.0
        high = read_number(found["to"]) * scale if found["to"] else math.inf
    if low > high:
        reason = f"is an empty range: {low:g} is above {high:g}"
        raise SenselessError(reason, "Write the smaller number first.")
    return low, high


def _around(sign: str, number: float) -> tuple[float, float]:
    if sign in ("~", "≈"):
        return number / math.sqrt(10), number * math.sqrt(10)
    if sign.startswith(">"):
        return number, math.inf
    if sign.startswith("<"):
        return 0.0, number
    return number * (1 - EXACT), number * (1 + EXACT)


def read_sizes(text: str) -> tuple[str, tuple[int, ...]]:
    """Read `S:128,512` as the name of a size and its values.

    Raises:
        ValueError: it has another form, or cannot be measured so.
    """
    found = _SWEEP.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:LONGEST]!r} names no sizes; write S:128,512,2048")
    sizes = tuple(int(size) for size in found["sizes"].split(","))
    if min(sizes) < 1:
        raise SenselessError(f"has the size {min(sizes)}", "Write sizes from 1 on.")
    if len(sizes) > MOST:
        reason = f"has {len(sizes):,} sizes, and each is measured"
        raise SenselessError(reason, f"Choose {MOST} at most, such as every second or each double.")
    if len(set(sizes)) < len(sizes):
        twice = next(size for size in sizes if sizes.count(size) > 1)
        raise SenselessError(f"has the size {twice} more than once", "Write each size once.")
    return found["axis"], sizes


def read_number(text: str) -> float:
    """Read `1,000` as a thousand and `2.5` as two and a half.

    Raises:
        ValueError: it is neither, such as `1.2.3`, or larger than any ratio, such as `1e999`.
    """
    number = float(text.replace(",", ""))
    if math.isinf(number):
        raise ValueError(f"{text!r} is larger than any ratio")
    return number
