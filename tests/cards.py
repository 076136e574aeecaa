"""A card made of a clock: what it is told to do is done later, unless somebody waits for it.

It stands in the place of torch, below the code that a real card is reached through.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

LAUNCH = 5e-6
"""Seconds of the host that it takes to tell the card to do something."""
WAIT = 20e-6
"""Seconds of the host that it takes to wait for a card that has nothing to do."""
CACHE = 50 << 20
NEAR, FAR = 8e12, 2e12
"""Bytes a second that the card reads from its cache, and from its memory."""


@dataclass
class FakeClock:
    """Time that passes only when somebody says so."""

    now: float = 100.0
    worked: float = 0.0

    def __call__(self) -> float:
        return self.now

    def cpu(self) -> float:
        return self.worked

    def sleep(self, seconds: float) -> None:
        """Let it pass idly."""
        self.now += seconds

    def work(self, seconds: float) -> None:
        """Let the host's processor work."""
        self.now += seconds
        self.worked += seconds


@dataclass
class FakeBuffer:
    """Bytes in the card's memory, taken until it is deleted."""

    card: "FakeCard"
    size: int
    number: int

    def zero_(self) -> None:
        """Write all of it."""
        self.card.launch(0.0, self)

    def __del__(self) -> None:
        self.card.held -= self.size


@dataclass
class FakeCard:
    """One stream after the other, an allocator that keeps its mark, and a cache."""

    clock: FakeClock
    streams: dict[int, float] = field(default_factory=dict)
    """When each has done what it was told."""
    cached: dict[int, int] = field(default_factory=dict)
    """Number of a buffer to its bytes in the cache, the one used longest ago first."""
    total: int = 80 << 30
    held: int = 0
    highest: int = 0
    made: int = 0
    flushes: int = 0
    waits: int = 0
    started: bool = True
    spins: bool = True
    """Whoever waits for it asks again and again, and keeps a processor busy."""

    def launch(self, seconds: float, *reads: FakeBuffer, stream: int = 0) -> None:
        """Tell the card to read buffers and to compute for some seconds; comes back at once."""
        self.clock.work(LAUNCH)
        for buffer in reads:
            near = self.cached.pop(buffer.number, 0)
            seconds += near / NEAR + (buffer.size - near) / FAR
            self.cached[buffer.number] = min(buffer.size, CACHE)
            while sum(self.cached.values()) > CACHE:
                del self.cached[next(iter(self.cached))]
        begin = max(self.streams.get(stream, 0.0), self.clock.now)
        self.streams[stream] = begin + seconds

    def synchronise(self) -> None:
        """Wait for every stream."""
        self.waits += 1
        until = max(self.clock.now + WAIT, *self.streams.values(), 0.0)
        self.clock.work(until - self.clock.now if self.spins else 0.0)
        self.clock.now = until

    def allocate(self, size: int) -> FakeBuffer:
        """Take memory."""
        if self.held + size > self.total:
            raise RuntimeError("CUDA out of memory")
        self.made += 1
        self.held += size
        self.highest = max(self.highest, self.held)
        return FakeBuffer(self, size, self.made)

    def modules(self) -> dict[str, Any]:
        """What a program finds as torch: as much of it as the seam asks for."""
        return {"torch": SimpleNamespace(uint8="uint8", empty=self._empty, cuda=self._cuda())}

    def _empty(self, count: int, *, dtype: str, device: str) -> FakeBuffer:
        assert (dtype, device) == ("uint8", "cuda")
        self.flushes += 1
        return self.allocate(count)

    def _cuda(self) -> Any:
        def reset() -> None:
            self.highest = self.held

        numbers: dict[str, Callable[..., object]] = {
            "is_initialized": lambda: self.started,
            "current_device": lambda: 0,
            "get_device_properties": lambda _device: SimpleNamespace(L2_cache_size=CACHE),
            "memory_allocated": lambda: self.held,
            "memory_reserved": lambda: self.held,
            "max_memory_allocated": lambda: self.highest,
            "memory_stats": lambda: {"allocation.all.allocated": self.made},
            "mem_get_info": lambda: (self.total - self.held, self.total),
        }
        return SimpleNamespace(
            synchronize=self.synchronise, reset_peak_memory_stats=reset, **numbers
        )
