"""`wiki rename`: a page gets another name, and every link to it with it."""

from typing import Annotated

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks import outline_vault
from wiki_tools.cli.common import Docs
from wiki_tools.cli.offer import offer
from wiki_tools.config import Config, read_config
from wiki_tools.edits import Keep, World, make_world, plan_rename
from wiki_tools.errors import UsageError, nearest
from wiki_tools.graph import Outline
from wiki_tools.graph.queries import find_named


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
    page = _find(config, world, old)
    plan = plan_rename(config, world, page, new, title=title, keep=keep)
    for note in plan.notes:
        typer.echo(f"wiki: {note}", err=True)
    offer(config, plan.changes, yes=yes)


def _find(config: Config, world: World, name: str) -> Outline:
    """The page that a person means."""
    pages = world.outlines
    rows = [(page.path, page.key, page.language, page.names) for page in pages]
    found = [pages[index] for index in find_named(name, rows, config)]
    if len(found) == 1:
        return found[0]
    if found:
        paths = ", ".join(page.path for page in found)
        raise UsageError(f"{name}: more than one page answers to it: {paths}; give its path")
    near = nearest(name, {page.title for page in pages} | {page.path for page in pages})
    raise UsageError(f"{name}: no page answers to it" + (f"; did you mean {near}?" if near else ""))
