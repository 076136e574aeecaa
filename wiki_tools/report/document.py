"""A report as the JSON of `wiki verify`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from wiki_tools.environment import Environment
from wiki_tools.protocol import Status
from wiki_tools.report.accounts import PageAccount, totals
from wiki_tools.report.sweeps import Sweep, find_sweeps, holds_words
from wiki_tools.report.types import ComparisonReport, EnvironmentReport, SnippetReport
from wiki_tools.verdicts import NOT_MEASURED, Judgement, Verdict


def verify_document(
    environment: Environment,
    pages: Sequence[EnvironmentReport],
    accounts: Sequence[PageAccount] = (),
) -> dict[str, Any]:
    """What `wiki verify --format json` prints; the shape is DESIGN.md's."""
    ran, reasons = totals(accounts)
    rows = [row for page in pages for row in page.snippets]
    results = [_result(row) for row in rows]
    statuses = {s.value: sum(r["status"] == s.value for r in results) for s in Status}
    judged = [verdict.judgement for row in rows for verdict in row.verdicts]
    return {
        "environment": asdict(environment),
        "results": results,
        "totals": {
            "pages": len(pages),
            "snippets": len(results),
            **statuses,
            "comparisons": sum(len(r["comparisons"]) for r in results),
            "verdicts": {j.value: judged.count(j) for j in Judgement},
            "fences": {"ran": ran, "not_run": dict(reasons.most_common())},
        },
    }


def _result(row: SnippetReport) -> dict[str, Any]:
    evidence = row.evidence
    outcome = evidence.outcome if evidence else None
    return {
        "page": row.snippet.path,
        "snippet": row.snippet.id,
        "line": (outcome.line if outcome and outcome.line else row.snippet.fence.line),
        "status": outcome.status.value if outcome else "unverified",
        "seconds": outcome.seconds if outcome else 0.0,
        "message": outcome.message if outcome else "",
        "notes": list(outcome.notes) if outcome else [],
        "context": dict(evidence.context) if evidence else {},
        "comparisons": [entry for c in row.comparisons for entry in _compared(c)]
        + [_NOTHING | _judged(verdict) for verdict in row.unreached],
    } | _sweeps(row)


def _sweeps(row: SnippetReport) -> dict[str, Any]:
    """Where the claims of a sweep hold; nothing where nothing is swept."""
    sweeps = [_swept(sweep) for sweep in find_sweeps(row.comparisons)]
    return {"sweeps": sweeps} if sweeps else {}


def _swept(sweep: Sweep) -> dict[str, Any]:
    return {
        "axis": sweep.axis,
        "against": sweep.against,
        "metric": sweep.metric,
        "claim": sweep.claim.text,
        "verdicts": {str(point.size): point.verdict.judgement.value for point in sweep.points},
        "holds": sweep.holds.value,
        "confirmed": list(sweep.sizes(Judgement.CONFIRMED)),
        "words": holds_words(sweep),
    }


_NOTHING: dict[str, Any] = {
    "against": None, "metric": None, "ratio": None, "low": None, "high": None, "samples": 0,
    "size": None, "busy": 0.0, "stopped": None,
}  # fmt: skip
"""What a claim is held against that no comparison speaks of."""


def _compared(report: ComparisonReport) -> Iterator[dict[str, Any]]:
    """One entry a claim, and one without a claim where there is none."""
    seen = report.measurement
    ratio = seen.ratio if seen else None
    entry = {
        "against": report.comparison.pairing.against,
        "metric": report.comparison.pairing.metric,
        "ratio": ratio.estimate if ratio else None,
        "low": ratio.low if ratio else None,
        "high": ratio.high if ratio else None,
        "samples": seen.samples if seen else 0,
        "rounds": seen.rounds if seen else 0,
        "size": report.comparison.pairing.size or None,
        "busy": seen.busy if seen else 0.0,
        "stopped": (seen.stopped or None) if seen else None,
    }
    reason = seen.invalid if seen else NOT_MEASURED
    if not report.verdicts:
        yield {**entry, "claim": None, "verdict": None, "reason": reason}
    for verdict in report.verdicts:
        yield entry | _judged(verdict)


def _judged(verdict: Verdict) -> dict[str, Any]:
    text, judgement = verdict.claim.text, verdict.judgement.value
    return {"claim": text, "verdict": judgement, "reason": verdict.reason}
