"""What a run shows that an earlier one did not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wiki_tools.environment import Environment, folder_name
from wiki_tools.ledger import LOCAL, Evidence, Ledger
from wiki_tools.measure import BUSY, Measurement, summarize
from wiki_tools.protocol import Status
from wiki_tools.report.findings import Finding
from wiki_tools.report.status import FAILED, is_disowned
from wiki_tools.report.types import ComparisonReport, SnippetReport
from wiki_tools.report.words import compared_with, interval
from wiki_tools.stats import Interval
from wiki_tools.verdicts import judge

RAN = {Status.PASSED, *FAILED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What a run is compared with: the evidence of one environment."""

    name: str
    """Its folder."""
    evidence: Mapping[str, Evidence]
    """By snippet id."""
    same: bool
    """It is this very kind of environment, so that ratios may be compared."""

    @property
    def recorded(self) -> str:
        """When its newest evidence was recorded, UTC."""
        return max(row.recorded for row in self.evidence.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A snippet that does not end as it did."""

    row: SnippetReport
    before: str
    """How it ended before: a status, `refuted`, or `new`."""
    finding: Finding | None = None
    """What is wrong now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A ratio of which both intervals are disjoint."""

    row: SnippetReport
    comparison: ComparisonReport
    before: Interval
    now: Interval

    @property
    def word(self) -> str:
        """`regression` or `improvement`: more is better, but of memory, of which less is."""
        memory = self.comparison.comparison.pairing.metric == "memory"
        return "improvement" if (self.now.low > self.before.high) != memory else "regression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is otherwise than in the base, in the order of the pages."""

    failing: tuple[Change, ...] = ()
    """Wrong now and not before; new ones are among them."""
    still: tuple[Change, ...] = ()
    """Wrong before and now."""
    passing: tuple[Change, ...] = ()
    """Passed now, and was wrong or did not run before."""
    gone: tuple[Change, ...] = ()
    """Ran before and does not run now."""
    moved: tuple[Moved, ...] = ()
    new: tuple[SnippetReport, ...] = ()
    removed: tuple[str, ...] = ()
    """Ids of snippets that the base knows and the pages no longer have."""


def choose_base(ledger: Ledger, environment: Environment, *, local: bool) -> Base | None:
    """Choose what to compare with: the same kind of environment, else another of that device.

    Args:
        ledger: the evidence to choose from.
        environment: where the run took place.
        local: whether what a machine keeps for itself (`evidence/local`) may be chosen.
    """
    ours = folder_name(environment)
    found = []
    for name, evidence in ledger.evidence.items():
        if not evidence or (name == LOCAL and not local):
            continue
        theirs = max(evidence.values(), key=lambda row: row.recorded).environment
        if theirs.device == environment.device:
            same = folder_name(theirs) == ours
            found.append(Base(name=name, evidence=evidence, same=same))
    found.sort(key=lambda base: (base.same, base.name != LOCAL, base.recorded))
    return found[-1] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparer:
    """Holds each snippet against what the base knows of it."""

    base: Base
    findings: Mapping[str, Finding]
    """What is wrong now, the first of each snippet."""
    before: Mapping[str, Evidence] = field(default_factory=dict)
    """What the base knows, by today's ids."""

    def wrong_before(self, row: SnippetReport) -> str:
        """How a snippet was wrong before; empty where it was not."""
        known = self.before.get(row.snippet.id)
        if known is None:
            return ""
        if known.outcome.status in FAILED:
            return known.outcome.status.value
        for comparison in row.comparisons:
            seen = measured_before(comparison, known)
            for verdict in comparison.verdicts:
                if is_disowned(judge(verdict.claim, seen, known.environment)):
                    return "refuted"
        return ""

    def changed(self, row: SnippetReport) -> tuple[str, Change] | None:
        """The list of `Changes` that a snippet belongs to, and how it changed."""
        known = self.before.get(row.snippet.id)
        was = known.outcome.status if known else None
        now = row.evidence.outcome.status if row.evidence else None
        wrong = self.wrong_before(row)
        finding = self.findings.get(row.snippet.id)
        words = wrong or (was.value if was else "new")
        change = Change(row=row, before=words, finding=finding)
        if finding is not None:
            return ("still" if wrong else "failing"), change
        if was in RAN and now not in RAN:
            return "gone", change
        if now is Status.PASSED and (wrong or (was is not None and was is not Status.PASSED)):
            return "passing", change
        return None

    def moved(self, row: SnippetReport) -> Iterator[Moved]:
        """Ratios of a snippet whose intervals are apart; a busy machine decides nothing."""
        known = self.before.get(row.snippet.id)
        for comparison in row.comparisons if known and self.base.same else ():
            then, now = measured_before(comparison, known), comparison.measurement
            if then is None or now is None or max(then.busy, now.busy) > BUSY:
                continue
            one, other = then.ratio, now.ratio
            if one and other and (one.high < other.low or other.high < one.low):
                yield Moved(row=row, comparison=comparison, before=one, now=other)


def find_changes(
    rows: Sequence[SnippetReport], findings: Iterable[Finding], base: Base, keys: set[str] | None
) -> Changes:
    """Compare a run with an earlier one.

    Args:
        rows: what the run shows, in the order of the pages.
        findings: what is wrong with it.
        base: what was seen before.
        keys: keys of the pages that were looked at; what others had is not missed. None for all.
    """
    wrong: dict[str, Finding] = {}
    for finding in findings:
        if finding.severity == "error":
            wrong.setdefault(finding.snippet, finding)
    before = _renamed(rows, base)
    comparer = Comparer(base=base, findings=wrong, before=before)
    found = [entry for row in rows if (entry := comparer.changed(row)) is not None]
    lists = {name: tuple(c for kind, c in found if kind == name) for name in _LISTS}
    taken = {row.snippet for row in before.values()}
    return Changes(
        **lists,
        moved=tuple(moved for row in rows for moved in comparer.moved(row)),
        new=tuple(row for row in rows if row.snippet.id not in before),
        removed=tuple(
            key
            for key in base.evidence
            if key not in taken and (keys is None or key.rpartition("#")[0] in keys)
        ),
    )


def moved_findings(changes: Changes) -> Iterator[Finding]:
    """Tell of each ratio that moved whether it got worse or better; neither fails a run."""
    for moved in changes.moved:
        snippet = moved.row.snippet
        memory = moved.comparison.comparison.pairing.metric == "memory"
        over = "the memory of" if memory else "over"
        yield Finding(
            snippet=snippet.id,
            code=moved.word,
            severity="warning" if moved.word == "regression" else "info",
            path=snippet.path,
            line=snippet.fence.line,
            message=f"{moved.word}: {interval(moved.before)} before, {interval(moved.now)} now, "
            f"{over} {compared_with(moved.comparison)}",
        )


_LISTS = ("failing", "still", "passing", "gone")


def _renamed(rows: Sequence[SnippetReport], base: Base) -> dict[str, Evidence]:
    """The base's evidence by today's ids: where a pattern was renumbered it follows the digest."""
    ids = {row.snippet.id for row in rows}
    free = {row.digest: row for key, row in base.evidence.items() if key not in ids}
    found = {}
    for row in rows:
        known = base.evidence.get(row.snippet.id) or free.pop(row.snippet.digest, None)
        if known is not None:
            found[row.snippet.id] = known
    return found


def measured_before(comparison: ComparisonReport, known: Evidence | None) -> Measurement | None:
    """What earlier evidence measured of the same comparison, whatever ran then."""
    pairing = comparison.comparison.pairing
    key = (pairing.against, pairing.size, pairing.metric)
    rows = [m.samples for m in known.measured] if known else []
    found = [s for s in rows if (s.against, s.size, s.metric) == key]
    return summarize(found[-1]) if found else None
