"""`wiki verify`: run and measure what changed, and keep what was seen."""

import contextlib
import io
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wiki_tools.cache import Cache
from wiki_tools.cli.common import (
    Docs,
    EvidenceFolder,
    Format,
    FormatOption,
    Paths,
    UseCache,
)
from wiki_tools.cli.places import Where
from wiki_tools.cli.remembered import Answer, Remembered, copied_output
from wiki_tools.config import read_config
from wiki_tools.environment import describe_environment
from wiki_tools.errors import UsageError, WikiError

if TYPE_CHECKING:
    from wiki_tools.cli.request import Request

RECALLED = {"paths", "docs", "evidence", "format_", "record", "device", "jobs", "measure"}
RECALLED |= {"strict", "use_cache", "where"}
"""Parameters with which an answer may be told again; with any other that is given, all is done."""


def verify(
    ctx: typer.Context,
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
    where: Annotated[
        Where,
        typer.Option(
            "--executor",
            help="Which machines run: this one, or those of the Ray cluster that RAY_ADDRESS "
            "names, --jobs on each.",
        ),
    ] = Where.LOCAL,
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="Time what is compared.")
    ] = True,
    mutate: Annotated[
        bool,
        typer.Option(
            "--mutate",
            help="Also run each pattern with one thing changed, and tell what no check notices.",
        ),
    ] = False,
    shard: Annotated[
        str,
        typer.Option(
            "--shard",
            metavar="I/N",
            help="Only the I-th of N shares of the pages, which took about as long the last time.",
        ),
    ] = "",
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="REV",
            help="Only pages that differ from git's REV, or whose fixtures or modules do.",
        ),
    ] = "",
    aged: Annotated[
        bool,
        typer.Option(
            "--aged",
            help="Measure again what was measured more than `aged_days` days ago, 365 by default.",
        ),
    ] = False,
    no_fewer: Annotated[
        bool,
        typer.Option(
            "--no-fewer",
            help="Fail where fewer fences of a page run than when it was last recorded.",
        ),
    ] = False,
    sandbox: Annotated[
        str,
        typer.Option(
            "--sandbox",
            metavar="auto|require|off",
            help="Keep snippets from files and network: as far as can be, or not at all without.",
        ),
    ] = "",
    start: Annotated[
        str,
        typer.Option(
            "--start", metavar="auto|fork|fresh", help="Fork snippets, or start a Python for each."
        ),
    ] = "",
    use_cache: UseCache = True,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write JUnit's XML: a suite a page."),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            "--summary",
            metavar="FILE",
            help="Write what changed since earlier evidence, as Markdown for a pull request.",
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="DIR|REV",
            help="What --summary compares with: a folder of evidence, or that of a git revision. "
            "[default: the committed evidence]",
            show_default=False,
        ),
    ] = "",
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Incomplete, inconclusive and invalid count as wrong."),
    ] = False,
) -> None:
    """Run and measure what changed since it was last verified, and keep what was seen.

    Exits 1 where a snippet failed, timed out or crashed, or where a claim is refuted that
    its page does not own with `expect=refuted`; with `--no-fewer` also where a page has fences
    that ran when it was last recorded and do not now.

    Example: `wiki verify docs/10_Wiki --device cuda --record`
    """
    if device not in ("cpu", "cuda"):
        raise UsageError(f"--device {device}: expected cpu or cuda")
    config = read_config(docs, evidence)
    environment = describe_environment(device) if where is Where.LOCAL else None
    cache = Cache(config) if use_cache else None
    remembered = None
    if cache and environment and _may_recall(ctx):
        places = [path.resolve() for path in paths or ()]  # a link may lead elsewhere by now
        asks = repr((sorted(ctx.params.items()), places))
        look = partial(Remembered, config, cache, environment, asks)
        remembered = look()
        if answer := remembered.recall():
            typer.echo(answer.text, nl=False)
            raise typer.Exit(answer.code)
    from wiki_tools.cli.places import start_early
    from wiki_tools.cli.request import Files, Request
    from wiki_tools.runner.choice import confine

    request = Request(
        config=confine(config, sandbox),
        device=device,
        environment=environment,
        cache=cache,
        paths=tuple(paths or ()),
        format=format_,
        record=record,
        every=every,
        jobs=jobs,
        measure=measure,
        mutate=mutate,
        shard=shard,
        since=since,
        strict=strict,
        no_fewer=no_fewer,
        aged=aged,
        start=start,
        files=Files(junit=junit, summary=summary, against=against),
    )
    with start_early(request) as early, copied_output() as printed:
        from wiki_tools.cli.verifying import verify_vault  # as long as a parent takes to start

        done = verify_vault(request, early)
    if remembered and done.idle:
        remembered.keep(Answer("".join(printed), int(done.wrong)), done.asked, done.packages)
    elif remembered and done.busy:
        _rehearse(request, look())
    if done.wrong:
        raise typer.Exit(1)


def _rehearse(request: "Request", remembered: Remembered) -> None:
    """Find out what the next command will say, now that there is nothing to do; nothing is run.

    It takes a third of a second for a thousand snippets, and more for the next command to begin
    from nothing.
    """
    from wiki_tools.cli.places import ChangedMeanwhile
    from wiki_tools.cli.verifying import verify_vault

    with (
        contextlib.suppress(ChangedMeanwhile, WikiError),
        contextlib.redirect_stderr(io.StringIO()),
        copied_output(passing=False) as printed,
    ):
        done = verify_vault(replace(request, rehearsal=True))
        if done.idle:
            remembered.keep(Answer("".join(printed), int(done.wrong)), done.asked, done.packages)


def _may_recall(ctx: typer.Context) -> bool:
    """Whether all that was asked for is told again by what is printed."""
    given = {name for name, value in ctx.params.items() if value}
    return given <= RECALLED and ctx.params["format_"] is not Format.GITHUB
