"""`wiki verify`: run and measure what changed, and keep what was seen."""

import functools
import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

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
from wiki_tools.cli.results import failures, print_results
from wiki_tools.environment import describe_environment, folder_name
from wiki_tools.errors import UsageError, printable_json
from wiki_tools.ledger import LOCAL, Ledger
from wiki_tools.pages import Page
from wiki_tools.report import report_wiki, verify_document
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.verify import Step, Verifier, Watch, commit_of
from wiki_tools.snippets import extract_all


def verify(
    paths: Paths = None,
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    format_: FormatOption = Format.TEXT,
    record: Annotated[
        bool,
        typer.Option("--record", help="Write into the environment's own folder, for committing."),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Run everything, changed or not.")] = False,
    device: Annotated[
        str, typer.Option("--device", metavar="cpu|cuda", help="Where to run.")
    ] = "cpu",
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=0, help="Snippets at a time. [0: one a core]"),
    ] = 0,
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="Time what is compared.")
    ] = True,
    shard: Annotated[
        str, typer.Option("--shard", metavar="I/N", help="Only every N-th page, from the I-th.")
    ] = "",
    since: Annotated[
        str,
        typer.Option("--since", metavar="REV", help="Only pages that git says differ from REV."),
    ] = "",
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Incomplete, inconclusive and invalid count as wrong."),
    ] = False,
) -> None:
    """Run and measure what changed since it was last verified, and keep what was seen.

    Exits 1 where a snippet failed, timed out or crashed, or where a claim is refuted that
    its page does not own with `expect=refuted`.

    Example: `wiki verify docs/10_Wiki --device cuda --record`
    """
    if device not in ("cpu", "cuda"):
        raise UsageError(f"--device {device}: expected cpu or cuda")
    vault = read_vault(docs, evidence)
    keys = {page.key for page in _chosen(vault, paths, shard, since)}
    snippets = tuple(s for s in extract_all(vault.config, vault.pages) if s.page in keys)
    environment = describe_environment(device)
    folder = folder_name(environment) if record else LOCAL
    cores = os.cpu_count() or 1
    with LocalExecutor(vault.config, jobs=jobs or cores) as executor, _progress() as watch:
        run = Verifier(
            config=vault.config,
            environment=environment,
            folder=folder,
            executor=executor,
            watch=watch,
            threads=cores,
            measure=measure,
            commit=functools.cache(partial(commit_of, vault.config.root)),
        ).verify(snippets, read_ledger(vault.config), every)
    reports = report_wiki(
        vault.config,
        tuple(page for page in vault.pages if page.key in keys),
        snippets,
        Ledger.read(vault.config.evidence).only(folder),
    )
    pages = [
        (report, found)
        for report in reports
        for found in report.environments
        if found.name == folder and report.page.path == report.snippets[0].path
    ]
    wrong = failures(pages, strict)
    if format_ is Format.JSON:
        document = verify_document(environment, [found for _, found in pages])
        typer.echo(printable_json(json.dumps(document, ensure_ascii=False, indent=1)))
    else:
        print_results(pages, run, wrong, github=format_ is Format.GITHUB)
    if wrong:
        raise typer.Exit(1)


def _chosen(vault: Vault, paths: Sequence[Path] | None, shard: str, since: str) -> tuple[Page, ...]:
    """The pages in the default language that the options leave."""
    pages = select_pages(vault, paths)
    if since:
        changed = _changed(vault, since)
        pages = tuple(page for page in pages if page.path in changed)
    if shard:
        index, count = _shard(shard)
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
