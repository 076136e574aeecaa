"""`wiki history` and `wiki compare`: how ratios went over time, and from machine to machine."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.output import as_github, docs_prefix
from wiki_tools.cli.common import (
    Docs,
    EvidenceFolder,
    Format,
    FormatOption,
    Vault,
    read_ledger,
    read_vault,
)
from wiki_tools.cli.naming import find_page, outlines_of
from wiki_tools.errors import UsageError, counted, nearest, printable, printable_json, shortened
from wiki_tools.ledger import Ledger, Past
from wiki_tools.report.history import (
    Beside,
    Series,
    compare_environments,
    find_history,
    is_busy,
)
from wiki_tools.report.words import busy_words, number
from wiki_tools.snippets import Snippet, extract_all

WIDTH = 32
"""Characters of a drawn interval."""
PageName = Annotated[
    str | None,
    typer.Argument(metavar="[PAGE]", help="A page by its path, name, title, alias or id."),
]


def history(
    page: PageName = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: FormatOption = Format.TEXT,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 where the newest change is a regression.")
    ] = False,
) -> None:
    """Print and draw how the ratios of a page went, by date, commit and library version.

    A change is a regression or an improvement where both intervals lie apart. Old measurements
    stay in the evidence, a line each, when newer ones replace them.

    `--format github` annotates the newest change of each pattern. With `json`: `{"history":
    [{"snippet", "environment", "against", "size", "metric", "points": [{"recorded", "commit",
    "versions", "ratio", "low", "high", "busy", "change"}]}]}`.

    What a busy machine measured is drawn hollow; it is no change, and nothing is compared with it.

    Example: `wiki history Matrix-Operations-and-AI`
    """
    vault = read_vault(docs, evidence)
    found = find_history(_snippets(vault, page), read_ledger(vault.config))
    worse = [one for one in found if one.changes[-1] == "regression"]
    if format_ is Format.JSON:
        _print_json({"history": [_series_row(one) for one in found]})
    elif format_ is Format.GITHUB:
        typer.echo(as_github(vault.config, list(_annotations(found))), nl=False)
    else:
        for line in _history_lines(docs_prefix(vault.config), found):
            typer.echo(printable(line))
        typer.echo(_told(found, worse))
    if worse and strict:
        raise typer.Exit(1)


def _told(found: Sequence[Series], worse: Sequence[Series]) -> str:
    if not found:
        return (
            "Nothing has been measured: run `wiki verify`, which compares a pattern with its "
            "section's baseline, or with itself without its accelerator."
        )
    return f"{counted(len(found), 'comparison')}, {len(worse)} got worse at last."


def compare(
    first: Annotated[str, typer.Argument(metavar="ENV", help="A folder of evidence/.")],
    second: Annotated[str, typer.Argument(metavar="ENV", help="Another one.")],
    page: PageName = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Set what two environments measured of the same code side by side.

    With `json`: `{"environments": [..], "comparisons": [{"snippet", "against", "size", "metric",
    "first", "second", "apart"}]}`, where a side is `{"ratio", "low", "high", "recorded", "busy"}`;
    `apart` is null where a busy machine leaves it open.

    Example: `wiki compare local nvidia-h200-py3.11-torch2.13`
    """
    if format_ is Format.GITHUB:
        raise UsageError("--format github: what is compared has no line; print text or json")
    vault = read_vault(docs, evidence)
    ledger = read_ledger(vault.config)
    for name in (first, second):
        _expect_environment(name, ledger)
    rows = compare_environments(_snippets(vault, page), ledger, first, second)
    if format_ is Format.JSON:
        document = {"environments": [first, second], "comparisons": [_beside(r) for r in rows]}
        _print_json(document)
        return
    for row in rows:
        typer.echo(printable(docs_prefix(vault.config) + _heading(row.snippet, row.first)))
        for name, point in ((first, row.first), (second, row.second)):
            typer.echo(printable(f"  {name}: {_ratio(point)}"))
        typer.echo(f"  {_APART[row.apart]}")
    typer.echo(f"{counted(len(rows), 'comparison', 'were')} measured in both.")


_APART = {
    True: "apart",
    False: "both intervals meet",
    None: "undecided: a busy machine measured it",
}


