"""Chooses the pages that `wiki verify` looks at: by path, by what git says, by share."""

import re
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from wiki_tools.cli.common import Vault
from wiki_tools.cli.naming import select_pages
from wiki_tools.config import Config
from wiki_tools.errors import UsageError
from wiki_tools.ledger import Ledger
from wiki_tools.pages import Page
from wiki_tools.runner.shards import share_pages, weigh_pages, weigh_snippets
from wiki_tools.snippets import Snippet, fixture_stem, module_folders


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The pages to look at."""

    keys: set[str]
    weights: Mapping[str, float] = field(default_factory=dict)
    """Snippet's id to the seconds that it was taken for, where the wiki was shared out."""


def choose_pages(
    vault: Vault,
    snippets: Sequence[Snippet],
    ledger: Ledger,
    *,
    paths: Sequence[Path],
    since: str,
    shard: str,
    folder: str,
) -> Choice:
    """The pages that the options leave.

    Raises:
        UsageError: an option says what is not there.
    """
    keys = {page.key for page in select_pages(vault, paths)}
    if since:
        keys &= changed_pages(vault, snippets, changed_files(vault.config, since))
    if not shard:
        return Choice(keys=keys)
    index, count = _read_shard(shard)
    rows = [snippet for snippet in snippets if snippet.page in keys]
    weights = weigh_snippets(rows, ledger, folder, vault.config.budget)
    return Choice(keys=share_pages(weigh_pages(rows, weights), index, count), weights=weights)


def _read_shard(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    index, count = (int(n) for n in found.groups()) if found else (0, 0)
    if not 1 <= index <= count:
        raise UsageError(f"--shard {text}: expected I/N with I from 1 to N, such as 2/8")
    return index, count


def changed_files(config: Config, revision: str) -> set[str]:
    """Paths, relative to a vault's root, that differ from a revision or are new to git.

    The docs folder decides which work tree is meant: it may be one by itself.

    Raises:
        UsageError: git knows no such revision.
    """
    if revision.startswith("-"):
        raise UsageError(f"--since {revision}: no revision begins with a dash")
    (top,) = _git(config.docs, revision, "rev-parse", "--show-toplevel", end="\n")
    if not _git(config.docs, revision, "rev-parse", "--revs-only", revision, end="\n"):
        raise UsageError(
            f"--since {revision}: git knows no such revision; name a commit, a tag or a branch, "
            "such as origin/main"
        )
    differing = _git(Path(top), revision, "diff", "--name-only", "-z", revision, "--")
    new = _git(Path(top), revision, "ls-files", "--others", "--exclude-standard", "-z")
    files = (Path(top, path) for path in differing | new)
    root = config.root
    return {file.relative_to(root).as_posix() for file in files if file.is_relative_to(root)}


def _git(folder: Path, revision: str, *command: str, end: str = "\0") -> set[str]:
    """The paths that git lists, each with `end` behind it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *command], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise UsageError(f"--since {revision}: git is not installed") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise UsageError(f"--since {revision}: {said or 'git failed'}")
    return set(done.stdout.decode("utf-8", "surrogateescape").split(end)) - {""}


def changed_pages(vault: Vault, snippets: Iterable[Snippet], changed: Collection[str]) -> set[str]:
    """The keys of pages that changed themselves, or whose fixtures or modules did."""
    config = vault.config
    docs = config.docs.relative_to(config.root).as_posix()
    if "snippets/fixtures/wiki.py" in changed:
        return {page.key for page in vault.pages}
    keys = {page.key for page in vault.pages if _is_changed(config, docs, page, changed)}
    python = [PurePosixPath(path) for path in changed if path.endswith(".py")]
    for snippet in snippets:
        if snippet.page not in keys and _imports(config, snippet, python):
            keys.add(snippet.page)
    return keys


def _is_changed(config: Config, docs: str, page: Page, changed: Collection[str]) -> bool:
    fixtures = f"snippets/fixtures/{fixture_stem(page.path, config)}.py"
    return f"{docs}/{page.path}" in changed or fixtures in changed


def _imports(config: Config, snippet: Snippet, python: Iterable[PurePosixPath]) -> bool:
    """Whether a snippet imports one of the files, or what one was before it was removed."""
    folders = [
        PurePosixPath(folder.relative_to(config.root).as_posix())
        for folder in module_folders(config, snippet.path)
    ]
    return any(
        str(path) in snippet.modules or _top(path, folders) in snippet.packages for path in python
    )


def _top(path: PurePosixPath, folders: Iterable[PurePosixPath]) -> str:
    """The name by which a file is imported from one of the folders; empty where it is not."""
    for folder in folders:
        if path.is_relative_to(folder):
            return path.relative_to(folder).parts[0].removesuffix(".py")
    return ""
