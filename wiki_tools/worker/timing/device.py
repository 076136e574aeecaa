"""What timed code runs on: the one way of the timing loop to a device."""

from collections.abc import Callable
from typing import Protocol

from wiki_tools.probes import peak_memory
from wiki_tools.probes.cuda import Cuda


class Device(Protocol):
    """A processor or a card; `Host` and `Cuda` are such, and tests have one that lies.

    Time is real time between two waits for the whole device. Events of a stream would leave out
    what runs on another one; that a wait itself takes some microseconds is why a sample holds
    many calls, and samples of both sides last equally long.
    """

    @property
    def in_use(self) -> bool:
        """Whether calls return before they are done, and find inputs in a cache of the device."""

    @property
    def cache(self) -> int:
        """Bytes of that cache; 0 where nothing tells."""

    def synchronise(self) -> None:
        """Wait until all is done that it was given."""

    def flush(self) -> int:
        """Drive what is cached out of the cache; gives the bytes that this took."""

    def held(self) -> int:
        """Bytes of its memory that are taken; 0 where nothing tells."""

    def allocations(self) -> int:
        """Count what was ever laid into its memory; 0 where nothing tells."""

    def has_room(self) -> bool:
        """Say whether further copies of inputs may be laid into its memory."""

    def peak(self, work: Callable[[], object]) -> int:
        """Give the most bytes that `work` holds at once; 0 where nothing tells."""


class Host:
    """A CPU: calls return when they are done, and copies of the sides lie where they may."""

    in_use = False
    cache = 0

    def synchronise(self) -> None:
        """Nothing is left to wait for."""

    def flush(self) -> int:
        """Leave its caches alone: code on a CPU finds there what the code before it has used."""
        return 0

    def held(self) -> int:
        """Say nothing."""
        return 0

    def allocations(self) -> int:
        """Say nothing."""
        return 0

    def has_room(self) -> bool:
        """A copy that finds no room says so itself."""
        return True

    def peak(self, work: Callable[[], object]) -> int:
        """Count as a check would."""
        return peak_memory(work)


def find_device(name: str) -> Device:
    """Give the device of a job, `cpu` or `cuda`."""
    return Cuda() if name.startswith("cuda") else Host()
