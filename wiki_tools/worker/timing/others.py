"""How much other programs took of the machine while something was timed."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

STAT = Path("/proc/stat")
WORK = (0, 1, 2, 5, 6, 7)
"""Columns of /proc/stat that are work: user, nice, system, irq, softirq and steal (proc(5))."""


def machine_seconds(file: Path = STAT) -> float | None:
    """Seconds of work that all cores did since the machine started; None where it does not say."""
    try:
        columns = file.read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        return sum(int(columns[i]) for i in WORK) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def willing_seconds(file: str = "/proc/self/schedstat") -> float:
    """Seconds that this process worked, with children that have ended, or queued for a processor.

    What is left of the clock's time it slept. Where the system does not tell how long it queued
    (Documentation/scheduler/sched-stats.rst), a neighbour looks like sleep.
    """
    if sys.platform == "win32":
        return time.process_time()
    import resource

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = time.process_time() + ended.ru_utime + ended.ru_stime
    try:
        return worked + int(_read(file).split()[1]) * 1e-9
    except (OSError, ValueError, IndexError):
        return worked


def _read(file: str) -> bytes:
    """Read a short file in 10 µs, which are 40 with pathlib: each sample reads two."""
    opened = os.open(file, os.O_RDONLY)
    try:
        return os.read(opened, 4096)
    finally:
        os.close(opened)


def interruptions() -> int:
    """Count how often the system took a processor from this process (getrusage(2)).

    A sample that such a thing falls into holds another program's time: 3 ms and more, where it
    takes less than one itself.
    """
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


@dataclass(slots=True, kw_only=True)
class Others:
    """Watches the machine from its making on."""

    threads: int
    """Cores that the timed program may use itself."""
    cores: int
    machine: Callable[[], float | None] = machine_seconds
    own: Callable[[], float] = time.process_time
    clock: Callable[[], float] = time.perf_counter
    _start: tuple[float | None, float, float] = (None, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Note where the counters stand."""
        self._start = self.machine(), self.own(), self.clock()

    def taken(self) -> float:
        """Cores that others used since then, on average, beyond those that were left free."""
        before, own, clock = self._start
        now = self.machine()
        seconds = self.clock() - clock
        if before is None or now is None or seconds <= 0:
            return 0.0
        used = (now - before - (self.own() - own)) / seconds
        return max(0.0, used - max(0, self.cores - self.threads))