def _expect_environment(name: str, ledger: Ledger) -> None:
    if name in ledger.evidence:
        return
    known = ", ".join(sorted(ledger.evidence)) or "none; run `wiki verify` first"
    near = nearest(name, ledger.evidence)
    hint = f"did you mean {near}?" if near else f"there are {known}"
    raise UsageError(f"{name}: no such environment in the evidence; {hint}")


def _snippets(vault: Vault, name: str | None) -> list[Snippet]:
    snippets = extract_all(vault.config, vault.pages)
    if name is None:
        return list(snippets)
    page = find_page(vault.config, outlines_of(vault), name)
    return [snippet for snippet in snippets if snippet.page == page.key]


def _history_lines(prefix: str, found: Sequence[Series]) -> Iterator[str]:
    for one in found:
        yield f"{prefix}{_heading(one.snippet, one.points[0])}, in {one.environment}"
        low = min(point.ratio[1] for point in one.points)
        high = max(point.ratio[2] for point in one.points)
        for point, word in zip(one.points, one.changes, strict=True):
            versions = " ".join(f"{k} {v}" for k, v in point.versions.items() if k != "python")
            drawn = draw(point.ratio, low, high, is_busy(point))
            when = point.recorded[:16].replace("T", " ")
            told = f"  {when} {point.commit[:7] or '-':7} {drawn} {_ratio(point)}"
            yield f"{told}  {versions}  {word}".rstrip()
        yield ""


def draw(ratio: tuple[float, float, float], low: float, high: float, blurred: bool = False) -> str:
    """Draw an interval on a logarithmic scale from `low` to `high`; one that is blurred hollow."""
    line, dot = ("┈", "○") if blurred else ("─", "●")
    middle, left, right = (_column(value, low, high) for value in ratio)
    marks = [line if left <= i <= right else " " for i in range(WIDTH)]
    marks[middle] = dot
    return "".join(marks)


def _column(value: float, low: float, high: float) -> int:
    if low >= high:
        return WIDTH // 2
    share = (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
    return round(min(max(share, 0.0), 1.0) * (WIDTH - 1))


def _heading(snippet: Snippet, point: Past) -> str:
    title = shortened(snippet.heading.text if snippet.heading else snippet.id)
    return f"{snippet.path}:{snippet.fence.line} {title}: {_what(point)}"


def _what(point: Past) -> str:
    """What was measured against what, and at which size: `time against baseline at S=512`."""
    what = "memory" if point.metric == "memory" else "time"
    size = f" at {point.size}" if point.size else ""
    return f"{what} against {point.against}{size}"


def _ratio(point: Past) -> str:
    estimate, low, high = (number(value) for value in point.ratio)
    text = f"{estimate}x ({low} to {high})"
    return f"{text}, {busy_words(point.busy)}" if is_busy(point) else text


def _annotations(found: Sequence[Series]) -> Iterator[Diagnostic]:
    for one in found:
        if not one.changes[-1]:
            continue
        after, before = one.points[-1], one.before(len(one.points) - 1)
        if before is None:
            continue
        yield Diagnostic(
            code=one.changes[-1],
            severity="warning" if one.changes[-1] == "regression" else "info",
            path=one.snippet.path,
            line=one.snippet.fence.line,
            column=1,
            message=f"{_what(after)}: {_ratio(before)} on {before.recorded[:10]}, "
            f"{_ratio(after)} now, in {one.environment}",
        )


def _series_row(one: Series) -> dict[str, Any]:
    points = [
        _point(point) | {"commit": point.commit, "versions": point.versions, "change": word}
        for point, word in zip(one.points, one.changes, strict=True)
    ]
    place = {"against": one.against, "size": one.size, "metric": one.metric}
    return {"snippet": one.snippet.id, "environment": one.environment, **place, "points": points}


def _beside(row: Beside) -> dict[str, Any]:
    point = row.first
    place = {"against": point.against, "size": point.size, "metric": point.metric}
    sides = {"first": _point(row.first), "second": _point(row.second)}
    return {"snippet": row.snippet.id, **place, **sides, "apart": row.apart}


def _point(point: Past) -> dict[str, Any]:
    estimate, low, high = point.ratio
    return {
        "ratio": estimate,
        "low": low,
        "high": high,
        "recorded": point.recorded,
        "busy": point.busy,
    }


def _print_json(document: dict[str, Any]) -> None:
    typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
