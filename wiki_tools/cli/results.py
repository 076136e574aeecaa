"""How `wiki verify` tells people what was seen."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.text import Text

from wiki_tools.checks.output import annotation
from wiki_tools.errors import printable
from wiki_tools.protocol import Status
from wiki_tools.report import ComparisonReport, EnvironmentReport, PageReport, SnippetReport
from wiki_tools.runner.verify import Run
from wiki_tools.verdicts import Judgement, Verdict

WRONG = {Status.FAILED, Status.TIMED_OUT, Status.CRASHED}
STRICTLY_WRONG = {Judgement.INCONCLUSIVE, Judgement.INVALID}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that makes `wiki verify` exit with 1."""

    path: str
    line: int
    message: str


def failures(pages: Sequence[tuple[PageReport, EnvironmentReport]], strict: bool) -> list[Finding]:
    """Collect what is wrong: snippets that did not pass, and claims refuted unexpectedly."""
    return [
        finding
        for _, environment in pages
        for row in environment.snippets
        for finding in _wrong(row, strict)
    ]


def _wrong(row: SnippetReport, strict: bool) -> Iterator[Finding]:
    if row.evidence is None:
        return
    outcome = row.evidence.outcome
    if outcome.status in WRONG or (strict and outcome.status is Status.INCOMPLETE):
        path, line = outcome.path or row.snippet.path, outcome.line or row.snippet.fence.line
        yield Finding(path=path, line=line, message=f"{_words(outcome.status)}: {outcome.message}")
    for comparison in row.comparisons:
        for verdict in comparison.verdicts:
            if _is_wrong(verdict, strict):
                yield Finding(
                    path=verdict.claim.path,
                    line=verdict.claim.line,
                    message=f"claim {verdict.claim.text} {verdict.judgement}: {verdict.reason}",
                )


def _is_wrong(verdict: Verdict, strict: bool) -> bool:
    expected = verdict.claim.expected == verdict.judgement
    refuted = verdict.judgement is Judgement.REFUTED and not expected
    return refuted or (strict and verdict.judgement in STRICTLY_WRONG)


def print_results(
    pages: Sequence[tuple[PageReport, EnvironmentReport]],
    run: Run,
    wrong: Sequence[Finding],
    *,
    github: bool,
) -> None:
    """Print each page with its snippets and comparisons, then what is wrong, then totals."""
    console = Console(highlight=False, soft_wrap=True)
    if github:
        for finding in wrong:
            place = {"file": finding.path, "line": finding.line}
            typer.echo(annotation("error", finding.message, **place), nl=False)
        return
    for page, environment in pages:
        console.print(_heading(page, environment))
        for row in environment.snippets:
            for line in _lines(row):
                console.print(line)
        console.print()
    if wrong:
        console.print(Text("Wrong:", "bold red"))
    for finding in wrong:
        console.print(Text(printable(f"  {finding.path}:{finding.line}: {finding.message}")))
    console.print(Text(_totals(pages)))
    console.print(Text(_what_ran(run)))


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
    if seen is None:
        text.append(f"not measured against {row.comparison.meaning}{size}", "dim")
    elif seen.ratio is None:
        text.append(f"no ratio over {row.comparison.meaning}{size}: {printable(seen.invalid)}")
    else:
        ratio = seen.ratio
        text.append(f"{number(ratio.estimate)}x", "bold")
        text.append(f" ({number(ratio.low)} to {number(ratio.high)})")
        text.append(f" over {row.comparison.meaning}{size}")
    for verdict in row.verdicts:
        text.append(f"; claim {printable(verdict.claim.text)} ")
        expected = verdict.claim.expected == verdict.judgement
        style = "green" if expected else STYLES.get(verdict.judgement.value, "red")
        text.append(verdict.judgement.value + (", as the page says" if expected else ""), style)
        if verdict.judgement in STRICTLY_WRONG:
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


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{n} {_words(word)}" for word, n in counter.most_common()) or "none"


def _what_ran(run: Run) -> str:
    if not run.ran and not run.measured:
        return f"Nothing ran: nothing changed in {run.unchanged} snippets."
    return f"{len(run.ran)} ran, {run.measured} comparisons measured, {run.unchanged} unchanged."
