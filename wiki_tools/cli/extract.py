"""`wiki extract`: every pattern as a file that runs on its own."""

from typing import Annotated

import typer

from wiki_tools.cli.common import Docs, EvidenceFolder, read_ledger, read_vault
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
    chosen = choices(snippets, read_ledger(vault.config))
    if not check:
        changed = write_snippets(vault.config, snippets, chosen)
        for path in changed:
            typer.echo(path.relative_to(vault.config.root))
        typer.echo(f"{len(changed)} files written, {len(snippets)} snippets.", err=True)
        return
    stale = drifted(vault.config, snippets, chosen)
    for path in stale:
        typer.echo(f"{path.relative_to(vault.config.root)}: does not match its page")
    typer.echo(f"{len(stale)} of {len(snippets)} files drifted.", err=True)
    if stale:
        typer.echo("Run `wiki extract` and commit what it writes.", err=True)
        raise typer.Exit(1)
