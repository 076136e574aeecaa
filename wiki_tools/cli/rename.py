"""`wiki rename`: a page gets another name, and every link to it with it."""

import os
from typing import Annotated

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.output import docs_prefix, root_prefix
from wiki_tools.checks.survey import outline_vault
from wiki_tools.cli.common import Docs
from wiki_tools.cli.naming import find_page
from wiki_tools.cli.offer import offer
from wiki_tools.config import Config, read_config
from wiki_tools.edits import Keep, make_world, plan_rename


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
    config = read_config(docs)
    world = make_world(config, outline_vault(config, Cache(config)))
    keep = Keep.REDIRECT if redirect else Keep.ALIAS if alias else Keep.NOTHING
    page = find_page(config, world.outlines, old)
    plan = plan_rename(config, world, page, new, title=title, keep=keep)
    for note in plan.notes:
        typer.echo(f"wiki: {_folder_of(config, note)}{note}", err=True)
    offer(config, plan.changes, yes=yes)


def _folder_of(config: Config, note: str) -> str:
    """What leads from here to the file that a note begins with: one beside the pages, or a page."""
    beside = os.path.lexists(config.root / note.partition(":")[0])
    return root_prefix(config) if beside else docs_prefix(config)
