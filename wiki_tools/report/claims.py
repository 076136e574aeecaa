"""Finds claims that no measurement stands behind."""

import math
import re
from collections.abc import Iterable, Iterator

from wiki_tools.claims import Claim
from wiki_tools.pages import Page
from wiki_tools.report.types import PageReport


def unbacked_claims(reports: Iterable[PageReport]) -> tuple[Claim, ...]:
    """Claims that no measurement stands behind, in any environment.

    A claim in prose or in a comment is backed where its section holds a fence that makes the
    same claim in its attributes and that was measured, whatever came
    out. What a changelog says was said then, and needs no evidence now.
    """
    return tuple(claim for report in reports for claim in _unbacked(report))


def _unbacked(report: PageReport) -> Iterator[Claim]:
    measured = {
        row.snippet.id
        for environment in report.environments
        for row in environment.snippets
        if any(c.measurement is not None for c in row.comparisons)
    }
    stated = [c for c in report.claims if c.source == "attribute"]
    history = [s.heading for s in report.page.sections if s.name == "changelog"]
    lines = _line_starts(report.page.markup.text)
    for claim in report.claims:
        start = lines[min(claim.line, len(lines)) - 1]
        if claim.source == "attribute":
            if claim.snippet not in measured and not claim.on:
                yield claim
        elif not any(h.span.start <= start < h.end for h in history) and not any(
            other.snippet in measured
            and say_the_same(other, claim)
            and _same_section(report.page, start, lines[other.line - 1])
            for other in stated
        ):
            yield claim


def _same_section(page: Page, claim: int, fence: int) -> bool:
    """Say whether the innermost section around a claim holds a fence; both are offsets."""
    around = [h for h in page.markup.headings if h.span.start <= claim < h.end]
    return not around or around[-1].span.start <= fence < around[-1].end


def say_the_same(one: Claim, other: Claim) -> bool:
    """Say whether two claims name the same numbers, or the same ratios in other words.

    `2-8x` is `2..8`, `about 1000 times slower` is `~1000`; `13% faster` is `1.13`, `half the
    memory` is `0.5`.
    """
    if numerals(one.text) == numerals(other.text) != frozenset():
        return True
    ranges = zip((one.low, one.high), (other.low, other.high), strict=True)
    return one.kind == other.kind and all(math.isclose(a, b, rel_tol=1e-6) for a, b in ranges)


def numerals(text: str) -> frozenset[float]:
    """The numbers of a claim: `2-8x`, `2..8` and `2-8배` say the same."""
    found = re.findall(r"\d+(?:[.,]\d+)*", text.replace("..", " "))
    return frozenset(_number(number) for number in found)


def _number(text: str) -> float:
    plain = text.replace(",", "")
    return float(plain) if plain.count(".") < 2 else float("nan")


def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in re.finditer("\n", text)))
