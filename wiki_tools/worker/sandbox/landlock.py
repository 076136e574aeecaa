"""Landlock: a process gives up writing outside of some folders, and signalling others.

It needs no privileges, holds for all that the process starts, and is never lifted.
https://docs.kernel.org/userspace-api/landlock.html
"""

import contextlib
import ctypes
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


_create = kernel.function(_CREATE, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint)
_add = kernel.function(_ADD, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)


def version() -> int:
    """Ask which version the kernel speaks; 0 where it has none."""
    try:
        return _create(None, 0, 1)
    except OSError:
        return 0


Allowances = tuple[tuple[int, int], ...]
"""Descriptors of what can be written to, and the rights there; kept open for every child."""


def allow(spoken: int, writable: Iterable[str]) -> Allowances:
    """Open what every child may write to; what does not exist is left out."""
    found: list[tuple[int, int]] = []
    for path in writable:
        with contextlib.suppress(FileNotFoundError):
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
            whole = os.path.isdir(path)  # noqa: PTH112 - pathlib costs a parent 10 ms
            rights = _rights(spoken)
            found.append(
                (kernel.set_aside(file), rights if whole else rights & (_WRITE | _TRUNCATE))
            )
            os.close(file)
    return tuple(found)


def make_rules(spoken: int, folder: str, allowances: Allowances) -> int:
    """Make rules under which only a folder and what is allowed besides can be written to.

    Args:
        spoken: the kernel's version.
        folder: must exist.
        allowances: what `allow` opened.

    Returns:
        A file descriptor, which is for the caller to close.
    """
    rights = _rights(spoken)
    scopes = _SCOPES if spoken >= SCOPES else 0
    rules = _create(struct.pack("=QQQ", rights, 0, scopes), 24 if scopes else 8, 0)
    own = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    for file, some in ((own, rights), *allowances):
        _add(rules, _BENEATH, struct.pack("=Qi", some, file), 0)
    os.close(own)
    return rules


def _rights(spoken: int) -> int:
    return _KNOWN[min(spoken, 3)] & ~_READING


def restrict(spoken: int, rules: int) -> None:
    """Hold this process to rules from now on; it must have refused new privileges."""
    kernel.quick_call(_RESTRICT, rules, _QUIET if spoken >= LOGS else 0)
