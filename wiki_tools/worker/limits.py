"""What a snippet may use, set in its own process; Linux only."""

import functools
import os
import resource
import signal

from wiki_tools.protocol import Job
from wiki_tools.worker.sandbox import kernel
from wiki_tools.worker.sandbox.inside import PROCESSES

CORES = os.cpu_count() or 1
"""Asked once: it reads a file."""
FILE_BYTES = 1 << 30
"""The largest file that a snippet may write."""


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends."""
    kernel.set_parent_death_signal(signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def limit(job: Job) -> tuple[str, ...]:
    """Set this process's limits and name them.

    Memory is RLIMIT_DATA, private writable memory: RLIMIT_AS counts address space, of which
    torch and CUDA reserve far more than they use. On a GPU it is left to whoever watches the
    process, since a CUDA context maps what it never touches.

    Where something is timed, time is left to whoever watches as well: under RLIMIT_CPU the kernel
    counts a process's time in ticks of 4 ms, in which work of 2 ms looks like sleep.
    """
    held: tuple[str, ...] = ("file-size", "memory")
    if not job.pairings:
        _lower(resource.RLIMIT_CPU, int(job.timeout * CORES) + 5)
        held = ("cpu", *held)
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
    return held


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


@functools.cache  # a child has what its parent has
def data_bytes() -> int:
    """Private writable bytes that this process has already, shared with its parent or not."""
    return int(_read("/proc/self/statm").split()[5]) * resource.getpagesize()


def disk_bytes(memory: int) -> int:
    """How much the scratch folder of a child may hold that may have `memory` bytes."""
    return memory // 4


def room(folder: str) -> tuple[int, int]:
    """Bytes and files that the disk of a folder has room for."""
    free = os.statvfs(folder)
    return free.f_bavail * free.f_frsize, free.f_favail


def overrun(pid: int, memory: int, shared: int) -> str:
    """Name what a child and its descendants use too much of: `memory`, `processes` or nothing."""
    pids = family(pid, PROCESSES)
    if len(pids) > PROCESSES:
        return "processes"
    own = [max(0, resident_bytes(each) - shared) for each in pids]
    if sum(own) <= memory or (len(pids) > 1 and sum(map(proportional_bytes, pids)) <= memory):
        return ""
    return "memory"


def resident_bytes(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where it has ended."""
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def proportional_bytes(pid: int) -> int:
    """The same, of shared memory only the process's share; takes a millisecond a GiB."""
    try:
        text = _read(f"/proc/{pid}/smaps_rollup")
    except OSError:
        return 0
    _, _, rest = text.partition(b"\nPss:")
    return int(rest.split(None, 1)[0]) * 1024 if rest else 0


def family(pid: int, most: int) -> list[int]:
    """List a process and what descends from it; no more than `most` and a few."""
    found = [pid]
    for each in found:
        if len(found) > most:
            break
        try:
            for thread in os.listdir(f"/proc/{each}/task"):  # noqa: PTH208
                file = f"/proc/{each}/task/{thread}/children"
                found += [int(child) for child in _read(file).split()]
        except OSError:
            continue  # it has ended
    return found


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
