"""Namespaces of this process's own: nothing but one folder can be written to, no network."""

import os
import struct
from collections.abc import Sequence

from wiki_tools.worker.sandbox import kernel

_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_NO_SETUID, _NO_DEVICES = 0x2, 0x4
"""Of mount(2)."""
_SET_ATTRIBUTES, _HERE, _ALL_BELOW, _READ_ONLY = 442, -100, 0x8000, 0x1
"""Of mount_setattr(2)."""
_SET_FLAGS, _UP = 0x8914, 0x1
"""Of netdevice(7)."""


def enter_namespaces(writable: Sequence[str], shared: int) -> None:
    """Leave the machine's mounts, network and shared memory for a view of one's own.

    Args:
        writable: folders that stay as they are; everything else is read-only.
        shared: bytes that `/dev/shm`, which is empty too, may hold.

    Raises:
        OSError: the kernel does not allow it. What was done by then holds.
    """
    _leave(kernel.NEW_MOUNTS | kernel.NEW_NETWORK | kernel.NEW_IPC)
    _raise_loopback()
    kernel.mount(None, "/", None, _RECURSIVE | _PRIVATE)
    kernel.mount("tmpfs", "/dev/shm", "tmpfs", _NO_SETUID | _NO_DEVICES, f"size={shared}")
    for folder in writable:
        kernel.mount(folder, folder, None, _BIND)
    _set_attributes("/", _ALL_BELOW, _READ_ONLY, 0)
    # A superuser's /proc would open the settings of the kernel; others need it for namespaces.
    for folder in ("/dev/shm", *(("/proc",) if os.getuid() else ()), *writable):
        _set_attributes(folder, 0, 0, _READ_ONLY)
    os.chdir(os.getcwd())  # noqa: PTH109 - onto the new mount of it


def _leave(flags: int) -> None:
    try:
        kernel.unshare(flags)  # a superuser needs no user namespace
    except PermissionError:
        enter_user_namespace(flags)


def enter_user_namespace(flags: int = 0) -> None:
    """Enter a user namespace, and those that `flags` name; users keep their numbers."""
    user, group = os.getuid(), os.getgid()
    kernel.unshare(kernel.NEW_USER | flags)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        file = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(file, text.encode("ascii"))
        finally:
            os.close(file)


def _set_attributes(folder: str, flags: int, raised: int, cleared: int) -> None:
    values = struct.pack("=QQQQ", raised, cleared, 0, 0)
    kernel.call(_SET_ATTRIBUTES, _HERE, os.fsencode(folder) + b"\0", flags, values, len(values))


def _raise_loopback() -> None:
    """Let programs of one snippet speak to each other, as `torch.distributed` does."""
    import fcntl
    import socket  # 4 ms, which workers inside bubblewrap do without

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        fcntl.ioctl(asked, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))
