"""What every command takes, and the vault that it works on."""

import enum
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wiki_tools.config import Config, read_config
from wiki_tools.errors import printable

if TYPE_CHECKING:  # what a command does not need it does not wait for
    from wiki_tools.ledger import Ledger
    from wiki_tools.pages import Page


class Format(enum.StrEnum):
    """How a command prints its data."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


Docs = Annotated[
    Path | None,
    typer.Option(
        "--docs",
        metavar="DIR",
        help="The vault: its docs folder, or the folder of its mkdocs.yml. [default: docs]",
        show_default=False,
    ),
]
EvidenceFolder = Annotated[
    Path | None,
    typer.Option(
        "--evidence",
        metavar="DIR",
        help="Where evidence lies. [default: evidence beside the docs folder]",
        show_default=False,
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option(
        "--format", help="How to print: for people, for programs, or as GitHub annotations."
    ),
]
UseCache = Annotated[
    bool,
    typer.Option(
        "--cache/--no-cache",
        help="Look again only at what changed; what was found is kept in "
        "your cache folder, which may be deleted at any time.",
    ),
]
Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH]...", help="Pages or folders, or names of pages; all by default."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """A vault as read from disk."""

    config: Config
    pages: "tuple[Page, ...]"


def read_vault(docs: Path | None, evidence: Path | None) -> Vault:
    """Read the settings and every page.

    Raises:
        UsageError: there is no such folder.
        ConfigError: `mkdocs.yml` cannot be used.
    """
    from wiki_tools.pages import read_pages

    config = read_config(docs, evidence)
    return Vault(config=config, pages=read_pages(config))


def tell_reading(done: int, total: int) -> None:
    """Say on a terminal how far reading is, where it takes more than a moment."""
    if total >= _MANY and sys.stderr.isatty():
        text = f"{done:,} of {total:,} pages read" if done < total else ""
        typer.echo(f"\r\x1b[K{text}", err=True, nl=False)


_MANY = 2000
"""Pages that take longer to read than one likes to wait without a word."""


def read_ledger(config: Config) -> "Ledger":
    """Read all evidence; what cannot be read is said on standard error, and counts as never run."""
    from wiki_tools.ledger import Ledger

    ledger = Ledger.read(config.evidence)
    for message in ledger.damaged:
        typer.echo(f"wiki: {printable(message)}", err=True)
    return ledger
