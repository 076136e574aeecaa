"""Shows a patch, and writes it where that is wanted."""

import sys
from collections.abc import Sequence

import typer

from wiki_tools.config import Config
from wiki_tools.edits import Change, as_diff, write_changes
from wiki_tools.errors import counted


def offer(config: Config, changes: Sequence[Change], *, yes: bool) -> bool:
    """Print changes as a patch, and write them if that is wanted; says whether they are written."""
    typer.echo(as_diff(changes), nl=False)
    sys.stdout.flush()
    if not yes and not sys.stdin.isatty():
        typer.echo("Nothing is written yet; add --yes to write it.", err=True)
        return False
    if not yes and not _agrees():
        typer.echo("Nothing is written.", err=True)
        return False
    write_changes(config.root, changes)
    typer.echo(f"Written: {counted(len(changes), 'file')}.", err=True)
    return True


def _agrees() -> bool:
    """Ask on standard error, where no patch is."""
    typer.echo("Write this? [y/N] ", nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
