"""What is wrong with a report, and what is only worth a look, at the page's lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wiki_tools.errors import shortened
from wiki_tools.markup import owned_claims
from wiki_tools.protocol import Outcome, Status
from wiki_tools.report.status import DOUBTFUL, FAILED, is_disowned
from wiki_tools.report.types import SnippetReport
from wiki_tools.report.words import message_of
from wiki_tools.snippets import Snippet
from wiki_tools.verdicts import Judgement, Verdict

WORST_FIRST = (
    Status.CRASHED.value,
    Status.TIMED_OUT.value,
    Status.FAILED.value,
    Judgement.REFUTED.value,
    "fewer",  # a fence ran when its page was last recorded, and does not now
    "left-out",  # a page's evidence cannot be replaced
    Judgement.INVALID.value,
    Status.INCOMPLETE.value,
    Judgement.INCONCLUSIVE.value,
    "unexpected",  # a page owns that its claim fails, and it holds
    "regression",  # a ratio is worse than in earlier evidence, beyond both intervals
    "improvement",
)
"""Codes of findings, in the order in which a reader with time for a few should see them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a run showed, at its place in the page."""

    snippet: str
    """Id of the snippet that it speaks of; empty where it is the page."""
    code: str
    """How the snippet's run ended, or what became of its claim: one of `WORST_FIRST`."""
    severity: str
    """`error` for what makes `wiki verify` exit with 1, else `warning`."""
    path: str
    """The page, relative to the docs folder."""
    line: int
    message: str


def find_findings(rows: Iterable[SnippetReport], strict: bool) -> tuple[Finding, ...]:
    """Collect what is wrong or doubtful, in the order of the pages."""
    return tuple(finding for row in rows for finding in _of_row(row, strict))


def find_outcome(snippet: Snippet, outcome: Outcome, strict: bool) -> Finding | None:
    """Say what is wrong with a run, or None where it passed or was skipped."""
    wrong = outcome.status in FAILED
    if not wrong and outcome.status is not Status.INCOMPLETE:
        return None
    words = outcome.status.words
    line, elsewhere = place_of(snippet, outcome)
    return Finding(
        snippet=snippet.id,
        code=outcome.status.value,
        severity="error" if wrong or strict else "warning",
        path=snippet.path,
        line=line,
        message=f"{words}: {message_of(outcome)}" + (f" (at {elsewhere})" if elsewhere else ""),
    )


def place_of(snippet: Snippet, outcome: Outcome) -> tuple[int, str]:
    """The line of the page to look at, and the place in another file where it really went wrong."""
    if not outcome.path or outcome.line < 1:
        return snippet.fence.line, ""
    if f"/{outcome.path}".endswith(f"/{snippet.path}"):
        return outcome.line, ""
    return snippet.fence.line, f"{outcome.path}:{outcome.line}"


def _of_row(row: SnippetReport, strict: bool) -> Iterator[Finding]:
    if row.evidence is None:
        return
    if (finding := find_outcome(row.snippet, row.evidence.outcome, strict)) is not None:
        yield finding
    for comparison in row.comparisons:
        for verdict in comparison.verdicts:
            if is_disowned(verdict) or verdict.judgement in DOUBTFUL:
                size = comparison.comparison.pairing.size
                yield _of_verdict(row.snippet, verdict, size, strict)
    yield from _unexpected(row, strict)


def _unexpected(row: SnippetReport, strict: bool) -> Iterator[Finding]:
    """What a fence owns as refuted (`expect=`) and is confirmed at every size.

    Where it names claims, each of them is held to it; else one that fails is enough for all.
    """
    named = owned_claims(row.snippet.fence.attributes.get("expect", ""))
    owned: dict[str, list[Verdict]] = {}
    for verdict in (verdict for comparison in row.comparisons for verdict in comparison.verdicts):
        if verdict.claim.expected:
            owned.setdefault(verdict.claim.kind if named else "", []).append(verdict)
    for verdicts in owned.values():
        if any(verdict.judgement is not Judgement.CONFIRMED for verdict in verdicts):
            continue
        claim = verdicts[0].claim
        yield Finding(
            snippet=row.snippet.id,
            code="unexpected",
            severity="error" if strict else "warning",
            path=claim.path,
            line=claim.line,
            message=f"claim {claim.text} confirmed, and the page says {claim.expected}; "
            f"take {f'{claim.kind} out of expect=' if len(named) > 1 else 'expect= off'}, "
            "and mend the text",
        )


def _of_verdict(snippet: Snippet, verdict: Verdict, size: str, strict: bool) -> Finding:
    claim = verdict.claim
    at = f" at {size}" if size else ""
    return Finding(
        snippet=snippet.id,
        code=verdict.judgement.value,
        severity="error" if strict or is_disowned(verdict) else "warning",
        path=claim.path,
        line=claim.line,
        message=shortened(f"claim {claim.text}{at} {verdict.judgement}: {verdict.reason}"),
    )
