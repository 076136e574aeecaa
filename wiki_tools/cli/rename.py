"""`wiki rename`: a page gets another name, and every link to it with it."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from wiki_tools.cli.common import Docs, Vault, read_vault
from wiki_tools.config import Config
from wiki_tools.edits import Change, Keep, as_diff, plan_rename, write_changes
from wiki_tools.errors import UsageError, nearest
from wiki_tools.graph import find_pages
from wiki_tools.pages import Page


def rename(
    old: Annotated[str, typer.Argument(help="The page: its path, file name, title, alias or id.")],
    new: Annotated[
        str,
        typer.Argument(
            help="Its new path from the docs folder on; a bare name stays in its folder, "
            "and a folder that ends in / keeps its name."
        ),
    ],
    docs: Docs = None,
    title: Annotated[
        str, typer.Option("--title", help="Its new title. [default: the present one]")
    ] = "",
    redirect: Annotated[
        bool, typer.Option("--redirect", help="Leave a page at the old place that leads on.")
    ] = False,
    alias: Annotated[
        bool, typer.Option("--alias/--no-alias", help="Make the old name an alias of the page.")
    ] = True,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
) -> None:
    """Rename or move a page with its translations, and mend every link in every form.

    Prints the patch first and asks. Where there is no terminal to ask at, nothing is written
    without `--yes`.

    Example: `wiki rename Attention 10_Wiki/Topics/Attention-Mechanism.md`
    """
    vault = read_vault(docs, None)
    keep = Keep.REDIRECT if redirect else Keep.ALIAS if alias else Keep.NOTHING
    page = _find(vault, old)
    plan = plan_rename(vault.config, vault.pages, page, new, title=title, keep=keep)
    for note in plan.notes:
        typer.echo(f"wiki: {note}", err=True)
    offer(vault.config, plan.changes, yes=yes)


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
    number = len(changes)
    typer.echo(f"Written: {number} {'file' if number == 1 else 'files'}.", err=True)
    return True


def _agrees() -> bool:
    """Ask on standard error, where no patch is."""
    typer.echo("Write this? [y/N] ", nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _find(vault: Vault, name: str) -> Page:
    """The page that a person means."""
    found = find_pages(name, vault.pages, vault.config)
    if len(found) == 1:
        return found[0]
    if found:
        paths = ", ".join(page.path for page in found)
        raise UsageError(f"{name}: more than one page answers to it: {paths}; give its path")
    near = nearest(name, {p.title for p in vault.pages} | {p.path for p in vault.pages})
    raise UsageError(f"{name}: no page answers to it" + (f"; did you mean {near}?" if near else ""))
