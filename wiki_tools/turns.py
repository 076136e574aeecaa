"""Has processes that write to the same place take turns."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

CAN_LOCK = sys.platform != "win32"
"""Whether this system locks what is open, folders too."""


@contextlib.contextmanager
def take_turn(folder: Path) -> Iterator[None]:
    """Wait until no other process writes below a folder, and let others wait meanwhile.

    The folder itself is locked, so that no file is left behind; a killed process holds nothing.
    Where nothing can be locked, as on Windows and in some network file systems, all go on at once.
    """
    if not CAN_LOCK:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def lock(handle: int, *, wait: bool = True) -> bool:
    """Lock what a descriptor stands for until it is closed; whether that could be done."""
    if sys.platform == "win32":  # as `CAN_LOCK`, in words that a type checker knows
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # somebody else has it, or a network's file system that knows no locks
        return False
    return True
