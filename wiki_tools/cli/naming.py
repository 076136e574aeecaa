"""Finds the pages that a person names: by where they lie, or by what they are called."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wiki_tools.checks.output import docs_prefix
from wiki_tools.cli.common import Vault
from wiki_tools.config import Config
from wiki_tools.errors import UsageError, nearest, printable

if TYPE_CHECKING:  # a command that was given no name does not wait for it
    from wiki_tools.graph import Outline
    from wiki_tools.pages import Page

Outlines = Callable[[], "Sequence[Outline]"]


def select_pages(vault: Vault, paths: Sequence[Path] | None) -> "tuple[Page, ...]":
    """Choose the pages that lie at or below the given paths, or bear such a name.

    Raises:
        UsageError: there is none.
    """
    if not paths:
        return vault.pages
    rows = [(page.path, page.key) for page in vault.pages]
    chosen = select_paths(vault.config, rows, paths, lambda: outlines_of(vault))
    return tuple(page for page in vault.pages if page.path in chosen)


def outlines_of(vault: Vault) -> "list[Outline]":
    """What each page answers to."""
    from wiki_tools.graph import outline_of

    return [outline_of(page, vault.config) for page in vault.pages]


def select_paths(
    config: Config,
    pages: Sequence[tuple[str, str]],
    paths: Sequence[Path] | None,
    outlines: Outlines,
) -> set[str]:
    """Choose of pages (path and key) those that lie at or below the given paths, or all.

    A path is relative to the current folder or to the docs folder. Where nothing lies there, it
    is taken for a page's name, and `outlines` say what pages are called.

    Raises:
        UsageError: nothing lies there, and no page answers to it.
    """
    if not paths:
        return {path for path, _ in pages}
    chosen: set[str] = set()
    for path in paths:
        places = [(Path.cwd() / path).resolve(), config.docs / path]
        found = {page for page, key in pages if key == str(path) or _below(config, page, places)}
        if not found:
            named = find_page(config, outlines(), str(path), what="no page lies there")
            alone = str(path).removesuffix(".md").endswith(f".{named.language}")
            found = {p for p, key in pages if p == named.path or (key == named.key and not alone)}
        chosen |= found
    return chosen


def find_page(
    config: Config,
    pages: "Sequence[Outline]",
    name: str,
    stands_for: Mapping[str, str] | None = None,
    *,
    what: str = "no page answers to it",
) -> "Outline":
    """Find the page that a person means by a path, a file name, a title, an alias or an id.

    With `stands_for` (key to key) pages that stand for one page are one.

    Raises:
        UsageError: no page answers to the name (`what` says so), or more than one.
    """
    from wiki_tools.graph import find_pages

    here = (Path.cwd() / name).resolve()
    found = [page for page in pages if config.docs / page.path == here]
    found = found or list(find_pages(name, pages, config))
    if len({stands_for[page.key] if stands_for else page.key for page in found}) == 1:
        return found[0]
    if found:
        paths = ", ".join(docs_prefix(config) + page.path for page in found)
        raise UsageError(
            f"{printable(name)}: more than one page answers to it: {printable(paths)}; "
            "give its path"
        )
    raise UsageError(f"{printable(name)}: {what}; {_remedy(config, pages, name)}")


def _remedy(config: Config, pages: "Sequence[Outline]", name: str) -> str:
    """What to do about a name that no page answers to; a file's name is told with its folder."""
    known: dict[str, str] = {}
    for page in pages:
        place = docs_prefix(config) + page.path
        known |= {page.path: place, page.path.rpartition("/")[2]: place}
        known |= {text: text for text, _, rank, _ in page.names if rank and text}
    near = nearest(name, known) or nearest(Path(name).name, known)
    if near is None:
        return "name a page by its path, title, alias or id"
    return f"did you mean {printable(known[near])}?"


def _below(config: Config, page: str, places: Sequence[Path]) -> bool:
    file = config.docs / page
    return any(file == place or place in file.parents for place in places)
