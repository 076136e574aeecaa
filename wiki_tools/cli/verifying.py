"""Verifies the pages that a command line asks for, and prints what was seen."""

import functools
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath

import typer

from wiki_tools.claims import stated_claims
from wiki_tools.cli.accounting import find_left_out, keep_accounts, tell_fewer
from wiki_tools.cli.choosing import choose_pages
from wiki_tools.cli.common import Format, Vault, read_ledger
from wiki_tools.cli.mutants import mutant_lines, mutant_rows, untried_rows
from wiki_tools.cli.places import Place, a_cluster, nowhere, this_machine
from wiki_tools.cli.progress import Tally, told_progress
from wiki_tools.cli.request import Request
from wiki_tools.cli.written import (
    Compared,
    Seen,
    compare_earlier,
    read_against,
    write_files,
)
from wiki_tools.errors import UsageError, counted, printable, printable_json
from wiki_tools.ledger import LOCAL, Ledger
from wiki_tools.pages import read_pages
from wiki_tools.report import (
    EnvironmentReport,
    Finding,
    PageAccount,
    PageReport,
    account_pages,
    find_fewer,
    find_findings,
    known_accounts,
    report_wiki,
    verify_document,
)
from wiki_tools.runner.changed import count_aged, waits
from wiki_tools.runner.early import Early
from wiki_tools.runner.moment import commit_of
from wiki_tools.runner.verify import Run, Verifier
from wiki_tools.snippets import Snippet, chosen_pages, extract_wiki


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How it ended."""

    wrong: bool
    busy: bool
    """Something ran, or was measured."""
    idle: bool
    """Nothing ran, nothing was measured, and nothing was said but what was printed."""
    asked: dict[str, bytes] = field(default_factory=dict)
    """What extraction asked of files beside the pages."""
    packages: set[str] = field(default_factory=set)
    """What the snippets import."""


def verify_vault(request: Request, early: Early | None = None) -> Done:
    """Run and measure what changed, perhaps in a parent that was started early, and print it."""
    config = request.config
    vault = Vault(config=config, pages=read_pages(config))
    extracted = extract_wiki(config, vault.pages, request.cache)
    ledger = read_ledger(config)
    if request.no_fewer and ledger.damaged:
        raise UsageError("--no-fewer: evidence that cannot be read holds nobody to it; restore it")
    choice = choose_pages(
        vault,
        extracted.snippets,
        ledger,
        paths=request.paths,
        since=request.since,
        shard=request.shard,
        folder=request.folder(request.environment) if request.environment else LOCAL,
    )
    keys = choice.keys
    pages = [page for page in chosen_pages(config, vault.pages) if page.key in keys]
    if not vault.pages:
        typer.echo(f"wiki: {config.docs}: no pages lie there", err=True)
    snippets = tuple(s for s in extracted.snippets if s.page in keys)
    files = request.files
    earlier = read_against(config, files.against) if files.against else ledger
    run = _run(request, early, snippets, ledger, choice.weights)
    for name in run.moved:
        text = f"{name}: a module that it imports was edited while it ran; verify it again"
        typer.echo(f"wiki: {printable(text)}", err=True)
    if run.kept:
        text = f"{counted(run.kept, 'comparison', 'were')} measured while other programs kept the "
        text += "machine busy: what was measured before stands"
        typer.echo(f"wiki: {text}", err=True)
    folder = request.folder(run.environment)
    seen = Ledger.read(config.evidence, folder) if run.ran or run.measured else ledger
    rows = seen.evidence.get(folder, {})
    reports = report_wiki(config, pages, snippets, seen.only(folder), stated_claims)
    told = [(report, found) for report in reports for found in report.environments]
    accounts = account_pages(pages, snippets, rows)
    known = known_accounts(ledger, folder, run.environment)
    fewer = tuple(find_fewer(accounts, known)) if request.no_fewer else ()
    keep_accounts(config, folder, seen, snippets, accounts, fewer)
    findings = (
        *find_findings((row for _, found in told for row in found.snippets), request.strict),
        *find_left_out(config, folder, pages, ledger),
        *tell_fewer(config, fewer),
    )
    shown = Seen(pages=told, findings=findings, accounts=accounts, environment=run.environment)
    compared = Compared()
    if request.compares:
        compared = compare_earlier(shown, files, earlier, keys if request.narrowed else None)
        shown = replace(shown, findings=(*findings, *compared.findings))
    _print(request, told, run, shown.findings, accounts)
    write_files(config, files, shown, compared)
    if count := count_aged((rows[s.id] for s in snippets if s.id in rows), request.oldest):
        text = f"{counted(count, 'measurement', 'are')} older than "
        text += f"{counted(config.aged_days, 'day')}; --aged renews them."
        typer.echo(f"wiki: {text}", err=True)
    return Done(
        wrong=any(finding.severity == "error" for finding in findings),
        busy=bool(run.ran or run.measured),
        idle=not (run.ran or run.measured or ledger.damaged or count)
        and not any(waits(rows[s.id]) for s in snippets if s.id in rows),
        asked=extracted.asked,
        packages={name for snippet in snippets for name in snippet.packages},
    )


Told = Sequence[tuple[PageReport, EnvironmentReport]]
"""Each page as the environment of this run saw it."""


def _print(
    request: Request,
    told: Told,
    run: Run,
    findings: Sequence[Finding],
    accounts: Sequence[PageAccount],
) -> None:
    config = request.config
    if request.format is Format.JSON:
        environments = [found for _, found in told]
        document = verify_document(run.environment, environments, accounts)
        if request.mutate:
            document["mutants"] = mutant_rows(run.mutated)
            document["untried"] = untried_rows(run.untried)
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
        return
    from wiki_tools.cli.results import print_annotations, print_results  # rich, 25 ms

    if request.format is Format.GITHUB:
        print_annotations(config, told, run, findings, accounts)
    else:
        print_results(config, told, run, findings, accounts)
    if request.mutate:
        for line in mutant_lines(config, run.mutated, run.untried):
            typer.echo(line)


def _run(
    request: Request,
    early: Early | None,
    snippets: Sequence[Snippet],
    ledger: Ledger,
    weights: Mapping[str, float],
) -> Run:
    config = request.config
    names = {s.id: f"{PurePath(s.path).name}#{s.id.rpartition('#')[2]}" for s in snippets}
    tally = Tally(names=names, at_once=request.jobs or os.cpu_count() or 1)
    try:
        with _place(request, early, snippets, tally) as place, told_progress(tally):
            return Verifier(
                config=config,
                environment=place.environment,
                folder=request.folder(place.environment),
                executor=place.executor,
                watch=tally.watch,
                threads=place.cores,
                machines=place.machines,
                measure=request.measure,
                mutate=request.mutate,
                weights=weights,
                oldest=request.oldest if request.aged else "",
                resolve=place.resolve,
                commit=functools.cache(partial(commit_of, config.root)),
            ).verify(snippets, ledger, request.every)
    except KeyboardInterrupt:
        kept = f"what {counted(tally.ended, 'snippet')} showed is kept in {config.evidence}"
        again = "the same command without --all" if request.every else "the same command"
        typer.echo(f"wiki: stopped; {kept}; {again} goes on from there", err=True)
        raise typer.Exit(130) from None


def _place(
    request: Request, early: Early | None, snippets: Sequence[Snippet], tally: Tally
) -> AbstractContextManager[Place]:
    config, start, jobs = request.config, request.start, request.jobs
    if request.environment and request.rehearsal:
        return nowhere(request.environment)
    if request.environment:
        use_cache = request.cache is not None
        here, given = request.environment, tally.given
        return this_machine(config, here, jobs, start, given, use_cache, early)
    return a_cluster(config, snippets, request.device, jobs, start, tally.given)
