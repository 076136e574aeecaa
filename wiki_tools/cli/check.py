"""`wiki check`: what is wrong with a wiki, without running it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wiki_tools.checks import (
    Diagnostic,
    as_github,
    as_text,
    check_document,
    check_wiki,
    gone_findings,
    new_findings,
    read_baseline,
    write_baseline,
)
from wiki_tools.claims import Claim
from wiki_tools.cli.common import (
    Docs,
    EvidenceFolder,
    Format,
    FormatOption,
    Paths,
    Vault,
    read_ledger,
    read_vault,
    select_pages,
)
from wiki_tools.errors import UsageError
from wiki_tools.graph import LinkGraph, link_pages
from wiki_tools.ledger import Ledger
from wiki_tools.report import choices, report_wiki, unbacked_claims
from wiki_tools.snippets import Snippet, drifted, extract_all


def check(
    paths: Paths = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: FormatOption = Format.TEXT,
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
) -> None:
    """Find what is wrong with links, front matter, fences and claims; nothing is run.

    Exits 1 where there is an error, or with `--strict` a warning; notes never fail.

    Example: `wiki check --docs ~/vault --strict`
    """
    vault = read_vault(docs, evidence)
    chosen = {page.path for page in select_pages(vault, paths)}
    links = link_pages(vault.pages, vault.config)
    found = _diagnostics(vault, links, claims)
    if paths:
        found = tuple(row for row in found if row.path in chosen)
    file = baseline or vault.config.baseline
    if update_baseline:
        _update(file, found, bool(paths))
    gone: tuple[tuple[str, str, str], ...] = ()
    if file is not None and (file.exists() or baseline is not None):
        known = read_baseline(file)
        gone = () if paths else gone_findings(found, known)
        found = new_findings(found, known)
    if format_ is Format.JSON:
        pages = [page for page in vault.pages if page.path in chosen]
        document = check_document(pages, links, found)
        typer.echo(json.dumps(document, ensure_ascii=False, indent=1))
    elif format_ is Format.GITHUB:
        typer.echo(as_github(vault.config, found), nl=False)
    else:
        typer.echo(as_text(vault.config, found), nl=False)
    for code, path, message in gone:
        typer.echo(f"{file}: no longer found: {path}: {message} [{code}]", err=True)
    if gone:
        typer.echo("Run `wiki check --update-baseline` and commit the shorter file.", err=True)
    failing = {"error", "warning"} if strict else {"error"}
    if any(row.severity in failing for row in found) or (strict and gone):
        raise typer.Exit(1)


def _diagnostics(vault: Vault, links: LinkGraph, claims: bool | None) -> tuple[Diagnostic, ...]:
    config = vault.config
    asked = claims
    if asked is None:
        asked = config.snippets.is_dir() or config.evidence.is_dir()
    snippets = extract_all(config, vault.pages)
    ledger = read_ledger(config) if asked else None
    return check_wiki(
        config,
        vault.pages,
        links,
        snippets,
        unbacked=_unbacked(vault, snippets, ledger),
        drifted=_drifted(vault, snippets, ledger),
    )


def _unbacked(
    vault: Vault, snippets: Sequence[Snippet], ledger: Ledger | None
) -> tuple[Claim, ...]:
    if ledger is None:
        return ()
    return unbacked_claims(report_wiki(vault.config, vault.pages, snippets, ledger))


def _drifted(vault: Vault, snippets: Sequence[Snippet], ledger: Ledger | None) -> tuple[str, ...]:
    """Files under snippets/ that no longer match; none where only fixtures are kept there."""
    config = vault.config
    if ledger is None or not config.snippets.is_dir():
        return ()
    if {p.name for p in config.snippets.iterdir()} <= {"fixtures"}:
        return ()
    chosen = choices(snippets, ledger)
    return tuple(str(p.relative_to(config.root)) for p in drifted(config, snippets, chosen))


def _update(file: Path | None, found: Sequence[Diagnostic], some: bool) -> None:
    if file is None:
        raise UsageError("--update-baseline: name the file with --baseline FILE")
    if some:
        raise UsageError("--update-baseline: speaks of the whole vault; leave out PATH")
    write_baseline(file, [row for row in found if row.severity != "info"])
