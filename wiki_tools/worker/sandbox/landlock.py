"""Landlock: a process gives up writing outside of some folders, and signalling others.

It needs no privileges, holds for all that the process starts, and is never lifted.
https://docs.kernel.org/userspace-api/landlock.html
"""

import contextlib
import os
import struct
from collections.abc import Iterable

from wiki_tools.worker.sandbox import kernel

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Numbers of the system calls, on every processor."""
_BENEATH = 1
_WRITE, _READ_FILE, _READ_FOLDER, _EXECUTE, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 0, 1 << 14
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
"""Version to the rights on files that it knows; later ones add nothing that writes."""
_READING = _EXECUTE | _READ_FILE | _READ_FOLDER
_SCOPES = 3
"""No abstract sockets and no signals beyond the processes that are held alike."""
_QUIET = 1
"""Refusals are not logged: a snippet could fill the machine's log with them."""
TRUNCATES, SCOPES, LOGS = 3, 6, 7
"""The first versions that know of truncation, of scopes and of logging."""


def version() -> int:
    """Ask which version the kernel speaks; 0 where it has none."""
    try:
        return kernel.call(_CREATE, None, 0, 1)
    except OSError:
        return 0


def make_rules(spoken: int, writable: Iterable[str]) -> int:
    """Make rules under which only `writable`, folders and devices, can be written to.

    Args:
        spoken: the kernel's version.
        writable: those that do not exist are left out.

    Returns:
        A file descriptor, which is for the caller to close.
    """
    rights = _KNOWN[min(spoken, 3)] & ~_READING
    attributes = struct.pack("=QQQ", rights, 0, _SCOPES if spoken >= SCOPES else 0)
    size = 24 if spoken >= SCOPES else 8
    rules = kernel.call(_CREATE, attributes, size, 0)
    for path in writable:
        with contextlib.suppress(FileNotFoundError):
            _allow(rules, path, rights)
    return rules


def _allow(rules: int, path: str, rights: int) -> None:
    file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):  # noqa: PTH112 - pathlib costs every child page faults
            rights &= _WRITE | _TRUNCATE
        kernel.call(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, file), 0)
    finally:
        os.close(file)


def restrict(spoken: int, rules: int) -> None:
    """Hold this process to rules from now on; it must have refused new privileges."""
    kernel.call(_RESTRICT, rules, _QUIET if spoken >= LOGS else 0)
