"""An option that would be ignored is refused, in a sentence that names what it lacks."""

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from wiki_tools.cli import app
from wiki_tools.cli.idle import IDLE, Idle
from wiki_tools.errors import UsageError

ROWS = [(command, row) for command, rows in IDLE.items() for row in rows]
VALUES = {"format_": "json", "explained": "wanted-page", "limit": "3", "baseline": "known.json"}
ARGUMENTS = {"rename": ["a", "b"]}


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    return str(done.exception) if isinstance(done.exception, UsageError) else ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("check --grow", "--grow: does nothing without --update-baseline; add that, or leave"),
        ("check --yes", "--yes: does nothing without --fix;"),
        ("check --show-claims --update-baseline", "--update-baseline: does nothing beside --show"),
        ("check --no-claims --show-claims", "--no-claims: does nothing beside --show-claims;"),
        ("check --fix --format json", "--format: does nothing beside --fix; leave one of them out"),
        ("check docs --explain wanted-page", "PATH: does nothing beside --explain;"),
        ("verify --aged --no-measure", "--aged: does nothing beside --no-measure;"),
        ("graph --limit 3 --orphans", "--limit: does nothing without --central;"),
        ("rename a b --alias --redirect", "--alias: does nothing beside --redirect;"),
        ("compare a b --format github", "--format github: what is compared has no line;"),
    ],
)
def test_what_would_be_ignored_is_refused(arguments: str, words: str) -> None:
    assert refused(*arguments.split()).startswith(words)


@pytest.mark.parametrize(
    "arguments",
    [
        "check --explain wanted-page --docs {}",
        "check --docs {} --no-cache --strict --claims",
        "check --docs {} --show-claims --strict --format json",
        "graph --docs {} --central --limit 3 --format json",
        "verify --docs {} --aged --measure --no-cache",
        "rename a b.md --docs {} --redirect --no-alias",
    ],
)
def test_what_does_something_is_not(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n")
    assert refused(*arguments.format(tmp_path / "docs").split()) == ""


@pytest.mark.parametrize(("command", "row"), ROWS, ids=lambda value: str(value)[:60])
def test_every_row_names_options_that_there_are(command: str, row: Idle) -> None:
    group: Any = typer.main.get_command(app)
    known = {p.name: p for p in group.get_command(None, command).params}
    arguments = [command, *ARGUMENTS.get(command, [])]
    for name, said in ((row.option, row.said), (row.beside, row.other)):
        if name == "paths":
            arguments.append("docs")
        elif name:
            one = known[name]
            spelt = one.secondary_opts if said is False else one.opts
            arguments += [spelt[0], *([] if one.is_flag else [VALUES[name]])]
    assert not row.without or row.without in known
    assert ": does nothing " in refused(*arguments)
