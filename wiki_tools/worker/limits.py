"""What a snippet may use, set in its own process; Linux only."""

import ctypes
import functools
import os
import resource
import signal

from wiki_tools.protocol import Job

FILE_BYTES = 1 << 30
"""The largest file that a snippet may write."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_libc = ctypes.CDLL(None, use_errno=True)


def adopt_orphans() -> None:
    """Make processes whose parent dies this one's children, so that none escapes."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def limit(job: Job) -> tuple[str, ...]:
    """Set this process's limits and name them.

    Memory is RLIMIT_DATA, private writable memory: RLIMIT_AS counts address space, of which
    torch and CUDA reserve far more than they use. On a GPU it is left to whoever watches the
    process, since a CUDA context maps what it never touches.
    """
    seconds = int(job.timeout * (os.cpu_count() or 1)) + 5
    _lower(resource.RLIMIT_CPU, seconds)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, FILE_BYTES)
    if job.device == "cpu":
        _lower(resource.RLIMIT_DATA, data_bytes() + job.memory)
    try:
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
    except OSError:
        pass  # only says whom the kernel takes first
    return ("cpu", "file-size", "memory")


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


@functools.cache  # a child has what its parent has
def data_bytes() -> int:
    """Private writable bytes that this process has already, shared with its parent or not."""
    return int(_read("/proc/self/statm").split()[5]) * resource.getpagesize()


def resident_bytes(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where it has ended."""
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def children() -> tuple[int, ...]:
    """List this process's direct children, adopted orphans among them."""
    try:
        return tuple(int(pid) for pid in _read("/proc/thread-self/children").split())
    except OSError:
        return ()


def _read(name: str) -> bytes:
    """Read a file of the kernel's; `open` would make three objects and two calls more."""
    file = os.open(name, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)
