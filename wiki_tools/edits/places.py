"""Where a page may lie, and where a renamed one goes."""

import os
import posixpath
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from wiki_tools.config import Config
from wiki_tools.errors import UsageError, printable
from wiki_tools.graph import Outline
from wiki_tools.graph.files import MEDIA, extension
from wiki_tools.graph.names import without_extension
from wiki_tools.pages import key_of

FORBIDDEN = '[]|#^\\:*?"<>'
"""What links, Obsidian or some file system cannot bear in a name."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def fault_of(name: str) -> str:
    """Why a file or folder cannot bear a name, as the end of a sentence; empty where it can."""
    odd = [character for character in name if character in FORBIDDEN]
    if odd:
        return f"a name has no {odd[0]}; none of {' '.join(FORBIDDEN)} can be linked everywhere"
    if name != printable(name) or "\t" in name:
        return "a name has no control characters"
    stem = without_extension(name)
    if name != name.strip() or stem != stem.rstrip(" ."):
        return "a name neither begins nor ends with a space, nor ends with a point"
    if name.startswith("."):
        return "what begins with a point is hidden and no page"
    if _RESERVED.fullmatch(name):
        return "Windows has no file of this name"
    if len(name.encode()) > 240:
        return "the name is too long for a file"
    return ""


def refuse_faulty(path: str, known: Collection[str] = ()) -> None:
    """Refuse a new path that has a name in it which no page should have.

    Raises:
        UsageError: it has; names that are known are there already.
    """
    for name in path.split("/"):
        fault = fault_of(name) if name else "a name is missing"
        if fault and name not in known:
            shown = printable(path).replace("\t", "\\t")
            raise UsageError(f"{shown}: {fault}; choose another name")


def place_moves(config: Config, pages: Sequence[Outline], old: Outline, new: str) -> dict[str, str]:
    """Say where a page and its translations go: path to path, relative to the docs folder.

    Args:
        config: the vault's settings.
        pages: all its pages.
        old: the page, in any language.
        new: a path from the docs folder, a bare name in the page's folder, or a folder with `/`.

    Raises:
        UsageError: nothing may lie there, or something does already.
    """
    stem = key_of(old.path, config)
    group = [page.path for page in pages if key_of(page.path, config) == stem]
    goal = _goal(config, old, new)
    suffixes = {path: path.removeprefix(stem) for path in group}
    if len(group) == 1 and goal != without_extension(goal):
        moves = {old.path: goal}
    else:
        goal = without_extension(goal)
        tail = suffixes[old.path].rpartition(".")[0]
        goal = goal.removesuffix(tail) if tail else goal
        moves = {path: goal + suffix for path, suffix in suffixes.items()}
    known = {name for page in pages for name in page.path.split("/")[:-1]}
    for path, goal in moves.items():
        refuse_faulty(goal, {*known, path.rpartition("/")[2]})
    _refuse_taken(config, pages, moves)
    return moves


def _goal(config: Config, old: Outline, new: str) -> str:
    """The new path, from the docs folder on, with `.md` where that was given."""
    if not new.strip():
        raise UsageError("the new name is empty; give a name or a path")
    path = _from_docs(config, unicodedata.normalize("NFC", new))
    folder, _, name = old.path.rpartition("/")
    if path.endswith("/"):
        return path.lstrip("/") + name.rpartition(".")[0] * bool(name)
    if extension(path) in MEDIA:
        raise UsageError(f"{printable(new)}: a page's name ends in .md")
    if "/" not in new and folder:
        return f"{folder}/{path}"
    return path


def _from_docs(config: Config, new: str) -> str:
    """A path from the docs folder on; a `/` at its end stays."""
    outside = UsageError(f"{printable(new)}: lies outside of {config.docs}; name a path below it")
    path = new
    if path.startswith("/"):
        try:
            path = Path(path).relative_to(config.docs).as_posix() + "/" * path.endswith("/")
        except ValueError:
            raise outside from None
    docs = f"{config.docs.name}/"
    if path.startswith(docs) and not (config.docs / docs).is_dir():
        path = path.removeprefix(docs)
    ending = "/" if path.endswith(("/", "/.")) or path in ("", ".") else ""
    path = posixpath.normpath(path) if path else "."
    if path == ".." or path.startswith("../"):
        raise outside
    return path + ending if path != "." else "/"


def _refuse_taken(config: Config, pages: Sequence[Outline], moves: Mapping[str, str]) -> None:
    if all(path == goal for path, goal in moves.items()):
        (path, *_) = moves
        raise UsageError(f"{path}: is its name already")
    keys = {key_of(goal, config) for goal in moves.values()}
    if len(keys) > 1:
        listed = ", ".join(moves)
        raise UsageError(f"{listed}: translations of one page; give the new name without language")
    for page in pages:
        if page.path not in moves and key_of(page.path, config) in keys:
            raise UsageError(f"{page.path}: is there already; choose another name")
    for path, goal in moves.items():
        there = os.path.lexists(config.docs / goal)
        if there and not _is_same(config.docs / path, config.docs / goal):
            raise UsageError(f"{goal}: is there already; choose another name")
        _refuse_links(config, path, goal)


def _is_same(file: Path, goal: Path) -> bool:
    """Whether two names that differ in case only are one file's, where case does not count."""
    names = {unicodedata.normalize("NFC", str(path)).casefold() for path in (file, goal)}
    return len(names) == 1 and file.exists() and file.samefile(goal)


def _refuse_links(config: Config, path: str, goal: str) -> None:
    """What leads out of the docs folder by a link of the file system is no place for a page."""
    if (config.docs / path).is_symlink():
        raise UsageError(f"{path}: is a symbolic link; rename the file it leads to")
    real = Path(os.path.realpath((config.docs / goal).parent))
    if config.docs.is_dir() and not real.is_relative_to(Path(os.path.realpath(config.docs))):
        raise UsageError(f"{goal}: leads outside of {config.docs}; name a path below it")
