"""How `wiki verify` tells people what was seen."""

from collections.abc import Iterator, Sequence

import typer
from rich.console import Console
from rich.text import Text

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.output import as_github, docs_prefix, shown_path
from wiki_tools.config import Config
from wiki_tools.errors import counted, printable, shortened
from wiki_tools.measure import BUSY
from wiki_tools.protocol import Status, not_held
from wiki_tools.report import (
    WORST_FIRST,
    ComparisonReport,
    EnvironmentReport,
    Finding,
    PageAccount,
    PageReport,
    SnippetReport,
    find_sweeps,
    holds_words,
)
from wiki_tools.report.words import (
    comparison_words,
    fence_totals,
    message_of,
    snippet_totals,
    spoken,
    status_of,
    title_of,
)
from wiki_tools.runner.enclosure import REQUIRED
from wiki_tools.runner.verify import Run
from wiki_tools.verdicts import NOT_MEASURED, Judgement, Verdict

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
_REASONS = 2_000
"""Characters of what makes a page what it is; an anchor may be as long as its page."""


def print_results(
    config: Config,
    pages: Sequence[tuple[PageReport, EnvironmentReport]],
    run: Run,
    findings: Sequence[Finding],
    accounts: Sequence[PageAccount] = (),
) -> None:
    """Print each page with its snippets and comparisons, then what is wrong, then totals."""
    console = Console(highlight=False, soft_wrap=True)
    prefix = docs_prefix(config)
    for page, environment in pages:
        console.print(_heading(prefix, page, environment))
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
    for total in _totals(pages, run, accounts):
        console.print(Text(total))


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
    for line in _totals(pages, run, accounts):
        typer.echo(line)


def _totals(
    pages: Sequence[tuple[PageReport, EnvironmentReport]], run: Run, accounts: Sequence[PageAccount]
) -> Iterator[str]:
    """Write how many of everything there were, and what lay open to them."""
    yield snippet_totals([row for _, found in pages for row in found.snippets])
    if accounts:
        yield fence_totals(accounts)
    yield _what_ran(run)
    if lay_open := what_lay_open(run, pages):
        yield lay_open


def _diagnostic(finding: Finding) -> Diagnostic:
    return Diagnostic(
        code=finding.code,
        severity=finding.severity,
        path=finding.path,
        line=finding.line,
        column=1,
        message=finding.message,
    )


def _heading(prefix: str, page: PageReport, environment: EnvironmentReport) -> Text:
    text = Text(f"{printable(prefix + page.page.path)}  ", "bold")
    text.append(environment.status.value, STYLES.get(environment.status.value, "red"))
    if environment.reasons:
        text.append(f"  {printable(shortened('; '.join(environment.reasons), _REASONS))}", "dim")
    return text


def _lines(row: SnippetReport) -> Iterator[Text]:
    outcome = row.evidence.outcome if row.evidence else None
    status = status_of(row)
    text = Text(f"  {spoken(status):<11}", STYLES.get(status, "red"))
    text.append(f"line {row.snippet.fence.line:<5}{printable(title_of(row))}", "default")
    for note in outcome.notes if outcome else ():
        text.append(f"  {note}", "dim")
    yield text
    if outcome and outcome.status is not Status.PASSED:
        yield Text(f"             {printable(message_of(outcome))}", "default")
    for comparison in row.comparisons:
        yield _comparison(comparison)
    for sweep in find_sweeps(row.comparisons):
        what = "memory" if sweep.metric == "memory" else "time"
        claim = printable(sweep.claim.text)
        yield Text(f"{' ' * 13}claim {claim} of {what} holds {holds_words(sweep)}")
    for verdict in row.unreached:
        text = Text(f"{' ' * 13}claim {printable(verdict.claim.text)} ")
        text.append(verdict.judgement.value, STYLES[verdict.judgement.value])
        yield text.append(f" ({verdict.reason})", "dim")


def _comparison(row: ComparisonReport) -> Text:
    text = Text(" " * 13)
    words = printable(comparison_words(row))
    if row.measurement is None:
        text.append(words, "dim")
    elif row.measurement.ratio is None:
        text.append(words)
    else:
        ratio, _, rest = words.partition(" ")
        text.append(ratio, "bold")
        text.append(f" {rest}")
    for verdict in row.verdicts:
        text.append(f"; claim {printable(verdict.claim.text)} ")
        expected = verdict.claim.expected == verdict.judgement
        style = "green" if expected else STYLES.get(verdict.judgement.value, "red")
        text.append(verdict.judgement.value + (", as the page says" if expected else ""), style)
        if not _says_why(row, words, verdict):
            text.append(f" ({printable(verdict.reason)})", "dim")
    return text


def _says_why(row: ComparisonReport, words: str, verdict: Verdict) -> bool:
    """Whether what stands before a verdict makes clear how it came about."""
    if verdict.judgement in (Judgement.CONFIRMED, Judgement.REFUTED):
        return True
    if row.measurement is None:
        return verdict.reason == NOT_MEASURED
    blurred = verdict.judgement is Judgement.INCONCLUSIVE and row.measurement.busy > BUSY
    return blurred or printable(verdict.reason) in words


def what_lay_open(run: Run, pages: Sequence[tuple[PageReport, EnvironmentReport]]) -> str:
    """Say what no sandbox kept from the snippets that ran; empty where it kept what it should."""
    rows = (row for _, found in pages for row in found.snippets if row.snippet.id in run.ran)
    held = [row.evidence.outcome.held for row in rows if row.evidence]
    missing = {name for each in held if each for name in not_held(each)}
    names = " and ".join(name for name in REQUIRED if name in missing)
    return f"No sandbox held: {names} lay open to what ran." if names else ""


def _what_ran(run: Run) -> str:
    if not run.ran and not run.measured:
        return f"Nothing ran: nothing changed in {counted(run.unchanged, 'snippet')}."
    measured = f"{counted(run.measured, 'comparison')} measured"
    return f"{len(run.ran):,} ran, {measured}, {run.unchanged:,} unchanged."
