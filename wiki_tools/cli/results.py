"""How `wiki verify` tells people what was seen."""

from collections import Counter
from collections.abc import Iterator, Sequence

import typer
from rich.console import Console
from rich.text import Text

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.output import as_github, shown_path
from wiki_tools.config import Config
from wiki_tools.errors import printable
from wiki_tools.protocol import Status
from wiki_tools.report import (
    WORST_FIRST,
    ComparisonReport,
    EnvironmentReport,
    Finding,
    PageAccount,
    PageReport,
    SnippetReport,
    totals,
)
from wiki_tools.runner.verify import Run
from wiki_tools.verdicts import Judgement

STYLES = {
    "passed": "green",
    "confirmed": "green",
    "verified": "green",
    "skipped": "yellow",
    "incomplete": "yellow",
    "partial": "yellow",
    "inconclusive": "yellow",
    "invalid": "yellow",
    "outdated": "yellow",
    "untested": "dim",
    "unverified": "dim",
}
"""Anything else is red."""


def print_results(
    config: Config,
    pages: Sequence[tuple[PageReport, EnvironmentReport]],
    run: Run,
    findings: Sequence[Finding],
    accounts: Sequence[PageAccount] = (),
) -> None:
    """Print each page with its snippets and comparisons, then what is wrong, then totals."""
    console = Console(highlight=False, soft_wrap=True)
    for page, environment in pages:
        console.print(_heading(page, environment))
        for row in environment.snippets:
            for line in _lines(row):
                console.print(line)
        console.print()
    wrong = [finding for finding in findings if finding.severity == "error"]
    if wrong:
        console.print(Text("Wrong:", "bold red"))
    for finding in wrong:
        place = f"{shown_path(config, _diagnostic(finding))}:{finding.line}"
        console.print(Text(printable(f"  {place}: {finding.message}")))
    console.print(Text(_totals(pages)))
    if accounts:
        console.print(Text(_fences(accounts)))
    console.print(Text(_what_ran(run)))


def print_annotations(
    config: Config,
    pages: Sequence[tuple[PageReport, EnvironmentReport]],
    run: Run,
    findings: Sequence[Finding],
    accounts: Sequence[PageAccount] = (),
) -> None:
    """Print what GitHub shows beside the lines of a change, the worst first, then totals."""
    worst = sorted(findings, key=lambda finding: WORST_FIRST.index(finding.code))
    typer.echo(as_github(config, [_diagnostic(finding) for finding in worst]), nl=False)
    typer.echo(_totals(pages))
    if accounts:
        typer.echo(_fences(accounts))
    typer.echo(_what_ran(run))


def _diagnostic(finding: Finding) -> Diagnostic:
    return Diagnostic(
        code=finding.code,
        severity=finding.severity,
        path=finding.path,
        line=finding.line,
        column=1,
        message=finding.message,
    )


def _heading(page: PageReport, environment: EnvironmentReport) -> Text:
    text = Text(f"{printable(page.page.path)}  ", "bold")
    text.append(environment.status.value, STYLES.get(environment.status.value, "red"))
    if environment.reasons:
        text.append(f"  {printable('; '.join(environment.reasons))}", "dim")
    return text


def _lines(row: SnippetReport) -> Iterator[Text]:
    title = row.snippet.heading.text if row.snippet.heading else row.snippet.id
    role = f" ({row.snippet.role})" if row.snippet.role else ""
    outcome = row.evidence.outcome if row.evidence else None
    status = outcome.status.value if outcome else "unverified"
    text = Text(f"  {_words(status):<11}", STYLES.get(status, "red"))
    text.append(f"line {row.snippet.fence.line:<5}{printable(title)}{role}", "default")
    for note in outcome.notes if outcome else ():
        text.append(f"  {note}", "dim")
    yield text
    if outcome and outcome.status is not Status.PASSED:
        yield Text(f"             {printable(outcome.message)}", "default")
    for comparison in row.comparisons:
        yield _comparison(comparison)


def _comparison(row: ComparisonReport) -> Text:
    text = Text(" " * 13)
    seen = row.measurement
    size = f" at {row.comparison.pairing.size}" if row.comparison.pairing.size else ""
    memory = row.comparison.pairing.metric == "memory"
    other = f"{row.comparison.meaning}{size}"
    if seen is None:
        text.append(f"{'memory ' if memory else ''}not measured against {other}", "dim")
    elif seen.ratio is None:
        reason = printable(seen.invalid) or f"{seen.samples} samples are too few"
        text.append(f"no ratio {'of memory to' if memory else 'over'} {other}: {reason}")
    else:
        ratio, over = seen.ratio, "the memory of" if memory else "over"
        text.append(f"{number(ratio.estimate)}x", "bold")
        text.append(f" ({number(ratio.low)} to {number(ratio.high)}) {over} {other}")
    for verdict in row.verdicts:
        text.append(f"; claim {printable(verdict.claim.text)} ")
        expected = verdict.claim.expected == verdict.judgement
        style = "green" if expected else STYLES.get(verdict.judgement.value, "red")
        text.append(verdict.judgement.value + (", as the page says" if expected else ""), style)
        if verdict.judgement in (Judgement.INCONCLUSIVE, Judgement.INVALID):
            text.append(f" ({printable(verdict.reason)})", "dim")
    return text


def number(value: float) -> str:
    """A ratio with three digits: 0.987, 3.71, 24.1, 1270."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _words(status: str) -> str:
    return status.replace("_", " ")


def _totals(pages: Sequence[tuple[PageReport, EnvironmentReport]]) -> str:
    rows = [row for _, environment in pages for row in environment.snippets]
    ended = Counter(r.evidence.outcome.status.value if r.evidence else "unverified" for r in rows)
    verdicts = [v for row in rows for c in row.comparisons for v in c.verdicts]
    judged = Counter(v.judgement.value for v in verdicts)
    text = f"{len(rows)} snippets: {_counts(ended)}."
    return f"{text} {len(verdicts)} claims: {_counts(judged)}." if verdicts else text


def _fences(accounts: Sequence[PageAccount]) -> str:
    """Every fence of every page: it ran, or it did not, for a reason."""
    ran, reasons = totals(accounts)
    text = f"{ran + reasons.total()} fences: {ran} ran"
    return f"{text}, {reasons.total()} did not: {_counts(reasons)}." if reasons else f"{text}."


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{n} {_words(word)}" for word, n in counter.most_common()) or "none"


def _what_ran(run: Run) -> str:
    if not run.ran and not run.measured:
        return f"Nothing ran: nothing changed in {run.unchanged} snippets."
    return f"{len(run.ran)} ran, {run.measured} comparisons measured, {run.unchanged} unchanged."
