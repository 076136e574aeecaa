"""The kernel's calls that Python does not offer; Linux only."""

import ctypes
import fcntl
import os
import struct
from collections.abc import Callable
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)
_prctl, _syscall = (getattr(ctypes.PyDLL(None), name) for name in ("prctl", "syscall"))
"""For calls that a forked child makes: with numbers only and no errno kept, the way there touches
9 pages of memory instead of 23, and a child pays for each."""

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_NETWORK = 0x20000, 0x8000000, 0x10000000, 0x40000000
"""Of unshare(2)."""
_SET_PARENT_DEATH_SIGNAL, _SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 1, 36, 38
"""Of prctl(2)."""
_CAPABILITIES_V3 = 0x20080522


def set_aside(descriptor: int) -> int:
    """Give a copy of a descriptor that is out of the way of those with a meaning of their own."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)


def function(number: int, *kinds: type[Any]) -> Callable[..., int]:
    """Make a function of a system call that is made often: `call` converts each time."""
    made = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long, *kinds, use_errno=True)
    bound = made(("syscall", _libc))
    return lambda *arguments: _checked(bound(number, *arguments))


def quick_call(number: int, *arguments: int) -> None:
    """Make a system call that only gives 0; where it fails it is made again, to learn why."""
    if _syscall(number, *arguments) != 0:
        call(number, *arguments)


def call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call by its number.

    Raises:
        OSError: what the kernel answered.
    """
    values = (ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)
    return _checked(_libc.syscall(ctypes.c_long(number), *values))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` name for new ones."""
    _checked(_libc.unshare(flags))


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Put a file system, or a folder, at a place."""
    texts = (os.fsencode(t) if t is not None else None for t in (source, target, kind))
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None))


def adopt_orphans() -> None:
    """Make processes whose parent dies this one's children, so that none escapes."""
    _control(_SET_SUBREAPER, 1)


def set_parent_death_signal(signal: int) -> None:
    """Have the kernel send this process a signal when its parent ends."""
    _control(_SET_PARENT_DEATH_SIGNAL, signal)


def refuse_new_privileges() -> None:
    """Have set-uid programs give nothing to this process and those that it starts."""
    _control(_SET_NO_NEW_PRIVILEGES, 1)


def drop_capabilities() -> None:
    """Give up what a superuser may do beyond owning its files.

    Without new privileges no program that is started later gets them back.
    """
    refuse_new_privileges()
    _checked(_libc.capset(struct.pack("=Ii", _CAPABILITIES_V3, 0), bytes(24)))


def _control(option: int, value: int) -> None:
    if _prctl(option, value, 0, 0, 0) != 0:
        _checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0))
