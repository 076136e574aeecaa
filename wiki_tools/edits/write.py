"""Writes changes: all of them, or as far as a file system allows none."""

import contextlib
import os
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from wiki_tools.edits.patch import Change
from wiki_tools.edits.patience import Patience
from wiki_tools.errors import UsageError
from wiki_tools.turns import take_turn

Undo = Callable[[], object]


def write_changes(root: Path, changes: Sequence[Change]) -> None:
    """Make changes to the files below a vault's root.

    Every new text is written beside its place before any file is touched. Whatever happens
    then, Ctrl-C included, what was done is undone. Of two commands one waits for the other, and
    is refused where that has changed what it read.

    Raises:
        UsageError: a file is not what it was when it was read, or a new one is there already.
        OSError: a file cannot be written; nothing is changed.
    """
    undo: list[Undo] = []
    with take_turn(root), Patience() as patience:
        try:
            _write(root, changes, undo, patience)
        except BaseException:
            for step in reversed(undo):
                with contextlib.suppress(OSError):
                    step()
            raise


def _write(root: Path, changes: Sequence[Change], undo: list[Undo], patience: Patience) -> None:
    """Make the changes; `undo` has at any time what undoes what was done, the last thing last."""
    _refuse_what_changed(root, changes)
    left = {change.path: change.before for change in changes if change.path != change.to}
    ready = []
    for change in changes:
        patience.let_in()
        ready.append((change, _prepare(root, change, undo)))
    _refuse_what_changed(root, changes)  # by an editor: preparing many files takes a while
    for change, file in ready:
        patience.let_in()
        _place(root, change, file, left, undo)
    taken = {change.to for change in changes}
    for change in changes:
        if change.path not in taken:
            patience.let_in()
            _leave(root, change, undo)


def _refuse_what_changed(root: Path, changes: Sequence[Change]) -> None:
    seen: dict[str, str] = {}
    left = {change.path for change in changes if change.path != change.to}
    for change in changes:
        file, goal = root / change.path, root / change.to
        if change.path and file.read_bytes() != change.before:
            raise UsageError(f"{change.path}: has changed since it was read; run the command again")
        free = change.to in left or not os.path.lexists(goal)
        if change.path != change.to and not free and not _is_same(root, change):
            raise UsageError(f"{change.to}: is there already; choose another name")
        if change.path != change.to and file.is_symlink():
            raise UsageError(f"{change.path}: is a symbolic link; rename the file it leads to")
        real = os.path.realpath(goal)
        if real in seen:
            raise UsageError(f"{change.to}: is the same file as {seen[real]}; edit it by hand")
        seen[real] = change.to


def _is_same(root: Path, change: Change) -> bool:
    """Whether both names are one file's: they differ in case only, where case does not count."""
    if _bare(change.path) != _bare(change.to):
        return False
    file, goal = root / change.path, root / change.to
    return file.exists() and goal.exists() and file.samefile(goal)


def _bare(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _prepare(root: Path, change: Change, undo: list[Undo]) -> Path:
    """Write the new text into a file of its own, where it can be moved from in one step."""
    goal = Path(os.path.realpath(root / change.to))
    missing = [folder for folder in (goal.parent, *goal.parent.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir()
        undo.append(folder.rmdir)
    file = _write_beside(goal, change.after)
    undo.append(lambda: file.unlink(missing_ok=True))
    if change.path:
        shutil.copymode(root / change.path, file)
    return file


def _write_beside(goal: Path, data: bytes) -> Path:
    handle, name = tempfile.mkstemp(dir=goal.parent, prefix=".wiki-", suffix=".tmp")
    file = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        file.chmod(0o644)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return file


def _place(
    root: Path, change: Change, ready: Path, left: Mapping[str, bytes], undo: list[Undo]
) -> None:
    """Put a prepared file where it belongs; an old name of it stays for now."""
    goal = Path(os.path.realpath(root / change.to))
    before = left.get(change.to, change.before)
    if change.path == change.to or (change.to in left and not _is_same(root, change)):
        undo.append(lambda: _put_back(goal, before))
    elif _is_same(root, change):
        old = root / change.path
        undo.append(lambda: _put_back(old, change.before))
        undo.append(lambda: (root / change.to).rename(old))
        old.rename(root / change.to)
        goal = root / change.to
    else:
        goal.touch(exist_ok=False)  # taken: nobody else's file is replaced
        undo.append(lambda: goal.unlink(missing_ok=True))
    ready.replace(goal)


def _put_back(file: Path, data: bytes) -> None:
    if file.read_bytes() != data:
        made = _write_beside(file, data)
        shutil.copymode(file, made)
        made.replace(file)


def _leave(root: Path, change: Change, undo: list[Undo]) -> None:
    """Remove the old name of a file that moved."""
    old = root / change.path
    if not change.path or not old.exists() or _is_same(root, change):
        return
    undo.append(lambda: old.exists() or _write_beside(old, change.before).replace(old))
    old.unlink()
