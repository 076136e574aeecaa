"""The command `wiki`: a thin face, a module a command."""

import codecs
import importlib
import io
import itertools
import os
import signal
import sys
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from wiki_tools import __version__
from wiki_tools.cli.idle import refuse_idle
from wiki_tools.errors import UsageError, WikiError, escape_unwritable, nearest

COMMANDS: dict[str, str] = {
    "check": "check",
    "extract": "extract",
    "verify": "verify",
    "merge": "merge",
    "history": "history",
    "compare": "history",
    "graph": "graph",
    "build": "site",
    "serve": "site",
    "new": "edit",
    "rename": "rename",
    "stamp": "stamp",
    "schema": "schema",
}
"""Command to its module, in the order of `wiki --help`; a module is imported when asked for."""


class _Command(TyperCommand):
    """Refuses what would be ignored, and what is empty: a script's variable that is not set.

    Taken as if it was not given, `--since "$BASE"` would look at the whole wiki.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for before, value in itertools.pairwise(["", *args]):
            name, given, text = value.partition("=")
            if not value or (given and not text and name.startswith("--")):
                what = name or (before if before.startswith("-") else "an argument")
                raise UsageError(f"{what} is empty; give a value, or leave it out")
        rest = super().parse_args(ctx, args)
        refuse_idle(ctx)
        return rest


class _Commands(TyperGroup):
    """Finds commands by name: importing all of them takes longer than most commands do."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            near = nearest(cmd_name, COMMANDS)
            hint = f"Did you mean {near!r}?" if near else f"There are {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {cmd_name!r}. {hint}")
        module = importlib.import_module(f"wiki_tools.cli.{COMMANDS[cmd_name]}")
        single = typer.Typer(rich_markup_mode="markdown", context_settings=_SETTINGS)
        single.command(cmd_name, cls=_Command)(getattr(module, cmd_name))
        return typer.main.get_command(single)


_SETTINGS = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    name="wiki",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
    help="""A wiki whose claims are tests.

Every command exits 0 when all is well, 1 when something is wrong, 2 when it could not work, and
130 when Ctrl-C ended it.

Example: `wiki check --docs ~/vault`""",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wiki_tools {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_version, is_eager=True
    ),
) -> None:
    """Hold the options that stand before a command."""


def _open_output() -> None:
    """Let nothing that a page says fail for an encoding: Windows writes files in its own."""
    codecs.register_error("escaped", escape_unwritable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            ours = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=stream.encoding if ours else "utf-8", errors="escaped")


def main() -> None:
    """Run the command line; errors that a person can mend become one line and exit code 2."""
    _open_output()
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))  # clean up first
    try:
        app()
    except WikiError as error:
        typer.echo(f"wiki: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # `wiki graph | head`
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        typer.echo(f"wiki: {error.filename or 'input'}: {error.strerror or error}", err=True)
        sys.exit(2)
