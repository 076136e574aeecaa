"""What a page asserts about its snippets."""

import io
import math
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiki_tools.markup import Fence, is_code
from wiki_tools.pages import Page
from wiki_tools.snippets import Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A quantitative statement and the range of ratios that would make it true."""

    path: str
    line: int
    column: int
    text: str
    """As the page has it: `2..8`, `2-8배`."""
    kind: str
    """`speedup`, `slowdown` or `memory`."""
    low: float
    high: float
    """`math.inf` where open."""
    source: str
    """`attribute` (of a fence), `comment` (in code) or `prose`."""
    snippet: str = ""
    """Id of the snippet that it speaks of; empty for prose."""
    on: str = ""
    """Hardware that it speaks of, such as `cuda>=8.0`."""
    expected: str = ""
    """`refuted` where the page says that it knows."""


KINDS = ("speedup", "slowdown", "memory")
"""Attributes that make a claim."""

NUMBER = r"\d[\d,]*(?:\.\d+)?"
RANGE = re.compile(
    rf"(?P<about>~)?(?P<low>{NUMBER})?(?P<dots>\.\.)?(?P<high>{NUMBER})?x?"
    rf"|(?P<sign>[<>]=?)\s*(?P<edge>{NUMBER})x?"
)
NEAR = 0.1
"""A bare number means itself within this share."""
ROUGHLY = math.sqrt(10)
"""`~n` means n within this factor."""


def find_claims(page: Page, snippets: Sequence[Snippet]) -> tuple[Claim, ...]:
    """Find the claims of a page: in attributes of fences, in comments of code and in prose.

    Args:
        page: the page, in any language.
        snippets: those of this very page, so that lines are its own.
    """
    owners = {snippet.fence.line: snippet for snippet in snippets}
    found = [
        *(claim for snippet in snippets for claim in _stated(page, snippet)),
        *(c for fence in page.markup.fences for c in _commented(page, fence, owners)),
        *_said(page),
    ]
    return tuple(sorted(found, key=lambda claim: (claim.line, claim.column)))


def parse_range(text: str) -> tuple[float, float]:
    """Read the ratios that an attribute allows: `2..8`, `..3`, `>1.5`, `~1000`, `2`.

    `~n` is n/√10 to n·√10, and a bare number means itself within 10%.

    Raises:
        ValueError: the text is no range; the message quotes it.
    """
    found = RANGE.fullmatch(text.strip())
    if found is None or not any(found.group("low", "high", "edge")):
        raise ValueError(f"{text!r} is no range of ratios; write 2..8, ..3, >1.5, ~1000 or 2")
    if found["sign"]:
        edge = _number(found["edge"])
        return (edge, math.inf) if found["sign"].startswith(">") else (0.0, edge)
    low, high = (_number(found[g]) if found[g] else None for g in ("low", "high"))
    if found["dots"] and not found["about"]:
        pair = low or 0.0, high if high is not None else math.inf
        if pair[0] > pair[1]:
            raise ValueError(f"{text!r} begins above its end")
        return pair
    if low is None or high is not None or found["dots"]:
        raise ValueError(f"{text!r} is no range of ratios; write 2..8, ..3, >1.5, ~1000 or 2")
    if found["about"]:
        return low / ROUGHLY, low * ROUGHLY
    return low * (1 - NEAR), low * (1 + NEAR)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _stated(page: Page, snippet: Snippet) -> Iterator[Claim]:
    fence = snippet.fence
    for kind in KINDS:
        text = fence.attributes.get(kind)
        if text is None:
            continue
        try:
            low, high = parse_range(text)
        except ValueError:
            continue  # markup has said so, with its place
        yield Claim(
            path=page.path,
            line=fence.info_span.line,
            column=fence.info_span.column + max(fence.info.find(f"{kind}="), 0),
            text=text,
            kind=kind,
            low=low,
            high=high,
            source="attribute",
            snippet=snippet.id,
            on=fence.attributes.get("on", ""),
            expected=fence.attributes.get("expect", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A way in which people write a claim."""

    pattern: re.Pattern[str]
    """With groups `low` and maybe `high`."""
    percent: bool = False


_DASH = r"\s*(?:-|–|—|~|∼|to|에서)\s*"
_FASTER = (
    r"faster|quicker|speed-?\s?ups?|speedier|throughput|빠[르른름릅를르]|빨[라랐]|가속|향상|속도"
)
_SLOWER = r"slower|slow-?\s?downs?|느[리린림릴]|느려|저하"
_SMALLER = (
    r"(?:less|smaller|fewer|lower)(?:\s+\w+)?\s+(?:memory|bytes|parameters)|memory|bytes"
    r"|메모리|파라미터"
)
_ABOUT = rf"(?P<word>{_FASTER}|{_SLOWER}|{_SMALLER})"
_NEAR_BY = rf"(?=[^\n.;。]{{0,24}}?{_ABOUT})"

