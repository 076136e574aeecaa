"""`wiki check --fix`: what can be fixed without asking what was meant."""

from collections.abc import Sequence

import typer

from wiki_tools.cache import Cache
from wiki_tools.checks.diagnostic import Diagnostic
from wiki_tools.checks.survey import outline_vault, survey_vault
from wiki_tools.cli.offer import offer
from wiki_tools.config import Config
from wiki_tools.edits import make_world, plan_repair


def fix(
    config: Config,
    cache: Cache | None,
    found: Sequence[Diagnostic],
    chosen: Sequence[Diagnostic],
    *,
    yes: bool,
) -> Sequence[Diagnostic]:
    """Offer the fixes of the chosen findings as a patch; returns those that are left."""
    plan = plan_repair(
        config,
        make_world(config, outline_vault(config, cache)),
        found,
        lambda texts: survey_vault(config, cache, texts=texts).diagnostics,
        chosen=chosen,
    )
    number = len(plan.fixed)
    what = f"{number} of {len(chosen)} findings can be fixed without asking what was meant."
    typer.echo(what if number else "Nothing can be fixed without asking what was meant.", err=True)
    if number and offer(config, plan.changes, yes=yes):
        return [row for row in chosen if row not in plan.fixed]
    return chosen
