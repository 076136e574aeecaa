"""`wiki check`: what is wrong with a wiki, without running it."""

import enum
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import Diagnostic, sort_findings
from wiki_tools.checks.output import as_github, as_text, check_document
from wiki_tools.checks.survey import survey_vault
from wiki_tools.cli.common import (
    Docs,
    EvidenceFolder,
    Paths,
    UseCache,
    read_ledger,
    select_paths,
    tell_reading,
)
from wiki_tools.config import Config, read_config
from wiki_tools.errors import UsageError, printable, printable_json


class CheckFormat(enum.StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def check(
    paths: Paths = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: Annotated[
        CheckFormat,
        typer.Option(
            "--format",
            help="How to print: for people, for programs, as GitHub annotations, or as SARIF for "
            "code scanning.",
        ),
    ] = CheckFormat.TEXT,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail as well.")] = False,
    claims: Annotated[
        bool | None,
        typer.Option(
            "--claims/--no-claims",
            help="Look for claims without evidence and for drifted snippets. "
            "[default: where the vault has snippets/ or evidence/]",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Known findings; only new ones count."),
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write today's findings as the known ones.")
    ] = False,
    use_cache: UseCache = True,
    fixing: Annotated[
        bool,
        typer.Option(
            "--fix", help="Print as a patch what can be fixed for certain, and ask to write it."
        ),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="With --fix: write without asking.")
    ] = False,
    explained: Annotated[
        str,
        typer.Option("--explain", metavar="CODE", help="Tell what a code means, and nothing else."),
    ] = "",
) -> None:
    """Find what is wrong with links, front matter, fences and claims; nothing is run.

    Exits 1 where there is an error, or with `--strict` a warning; notes never fail. `--fix` prints
    a patch of what can be mended for certain, and writes it after a yes or with `--yes`.

    Example: `wiki check --docs ~/vault --strict`
    """
    if explained:
        from wiki_tools.checks.explain import explain

        typer.echo(explain(explained), nl=False)
        return
    config = read_config(docs, evidence)
    cache = Cache(config) if use_cache else None
    survey = survey_vault(config, cache, progress=tell_reading)
    chosen = select_paths(config, survey.pages, paths)
    if not chosen:
        typer.echo(f"wiki: {config.docs}: no pages lie there", err=True)
    found = survey.diagnostics
    if config.snippets.is_dir() or config.evidence.is_dir() if claims is None else claims:
        found = sort_findings([*found, *_backing(config)])
    if paths:
        found = tuple(row for row in found if row.path in chosen)
    file = baseline or config.baseline
    if update_baseline:
        _update(file, found, bool(paths))
    gone: tuple[tuple[str, str, str], ...] = ()
    if file is not None and (file.exists() or baseline is not None):
        from wiki_tools.checks.baseline import gone_findings, new_findings, read_baseline

        known = read_baseline(file)
        gone = () if paths else gone_findings(found, known)
        found = new_findings(found, known)
    if fixing:
        from wiki_tools.cli.fix import fix

        found = tuple(fix(config, cache, survey.diagnostics, found, yes=yes))
    else:
        links = sum(survey.links[path] for path in chosen)
        _print(config, format_, found, pages=len(chosen), links=links)
    for code, path, message in gone:
        typer.echo(f"{file}: no longer found: {printable(f'{path}: {message} [{code}]')}", err=True)
    if gone:
        typer.echo("Run this again with --update-baseline and commit the shorter file.", err=True)
    failing = {"error", "warning"} if strict else {"error"}
    if any(row.severity in failing for row in found) or (strict and gone):
        raise typer.Exit(1)


def _print(
    config: Config, format_: CheckFormat, found: Sequence[Diagnostic], *, pages: int, links: int
) -> None:
    if format_ is CheckFormat.JSON:
        document = check_document(pages, links, found)
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
    elif format_ is CheckFormat.SARIF:
        from wiki_tools.checks.sarif import as_sarif

        typer.echo(as_sarif(config, found), nl=False)
    elif format_ is CheckFormat.GITHUB:
        typer.echo(as_github(config, found), nl=False)
    else:
        typer.echo(as_text(config, found), nl=False)


def _backing(config: Config) -> tuple[Diagnostic, ...]:
    """What only shows once the snippets are extracted and held against the evidence."""
    from wiki_tools.checks.check import check_backing
    from wiki_tools.checks.types import Backing
    from wiki_tools.pages import read_pages
    from wiki_tools.report import choices, report_wiki, unbacked_claims
    from wiki_tools.snippets import drifted, extract_all

    pages = read_pages(config)
    snippets = extract_all(config, pages)
    ledger = read_ledger(config)
    files = drifted(config, snippets, choices(snippets, ledger)) if _extracted(config) else ()
    return check_backing(
        Backing(
            config=config,
            snippets=snippets,
            unbacked=unbacked_claims(report_wiki(config, pages, snippets, ledger)),
            drifted=tuple(str(file.relative_to(config.root)) for file in files),
        )
    )


def _extracted(config: Config) -> bool:
    """Whether snippets are kept as files, and not only the fixtures."""
    folder = config.snippets
    return folder.is_dir() and not {p.name for p in folder.iterdir()} <= {"fixtures"}


def _update(file: Path | None, found: Sequence[Diagnostic], some: bool) -> None:
    if file is None:
        raise UsageError("--update-baseline: name the file with --baseline FILE")
    if some:
        raise UsageError("--update-baseline: speaks of the whole vault; leave out PATH")
    from wiki_tools.checks.baseline import write_baseline

    write_baseline(file, found)
    count = f"{len(found):,} findings are" if len(found) != 1 else "1 finding is"
    typer.echo(f"{file}: {count} known from now on.", err=True)