PHRASES: tuple[Phrase, ...] = (
    Phrase(pattern=re.compile(rf"(?P<low>{NUMBER}){_DASH}(?P<high>{NUMBER})\s*(?:x\b|×|배)", re.I)),
    Phrase(
        pattern=re.compile(rf"(?P<low>{NUMBER}){_DASH}(?P<high>{NUMBER})\s*times\b{_NEAR_BY}", re.I)
    ),
    Phrase(
        pattern=re.compile(rf"(?P<low>{NUMBER})\s*(?:x\b(?!\s*\d)|×(?!\s*\d)|배){_NEAR_BY}", re.I)
    ),
    Phrase(pattern=re.compile(rf"(?P<low>{NUMBER})\s*times\b{_NEAR_BY}", re.I)),
    Phrase(pattern=re.compile(rf"(?P<low>{NUMBER})\s*%{_NEAR_BY}", re.I), percent=True),
    Phrase(
        pattern=re.compile(rf"(?P<low>(?:an\s+|\d+\s+)?orders?\s+of\s+magnitude){_NEAR_BY}", re.I)
    ),
)
"""Tried in this order; what an earlier one took, a later one leaves."""

_NOT_BEFORE = re.compile(r"[\w.×/:#-]$")
"""A number that goes on to the left: a version, a date, a shape, an identifier."""


def _commented(page: Page, fence: Fence, owners: dict[int, Snippet]) -> Iterator[Claim]:
    if not is_code(fence.language):
        return
    owner = owners.get(fence.line)
    lines = page.markup.text.split("\n")
    for line, comment in _comments(fence.code):
        place = fence.line + line - 1
        whole = lines[place - 1] if place <= len(lines) else ""
        offset = max(whole.rfind(comment), 0)
        for text, start, low, high, kind in find_phrases(comment):
            yield Claim(
                path=page.path,
                line=place,
                column=offset + start + 1,
                text=text,
                kind=kind,
                low=low,
                high=high,
                source="comment",
                snippet=owner.id if owner else "",
            )


def _comments(code: str) -> Iterator[tuple[int, str]]:
    """Comments of code with their 1-based lines; what cannot be read has none."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError, ValueError):
        return


def _said(page: Page) -> Iterator[Claim]:
    text = page.markup.text
    for span in page.markup.prose:
        piece = text[span.start : span.end]
        for words, start, low, high, kind in find_phrases(piece):
            before = piece[:start]
            line = span.line + before.count("\n")
            broken = before.rfind("\n")
            column = start - broken if broken >= 0 else span.column + start
            yield Claim(
                path=page.path,
                line=line,
                column=column,
                text=words,
                kind=kind,
                low=low,
                high=high,
                source="prose",
            )


def find_phrases(text: str) -> list[tuple[str, int, float, float, str]]:
    """Claims in a piece of Korean or English: words, offset, range and kind."""
    found: list[tuple[str, int, float, float, str]] = []
    taken: list[tuple[int, int]] = []
    for phrase in PHRASES:
        for match in phrase.pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            if _NOT_BEFORE.search(text[: match.start()]) or _in_code(text, match.start()):
                continue
            taken.append(match.span())
            low, high = _ratios(match, phrase.percent)
            found.append((match[0].strip(), match.start(), low, high, _kind(text, match)))
    return sorted(found, key=lambda row: row[1])


def _in_code(text: str, offset: int) -> bool:
    """Inside of `inline code`, which quotes and does not claim."""
    return text.count("`", text.rfind("\n\n", 0, offset) + 1, offset) % 2 == 1


def _ratios(match: re.Match[str], percent: bool) -> tuple[float, float]:
    groups = match.groupdict()
    if "magnitude" in groups["low"].casefold():
        digits = re.match(r"\d+", groups["low"])
        middle = 10.0 ** min(int(digits[0]) if digits else 1, 30)
        return middle / ROUGHLY, middle * ROUGHLY
    low = _number(groups["low"])
    if percent:
        low = 1 + low / 100
    if groups.get("high"):
        return tuple(sorted((low, _number(groups["high"]))))  # type: ignore[return-value]
    return low * (1 - NEAR), low * (1 + NEAR)


def _kind(text: str, match: re.Match[str]) -> str:
    words = match.groupdict().get("word") or text[match.start() : match.end() + 30]
    if re.search(_SLOWER, words, re.I):
        return "slowdown"
    if re.search(_FASTER, words, re.I):
        return "speedup"
    return "memory" if re.search(_SMALLER, words, re.I) else "speedup"
