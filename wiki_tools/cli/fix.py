"""`wiki check --fix`: what can be fixed without asking what was meant."""

from collections.abc import Sequence
from typing import NamedTuple

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.survey import outline_vault, survey_vault
from wiki_tools.cli.offer import offer
from wiki_tools.config import Config
from wiki_tools.edits import make_world, plan_repair
from wiki_tools.errors import counted


class Fixed(NamedTuple):
    """What became of the fixes."""

    written: bool
    left: Sequence[Diagnostic]
    """The findings that they do not mend."""


def fix(
    config: Config,
    cache: Cache | None,
    found: Sequence[Diagnostic],
    chosen: Sequence[Diagnostic],
    *,
    yes: bool,
) -> Fixed:
    """Offer the fixes of the chosen findings as a patch."""
    plan = plan_repair(
        config,
        make_world(config, outline_vault(config, cache)),
        found,
        lambda texts: survey_vault(config, cache, texts=texts).diagnostics,
        chosen=chosen,
    )
    number = len(plan.fixed)
    what = (
        f"{number} of {counted(len(chosen), 'finding')} can be fixed without asking what was meant."
    )
    typer.echo(what if number else "Nothing can be fixed without asking what was meant.", err=True)
    written = bool(number) and offer(config, plan.changes, yes=yes)
    return Fixed(written, [row for row in chosen if row not in plan.fixed])
