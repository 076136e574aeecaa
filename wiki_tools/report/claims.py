"""Says of every claim what stands behind it: a measurement, a check that counts, or nothing."""

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wiki_tools.claims import Claim
from wiki_tools.markup import Fence, Heading, Link, slugify
from wiki_tools.protocol import Status
from wiki_tools.report.counting import counts_for
from wiki_tools.report.types import ComparisonReport, PageReport, SnippetReport
from wiki_tools.snippets import check_fences
from wiki_tools.verdicts import Verdict

_ADDRESS = re.compile(r"\]\(<?(https?://[^\s()<>]{1,2000})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A measurement that a claim is held against."""

    environment: str
    """Folder name."""
    row: SnippetReport
    comparison: ComparisonReport
    verdict: Verdict

    @property
    def recorded(self) -> str:
        """When it was measured, UTC."""
        digest = self.comparison.comparison.digest
        rows = self.row.evidence.measured if self.row.evidence else ()
        return max((m.recorded for m in rows if m.digest == digest), default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A check that asserts what it counts, and has passed."""

    environment: str
    snippet: str
    line: int
    """Where the check's code begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReport:
    """A claim, and what stands behind it."""

    claim: Claim
    held: tuple[Held, ...] = ()
    counted: tuple[Counted, ...] = ()
    cited: str = ""
    """Where a growth is proved, as its line links to it, where nothing else stands behind it."""
    on: str = ""
    """Hardware that it speaks of, where nothing else stands behind it."""

    @property
    def is_backed(self) -> bool:
        """Whether it was measured, counted or proved, or waits for hardware that it names."""
        return bool(self.held or self.counted or self.cited or self.on)


def report_claims(reports: Iterable[PageReport]) -> tuple[ClaimReport, ...]:
    """Say of each claim what stands behind it, in any environment, in the order of the pages.

    A claim in an attribute is held against what its fence is compared with. One in prose or in a
    comment is tied to the claims in attributes of its section that say the same; one about
    memory, counts or growth also to a `check` fence there that counts; a growth may instead be
    proved elsewhere, where its line links to. A link on its line to
    another section of the page ties it to that one as well. What a changelog says was said then,
    and needs no evidence now: it is left out.
    """
    return tuple(found for report in reports for found in _Page.of(report).claims())


def unbacked_claims(reports: Iterable[PageReport]) -> tuple[Claim, ...]:
    """Claims that nothing stands behind, in any environment."""
    return tuple(found.claim for found in report_claims(reports) if not found.is_backed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page's claims, with what lies in its sections."""

    report: PageReport
    lines: tuple[int, ...]
    """Offset at which each line begins."""
    checks: tuple[tuple[Fence, str], ...]
    """Its check fences, each with the id of the snippet that it belongs to."""
    stated: tuple[Claim, ...]
    """Its claims in attributes, apart: prose may make ten thousand, and each looks at them."""
    links: Mapping[int, Sequence[Link]]
    """Those to sections of the page itself, by line."""
    starts: tuple[int, ...]
    """Offset at which each heading begins."""

    @classmethod
    def of(cls, report: PageReport) -> "_Page":
        text = report.page.markup.text
        starts = (0, *(match.end() for match in re.finditer("\n", text)))
        checks = check_fences(report.page) if report.claims else ()
        stated = tuple(claim for claim in report.claims if claim.source == "attribute")
        links: dict[int, list[Link]] = {}
        for link in report.page.markup.links:
            if not link.target and link.heading:
                links.setdefault(link.span.line, []).append(link)
        return cls(
            report=report,
            lines=starts,
            checks=checks,
            stated=stated,
            links=links,
            starts=tuple(heading.span.start for heading in report.page.markup.headings),
        )

    def claims(self) -> Iterator[ClaimReport]:
        old = [s.heading for s in self.report.page.sections if s.name == "changelog"]
        for claim in self.report.claims:
            at = self._offset(claim.line)
            if claim.source == "attribute":
                held = tuple(self._held(claim))
                yield ClaimReport(claim=claim, held=held, on="" if held else claim.on)
            elif not any(h.span.start <= at < h.end for h in old):
                yield self._tied(claim, at)

    def _tied(self, claim: Claim, at: int) -> ClaimReport:
        sections = [self._around(at), *self._linked(claim.line)]
        same = [
            other
            for other in self.stated
            if say_the_same(other, claim) and _within(sections, self._offset(other.line))
        ]
        held = tuple(one for other in same for one in self._held(other))
        counted = tuple(self._counted(claim, sections))
        if held or counted:
            return ClaimReport(claim=claim, held=held, counted=counted)
        on = next((other.on for other in same if other.on), "")
        cited = self._cited(claim) if claim.kind == "growth" else ""
        return ClaimReport(claim=claim, cited=cited, on=on)

    def _held(self, claim: Claim) -> Iterator[Held]:
        for environment in self.report.environments:
            for row in environment.snippets:
                for comparison in row.comparisons:
                    for verdict in comparison.verdicts:
                        if verdict.claim == claim and verdict.measurement is not None:
                            yield Held(
                                environment=environment.name,
                                row=row,
                                comparison=comparison,
                                verdict=verdict,
                            )

    def _counted(self, claim: Claim, sections: Sequence[tuple[int, int]]) -> Iterator[Counted]:
        for fence, snippet in self.checks:
            if not _within(sections, fence.span.start) or not counts_for(fence.code, claim.kind):
                continue
            for environment in self.report.environments:
                if any(row.snippet.id == snippet and _passed(row) for row in environment.snippets):
                    name = environment.name
                    yield Counted(environment=name, snippet=snippet, line=fence.line)

    def _cited(self, claim: Claim) -> str:
        """The address that a claim's line links to: how a cost grows may be proved elsewhere."""
        text = self.report.page.markup.text
        line = text[self._offset(claim.line) : self._offset(claim.line + 1)]
        found = _ADDRESS.search(line)
        return found[1] if found else ""

    def _linked(self, line: int) -> Iterator[tuple[int, int]]:
        """The sections that links on a line lead to, as far as they are the page's own."""
        for link in self.links.get(line, ()):
            for heading in self.report.page.markup.headings:
                if _leads_to(link, heading):
                    yield heading.span.start, heading.end

    def _around(self, at: int) -> tuple[int, int]:
        """Where the innermost section around an offset begins and ends: that begun last."""
        begun = bisect.bisect_right(self.starts, at)
        if not begun:
            return 0, len(self.report.page.markup.text) + 1
        heading = self.report.page.markup.headings[begun - 1]
        return heading.span.start, heading.end

    def _offset(self, line: int) -> int:
        last = len(self.report.page.markup.text) + 1
        return self.lines[line - 1] if line <= len(self.lines) else last


def _within(sections: Sequence[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in sections)


def _leads_to(link: Link, heading: Heading) -> bool:
    return link.heading in (heading.anchor, heading.slug) or (
        link.form != "markdown" and slugify(link.heading) == slugify(heading.text)
    )


def _passed(row: SnippetReport) -> bool:
    good = row.evidence is not None and row.evidence.outcome.status is Status.PASSED
    return good and not row.outdated


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
