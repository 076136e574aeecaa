"""Verifies the pages that a command line asks for, and prints what was seen."""

import functools
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import typer

from wiki_tools.cache import Cache
from wiki_tools.claims import stated_claims
from wiki_tools.cli.common import Format, Vault, read_ledger, select_pages
from wiki_tools.cli.places import Place, a_cluster, this_machine
from wiki_tools.cli.results import print_annotations, print_results
from wiki_tools.config import Config
from wiki_tools.environment import Environment, folder_name
from wiki_tools.errors import UsageError, printable_json
from wiki_tools.ledger import LOCAL, Ledger
from wiki_tools.pages import Page, read_pages
from wiki_tools.report import find_findings, report_wiki, verify_document
from wiki_tools.runner.verify import Run, Step, Verifier, Watch, commit_of
from wiki_tools.snippets import Snippet, extract_wiki


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for."""

    config: Config
    device: str
    environment: Environment | None
    """Of this machine; None where others run."""
    cache: Cache | None
    paths: tuple[Path, ...]
    format: Format
    record: bool
    every: bool
    jobs: int
    measure: bool
    shard: str
    since: str
    strict: bool

    def folder(self, environment: Environment) -> str:
        """The folder of the evidence, below the vault's."""
        return folder_name(environment) if self.record else LOCAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How it ended."""

    wrong: bool
    idle: bool
    """Nothing ran, nothing was measured, and nothing was said but what was printed."""
    asked: dict[str, bytes] = field(default_factory=dict)
    """What extraction asked of files beside the pages."""
    packages: set[str] = field(default_factory=set)
    """What the snippets import."""


def verify_vault(request: Request) -> Done:
    """Run and measure what changed, and print it."""
    config = request.config
    vault = Vault(config=config, pages=read_pages(config))
    extracted = extract_wiki(config, vault.pages, request.cache)
    keys = {page.key for page in _chosen(vault, request)}
    snippets = tuple(s for s in extracted.snippets if s.page in keys)
    ledger = read_ledger(config)
    run = _run(request, snippets, ledger)
    folder = request.folder(run.environment)
    if run.ran or run.measured:
        ledger = Ledger.read(config.evidence, folder)
    reports = report_wiki(
        config,
        tuple(page for page in vault.pages if page.key in keys),
        snippets,
        ledger.only(folder),
        stated_claims,
    )
    pages = [
        (report, found)
        for report in reports
        for found in report.environments
        if found.name == folder and report.page.path == report.snippets[0].path
    ]
    rows = [row for _, found in pages for row in found.snippets]
    findings = find_findings(rows, request.strict)
    if request.format is Format.JSON:
        document = verify_document(run.environment, [found for _, found in pages])
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
    elif request.format is Format.GITHUB:
        print_annotations(config, pages, run, findings)
    else:
        print_results(config, pages, run, findings)
    return Done(
        wrong=any(finding.severity == "error" for finding in findings),
        idle=not run.ran and not run.measured and not ledger.damaged,
        asked=extracted.asked,
        packages={name for snippet in snippets for name in snippet.packages},
    )


def _run(request: Request, snippets: Sequence[Snippet], ledger: Ledger) -> Run:
    config = request.config
    with _place(request, snippets) as place, _progress() as watch:
        return Verifier(
            config=config,
            environment=place.environment,
            folder=request.folder(place.environment),
            executor=place.executor,
            watch=watch,
            threads=place.cores,
            measure=request.measure,
            resolve=place.resolve,
            commit=functools.cache(partial(commit_of, config.root)),
        ).verify(snippets, ledger, request.every)


def _place(request: Request, snippets: Sequence[Snippet]) -> AbstractContextManager[Place]:
    if request.environment:
        return this_machine(request.config, request.environment, request.jobs)
    return a_cluster(request.config, snippets, request.device, request.jobs)


def _chosen(vault: Vault, request: Request) -> tuple[Page, ...]:
    """The pages in the default language that the options leave."""
    pages = select_pages(vault, request.paths)
    if request.since:
        changed = _changed(vault, request.since)
        pages = tuple(page for page in pages if page.path in changed)
    if request.shard:
        index, count = _shard(request.shard)
        keys = sorted({page.key for page in pages})[index - 1 :: count]
        pages = tuple(page for page in pages if page.key in keys)
    return pages


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    index, count = (int(n) for n in found.groups()) if found else (0, 0)
    if not 1 <= index <= count:
        raise UsageError(f"--shard {text}: expected I/N with I from 1 to N, such as 2/8")
    return index, count


def _changed(vault: Vault, revision: str) -> set[str]:
    """Paths of the pages, relative to the docs folder, that differ from a revision."""
    if revision.startswith("-"):
        raise UsageError(f"--since {revision}: no revision begins with a dash")
    command = ["git", "-C", str(vault.config.docs), "diff", "--name-only", "--relative", "-z"]
    done = subprocess.run(
        [*command, revision, "--", "."], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UsageError(f"--since {revision}: {done.stderr.strip() or 'git failed'}")
    return set(done.stdout.split("\0")) - {""}


@contextmanager
def _progress() -> Iterator[Watch]:
    """Show what happens on standard error, and nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as progress:
        tasks = {
            "ran": progress.add_task("running", total=None, visible=False),
            "measured": progress.add_task("measuring", total=None, visible=False),
        }

        def watch(step: Step) -> None:
            if step.total is not None:
                progress.update(tasks[step.kind], total=step.total, visible=step.total > 0)
            else:
                progress.update(tasks[step.kind], advance=1, description=step.snippet)

        yield watch
