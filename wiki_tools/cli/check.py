"""`wiki check`: what is wrong with a wiki, without running it."""

import enum
import gc
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import Diagnostic, sort_findings
from wiki_tools.checks.output import as_github, as_text, check_document, docs_prefix
from wiki_tools.checks.survey import Survey, outline_vault, survey_vault
from wiki_tools.cli.common import (
    Docs,
    EvidenceFolder,
    Paths,
    UseCache,
    read_ledger,
    tell_reading,
)
from wiki_tools.cli.naming import select_paths
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
    show_claims: Annotated[
        bool,
        typer.Option(
            "--show-claims",
            help="List every claim with the measurement or check behind it, and nothing else.",
        ),
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Known findings; only new ones count."),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline",
            help="Write today's findings as the known ones; where there are some, only take out "
            "what is no longer found.",
        ),
    ] = False,
    grow: Annotated[
        bool, typer.Option("--grow", help="With --update-baseline: take in new findings as well.")
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
    `--show-claims` lists what pages claim, and fails with `--strict` where nothing stands behind a
    claim. As json: `{"claims": [{"path", "line", "column", "text", "kind", "low", "high", "source",
    "snippet", "on", "cited", "status", "measurements": [..], "checks": [..]}], "totals": {..}}`.

    Example: `wiki check --docs ~/vault --strict`
    """
    if explained:
        from wiki_tools.checks.explain import explain

        typer.echo(explain(explained), nl=False)
        return
    config = read_config(docs, evidence)
    cache = Cache(config) if use_cache else None
    asked = _Asked(config, cache, tuple(paths or ()), False if show_claims else claims, baseline)
    found = asked.look()
    gc.freeze()  # it is there to the end: walking over it would take 50 ms of 10,000 pages
    if show_claims:
        _show(config, found.chosen, format_, strict=strict)
        return
    if update_baseline:
        from wiki_tools.cli.known import update

        update(asked.file, found.all, narrowed=bool(paths), grow=grow)
    found = asked.hold(found)
    if fixing:
        from wiki_tools.cli.fix import fix

        done = fix(config, cache, found.survey.diagnostics, found.new, yes=yes)
        found = asked.hold(asked.look()) if done.written else found
        left = found.new if done.written else done.left
        if left:
            typer.echo(f"Left:\n{as_text(config, left, found.known)}", nl=False, err=True)
    else:
        _print(config, format_, found)
    for code, path, message in found.gone:
        place = printable(f"{docs_prefix(config)}{path}: {message} [{code}]")
        typer.echo(f"{asked.file}: no longer found: {place}", err=True)
    if found.gone:
        typer.echo("Run this again with --update-baseline and commit the shorter file.", err=True)
    failing = {"error", "warning"} if strict else {"error"}
    if any(row.severity in failing for row in found.new) or (strict and found.gone):
        raise typer.Exit(1)


class _Found(NamedTuple):
    """What was found in the pages that were asked for."""

    survey: Survey
    chosen: set[str]
    """Paths of those pages."""
    all: Sequence[Diagnostic]
    new: Sequence[Diagnostic]
    """Those that no baseline knows."""
    gone: Sequence[tuple[str, str, str]] = ()
    """Code, path and message of what a baseline knows and is no longer found."""

    @property
    def known(self) -> int:
        """How many the baseline knows."""
        return len(self.all) - len(self.new)


class _Asked(NamedTuple):
    """What the command line asks for."""

    config: Config
    cache: Cache | None
    paths: tuple[Path, ...]
    claims: bool | None
    baseline: Path | None

    @property
    def file(self) -> Path | None:
        """The baseline's, where there is to be one."""
        return self.baseline or self.config.baseline

    def look(self) -> _Found:
        """Look at the vault as it is now."""
        config, cache = self.config, self.cache
        survey = survey_vault(config, cache, progress=tell_reading)
        chosen = select_paths(
            config, survey.pages, self.paths, lambda: [p for p, _ in outline_vault(config, cache)]
        )
        if not chosen:
            typer.echo(f"wiki: {config.docs}: no pages lie there", err=True)
        found = survey.diagnostics
        backed = config.snippets.is_dir() or config.evidence.is_dir()
        if backed if self.claims is None else self.claims:
            found = sort_findings([*found, *_backing(config)])
        if self.paths:
            found = tuple(row for row in found if row.path in chosen)
        return _Found(survey, chosen, found, found)

    def hold(self, found: _Found) -> _Found:
        """Hold what was found against what is known."""
        if self.file is None or not (self.file.exists() or self.baseline):
            return found
        from wiki_tools.checks.baseline import gone_findings, new_findings, read_baseline

        known = read_baseline(self.file)
        gone = () if self.paths else gone_findings(found.all, known)
        return found._replace(new=new_findings(found.all, known), gone=gone)


def _show(config: Config, chosen: set[str], format_: CheckFormat, *, strict: bool) -> None:
    if format_ not in (CheckFormat.TEXT, CheckFormat.JSON):
        raise UsageError(f"--show-claims: prints as text or json, not as {format_.value}")
    from wiki_tools.cli.claims import show_claims

    backed = show_claims(config, chosen, as_json=format_ is CheckFormat.JSON)
    if strict and not backed:
        raise typer.Exit(1)


def _print(config: Config, format_: CheckFormat, found: _Found) -> None:
    if format_ is CheckFormat.JSON:
        links = sum(found.survey.links[path] for path in found.chosen)
        document = check_document(len(found.chosen), links, found.new)
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
    elif format_ is CheckFormat.SARIF:
        from wiki_tools.checks.sarif import as_sarif

        typer.echo(as_sarif(config, found.new), nl=False)
    elif format_ is CheckFormat.GITHUB:
        typer.echo(as_github(config, found.new), nl=False)
    else:
        typer.echo(as_text(config, found.new, found.known), nl=False)


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
