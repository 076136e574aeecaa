"""Keeps what a snippet prints, up to a cap; what lies beyond costs nothing."""

import functools
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

CAP = 64 << 10
"""Bytes that are kept of each cell's output."""


class Sink:
    """Bytes up to a cap, and a count of those that were dropped."""

    def __init__(self, cap: int = CAP) -> None:
        self._kept = bytearray()
        self._cap = cap
        self.dropped = 0

    def write(self, data: bytes | memoryview) -> None:
        """Keep as much as there is room for."""
        room = max(self._cap - len(self._kept), 0)
        self._kept += data[:room]
        self.dropped += max(len(data) - room, 0)

    def take(self) -> str:
        """Give what was written since the last call, undecodable bytes escaped."""
        if not self._kept and not self.dropped:
            return ""
        text = self._kept.decode("utf-8", "backslashreplace")
        if self.dropped:
            text += f"\n… {self.dropped:,} more bytes were not kept"
        self._kept.clear()
        self.dropped = 0
        return text


class _Raw(io.BufferedIOBase):
    """The binary side of a captured stream."""

    name = "<captured>"

    def __init__(self, sinks: Iterable[Sink], descriptor: int) -> None:
        self._sinks = tuple(sinks)
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: Any, /) -> int:
        view = memoryview(data).cast("B")
        for sink in self._sinks:
            sink.write(view)
        return len(view)


@dataclass(frozen=True, slots=True)
class Streams:
    """What stands for standard output and standard error while a snippet runs."""

    printed: Sink
    """Standard output."""
    both: Sink
    stdout: io.TextIOWrapper
    stderr: io.TextIOWrapper


@functools.cache
def open_streams() -> Streams:
    """Make the streams of this process; a parent does it once for all of its children."""
    printed, both = Sink(), Sink()
    return Streams(printed, both, stream(1, printed, both), stream(2, both))


def stream(descriptor: int, *sinks: Sink) -> io.TextIOWrapper:
    """Make a text stream that stands for file descriptor 1 or 2 and writes into sinks."""
    return io.TextIOWrapper(
        _Raw(sinks, descriptor), encoding="utf-8", errors="backslashreplace", write_through=True
    )
