"""`wiki extract`: every pattern as a file that runs on its own."""

from typing import Annotated

import typer

from wiki_tools.checks.output import root_prefix
from wiki_tools.cli.common import Docs, EvidenceFolder, read_ledger, read_vault
from wiki_tools.errors import counted
from wiki_tools.report import choices
from wiki_tools.snippets import drifted, extract_all, write_snippets


def extract(
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where a file is out of date.")
    ] = False,
) -> None:
    """Write each pattern into snippets/ as a file that runs on its own and opens as a notebook.

    Example: `wiki extract && python snippets/*/*/*/*/05-*.py`
    """
    vault = read_vault(docs, evidence)
    snippets = extract_all(vault.config, vault.pages)
    prefix = root_prefix(vault.config)
    chosen = choices(snippets, read_ledger(vault.config))
    if not check:
        changed = write_snippets(vault.config, snippets, chosen)
        for path in changed:
            typer.echo(f"{prefix}{path.relative_to(vault.config.root).as_posix()}")
        total = f"{counted(len(changed), 'file')} written, {counted(len(snippets), 'snippet')}."
        typer.echo(total, err=True)
        return
    stale = drifted(vault.config, snippets, chosen)
    for path in stale:
        place = f"{prefix}{path.relative_to(vault.config.root).as_posix()}"
        typer.echo(f"{place}: does not match its page")
    typer.echo(f"{len(stale)} of {counted(len(snippets), 'file')} drifted.", err=True)
    if stale:
        typer.echo("Run `wiki extract` and commit what it writes.", err=True)
        raise typer.Exit(1)
