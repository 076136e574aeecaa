"""Filters of system calls, which need no privileges.

One refuses sockets to other machines, for where no network namespace can be had; the loopback is
refused as well. The other refuses what no namespace covers: the user's keys, and a hypervisor.
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import os
import struct
from collections.abc import Iterable

from wiki_tools.worker.sandbox import kernel

_PROCESSORS = {"x86_64": (0xC000003E, 41, 425), "aarch64": (0xC00000B7, 198, 425)}
"""Processor to its name in the kernel and its numbers of `socket` and `io_uring_setup`."""
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_FILTER = 1
_NUMBER, _PROCESSOR, _FIRST = 0, 4, 16
"""Where in `struct seccomp_data` they stand."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM
_OTHER_TABLE = 0x40000000
"""Numbers from here on are of x86's second table of calls."""
_LOCAL = (1, 16)
"""Families of sockets that lead nowhere else: Unix, and netlink, which asks the kernel."""


_KEYS = {"x86_64": 248, "aarch64": 217}
"""Processor to its number of `add_key`; `request_key` and `keyctl` follow it."""
_VSOCK = 40
"""The family of sockets that lead to a hypervisor and its other machines."""


def refuse_sockets() -> None:
    """Refuse sockets for this process and all that it starts.

    Raises:
        OSError: the kernel has no such filter, or the processor is not known here.
    """
    name = _processor()
    _install(name, _program(*_PROCESSORS[name]))


def refuse_keys() -> None:
    """Refuse the user's keys, and a hypervisor's sockets, to this process and all it starts.

    Raises:
        OSError: the kernel has no such filter, or the processor is not known here.
    """
    name = _processor()
    _install(name, _key_program(_PROCESSORS[name][0], _PROCESSORS[name][1], _KEYS[name]))


def _processor() -> str:
    name = os.uname().machine
    if name not in _PROCESSORS:
        raise OSError(0, f"no filter is written for {name}")
    return name


def _install(name: str, program: bytes) -> None:
    buffer = ctypes.create_string_buffer(program)
    kernel.refuse_new_privileges()
    wanted = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    kernel.call(_SECCOMP[name], _FILTER, 0, wanted)


def _program(processor: int, socket_number: int, ring_number: int) -> bytes:
    """Write the filter: each line is an operation, where to go if so and if not, and a value."""
    unix, netlink = _LOCAL
    lines = (
        (_LOAD, 0, 0, _PROCESSOR),
        (_EQUAL, 0, 7, processor),  # another table of calls is refused as a whole
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _OTHER_TABLE),
        (_EQUAL, 4, 0, ring_number),  # which opens sockets past this filter
        (_EQUAL, 0, 4, socket_number),
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 2, 0, unix),
        (_EQUAL, 1, 0, netlink),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    )
    return _packed(lines)


def _key_program(processor: int, socket_number: int, first_key: int) -> bytes:
    lines = (
        (_LOAD, 0, 0, _PROCESSOR),
        (_EQUAL, 0, 7, processor),  # another table of calls is refused as a whole
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _OTHER_TABLE),
        (_EQUAL, 2, 0, socket_number),
        (_AT_LEAST, 0, 4, first_key),
        (_AT_LEAST, 3, 2, first_key + 3),
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 0, 1, _VSOCK),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    )
    return _packed(lines)


def _packed(lines: Iterable[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
