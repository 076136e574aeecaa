"""A job on its way to a preloaded parent."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A job as its parent sees it: what is to be watched, and text for the child to read."""

    number: str
    """Tells the jobs of one sender apart."""
    timeout: float
    """Seconds."""
    memory: int
    """Bytes."""
    text: bytes
    """The encoded `Job`."""

    def line(self) -> bytes:
        """Write it as it goes over the wire."""
        return b"%s %r %d %s\n" % (self.number.encode(), self.timeout, self.memory, self.text)

    @classmethod
    def read(cls, line: bytes) -> "Order":
        """Read it as it comes over the wire."""
        number, timeout, memory, text = line.split(b" ", 3)
        return cls(number=number.decode(), timeout=float(timeout), memory=int(memory), text=text)
