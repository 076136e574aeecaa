"""What evidence supports, in one environment."""

from collections.abc import Iterator, Sequence

from wiki_tools.errors import counted
from wiki_tools.protocol import OFF_CARD, Status
from wiki_tools.report.types import PageStatus, SnippetReport
from wiki_tools.verdicts import Judgement, Verdict

FAILED = {Status.FAILED, Status.TIMED_OUT, Status.CRASHED}
DOUBTFUL = (Judgement.INCONCLUSIVE, Judgement.INVALID)


def page_status(rows: Sequence[SnippetReport]) -> tuple[PageStatus, tuple[str, ...]]:
    """Give what evidence supports, and why: the first row of DESIGN's table that applies."""
    table = (
        (PageStatus.FAILING, tuple(_failing(rows))),
        (PageStatus.OUTDATED, tuple(f"{_place(r)} changed since" for r in rows if r.outdated)),
        (PageStatus.PARTIAL, tuple(_partial(rows))),
    )
    seen = [row for row in rows if row.evidence is not None]
    if not seen:
        return PageStatus.UNVERIFIED, ("no evidence",) if rows else ("nothing to run",)
    for status, reasons in table:
        if reasons:
            return status, reasons
    return PageStatus.VERIFIED, (*_elsewhere(seen), *_doubtful(seen))


def _elsewhere(rows: Sequence[SnippetReport]) -> Iterator[str]:
    """What ran, and not on the card that it names."""
    for row in rows:
        for note in ("retargeted", OFF_CARD):
            if row.evidence and note in row.evidence.outcome.notes:
                yield f"{_place(row)} {note}"


def _doubtful(rows: Sequence[SnippetReport]) -> Iterator[str]:
    """How many claims evidence does not bear out, though all that makes them ran."""
    judged = [verdict.judgement for row in rows for verdict in row.verdicts]
    for judgement in DOUBTFUL:
        if count := judged.count(judgement):
            yield f"{counted(count, 'claim')} {judgement}"


def _place(row: SnippetReport) -> str:
    return row.snippet.id.rpartition("#")[2]


def _failing(rows: Sequence[SnippetReport]) -> Iterator[str]:
    for row in rows:
        if row.evidence is None or row.outdated:
            continue
        if row.evidence.outcome.status in FAILED:
            yield f"{_place(row)} {row.evidence.outcome.status.value.replace('_', ' ')}"
        for comparison in row.comparisons:
            for verdict in comparison.verdicts:
                if is_disowned(verdict):
                    yield f"{_place(row)} claims {verdict.claim.text}: refuted"


def is_disowned(verdict: Verdict) -> bool:
    """Say whether a claim is refuted and its page does not own that (`expect=refuted`)."""
    return (
        verdict.judgement is Judgement.REFUTED and verdict.claim.expected != Judgement.REFUTED.value
    )


def _partial(rows: Sequence[SnippetReport]) -> Iterator[str]:
    for row in rows:
        if row.evidence is None:
            yield f"{_place(row)} has no evidence"
        elif row.evidence.outcome.status in (Status.INCOMPLETE, Status.SKIPPED):
            yield f"{_place(row)} {row.evidence.outcome.status.value}"
