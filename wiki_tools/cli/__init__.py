"""The command `wiki`: a thin face, a module a command."""

import signal
import sys

import typer

from wiki_tools import __version__
from wiki_tools.cli.check import check
from wiki_tools.cli.edit import new, stamp
from wiki_tools.cli.extract import extract
from wiki_tools.cli.graph import graph
from wiki_tools.cli.site import build, serve
from wiki_tools.cli.verify import verify
from wiki_tools.errors import WikiError

COMMANDS = (check, extract, verify, graph, build, serve, new, stamp)
"""In the order of `wiki --help`."""

app = typer.Typer(
    name="wiki",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""A wiki whose claims are tests.

Every command exits 0 when all is well, 1 when something is wrong, 2 when it could not work.

Example: `wiki check --docs ~/vault`""",
)
for command in COMMANDS:
    app.command()(command)


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


def main() -> None:
    """Run the command line; errors that a person can mend become one line and exit code 2."""
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
