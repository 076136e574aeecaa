"""What every command takes, and the vault that it works on."""

import enum
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wiki_tools.config import Config, read_config
from wiki_tools.errors import UsageError, nearest, printable

if TYPE_CHECKING:  # what a command does not need it does not wait for
    from wiki_tools.graph import Outline
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
    typer.Argument(metavar="[PATH]...", help="Pages or folders; all pages by default."),
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


def select_pages(vault: Vault, paths: Sequence[Path] | None) -> "tuple[Page, ...]":
    """Choose the pages that lie at or below the given paths.

    Raises:
        UsageError: nothing lies there.
    """
    if not paths:
        return vault.pages
    chosen = select_paths(vault.config, [(page.path, page.key) for page in vault.pages], paths)
    return tuple(page for page in vault.pages if page.path in chosen)


def select_paths(
    config: Config, pages: Sequence[tuple[str, str]], paths: Sequence[Path] | None
) -> set[str]:
    """Choose of pages (path and key) those that lie at or below the given paths, or all.

    A path is relative to the current folder or to the docs folder; a key is taken as well.

    Raises:
        UsageError: nothing lies there.
    """
    if not paths:
        return {path for path, _ in pages}
    chosen: set[str] = set()
    for path in paths:
        places = [(Path.cwd() / path).resolve(), config.docs / path]
        found = {page for page, key in pages if key == str(path) or _below(config, page, places)}
        if not found:
            raise UsageError(f"{path}: no page lies there{_hint(path, [p for p, _ in pages])}")
        chosen |= found
    return chosen


def find_page(
    config: Config,
    pages: "Sequence[Outline]",
    name: str,
    stands_for: Mapping[str, str] | None = None,
) -> "Outline":
    """Find the page that a person means by a path, a file name, a title, an alias or an id.

    With `stands_for` (key to key) pages that stand for one page are one.

    Raises:
        UsageError: no page answers to the name, or more than one.
    """
    from wiki_tools.graph import find_pages

    found = find_pages(name, pages, config)
    if len({stands_for[page.key] if stands_for else page.key for page in found}) == 1:
        return found[0]
    if found:
        paths = ", ".join(page.path for page in found)
        raise UsageError(f"{name}: more than one page answers to it: {paths}; give its path")
    near = nearest(name, {text for page in pages for text in (page.title, page.path, page.key)})
    raise UsageError(f"{name}: no page answers to it" + (f"; did you mean {near}?" if near else ""))


def _below(config: Config, page: str, places: Sequence[Path]) -> bool:
    file = config.docs / page
    return any(file == place or place in file.parents for place in places)


def _hint(path: Path, pages: Iterable[str]) -> str:
    near = nearest(path.name, [page.rsplit("/", 1)[-1] for page in pages])
    return f"; did you mean {near}?" if near else "; name a page, a folder or a page's id"
