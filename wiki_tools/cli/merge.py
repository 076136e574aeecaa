"""`wiki merge`: join the evidence that shards have written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from wiki_tools.checks.output import docs_prefix
from wiki_tools.cli.common import Docs, EvidenceFolder, read_vault
from wiki_tools.errors import counted, printable
from wiki_tools.ledger.merge import merge_evidence
from wiki_tools.snippets import Snippet, extract_all


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders of evidence, one of each shard."),
    ],
    docs: Docs = None,
    evidence: EvidenceFolder = None,
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Pages may be missing: not all of the wiki was verified."),
    ] = False,
) -> None:
    """Join the evidence of several folders into the vault's own.

    Of each snippet the newest outcome stays of those that speak of it as it is now. What does not
    agree is told: other outcomes, another text of the page, another environment in one folder.

    Exits 1 where something did not agree or could not be read, or where a page that has snippets
    has no evidence: no shard has run it.

    Example: `wiki merge shard-1/evidence shard-2/evidence`
    """
    vault = read_vault(docs, evidence)
    snippets = extract_all(vault.config, vault.pages)
    digests = {snippet.id: snippet.digest for snippet in snippets}
    merged = merge_evidence(folders, vault.config.evidence, digests)
    for name, ids in sorted(merged.snippets.items()):
        typer.echo(f"{vault.config.evidence / name}: {counted(len(ids), 'snippet')}.")
    for message in merged.conflicts:
        typer.echo(f"wiki: {printable(message)}", err=True)
    prefix = docs_prefix(vault.config)
    missing = [] if partial else _missing(snippets, merged.snippets)
    for path in missing:
        typer.echo(f"wiki: {printable(prefix + path)}: no shard has run it", err=True)
    if merged.conflicts or missing:
        raise typer.Exit(1)


def _missing(snippets: tuple[Snippet, ...], known: Mapping[str, frozenset[str]]) -> list[str]:
    """Paths of the pages that have snippets and no evidence of any."""
    seen = frozenset().union(*known.values())
    pages: dict[str, bool] = {}
    for snippet in snippets:
        pages[snippet.path] = pages.get(snippet.path, False) or snippet.id in seen
    return [path for path, found in pages.items() if not found]
