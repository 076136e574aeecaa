"""Removes a scratch folder, whatever a snippet made of it."""

# ruff: noqa: PTH101, PTH106, PTH108, PTH208
# pathlib costs every forked child half a millisecond of page faults.

import os

MANY = 50_000
"""Files that a scratch folder may hold."""


def remove_scratch(folder: str) -> None:
    """Remove a folder and all in it, without following a link; what cannot be removed stays.

    Processes that could write to it must have ended.
    """
    import shutil  # 4 ms, which most parents do without

    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):  # locked folders, or a thousand in one another
        if os.rename in os.supports_dir_fd:
            _dismantle(folder)


def remove_path(path: str) -> None:
    """Remove a file, a link or a folder with all in it; what cannot be removed stays."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        remove_scratch(path)


def is_within(folder: str, size: int) -> bool:
    """Say whether a folder holds at most `size` bytes, and at most `MANY` files."""
    waiting, held, files = [folder], 0, 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    held += entry.stat(follow_symlinks=False).st_blocks * 512
                    if held > size or files > MANY:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue  # it ended meanwhile, or is locked: then nothing can be added below it
    return True


def _dismantle(folder: str) -> None:
    """Unlock folders and lift those within to the top, so that depth costs nothing."""
    mark, lifted = f".{os.urandom(8).hex()}-", 0
    try:
        os.chmod(folder, 0o700)
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        while names := [name for name in os.listdir(top) if not _unlink(name, top)]:
            for name in names:
                inner = _open(name, top)
                try:
                    for below in os.listdir(inner):
                        if not _unlink(below, inner):
                            os.chmod(below, 0o700, dir_fd=inner)  # moved, its `..` is written
                            lifted += 1
                            os.rename(below, f"{mark}{lifted}", src_dir_fd=inner, dst_dir_fd=top)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=top)
        os.rmdir(folder)
    except OSError:
        return  # it lies below a temporary folder, which is somebody's to clear
    finally:
        os.close(top)


def _unlink(name: str, folder: int) -> bool:
    """Remove what is no folder; False where it is one."""
    try:
        os.unlink(name, dir_fd=folder)
    except (IsADirectoryError, PermissionError):
        return False
    return True


def _open(name: str, folder: int) -> int:
    os.chmod(name, 0o700, dir_fd=folder)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
