"""A job on its way to a preloaded parent."""

from dataclasses import dataclass

REFUSES = 75
"""How a parent ends that must not fork (`EX_TEMPFAIL`): another one may do it."""

TOGETHER = 8
"""How many children a parent forks one right after another, where the later ones can wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """What a parent says once it has imported everything."""

    held: tuple[str, ...]
    """What its sandbox holds its children to."""
    refused: tuple[str, ...] = ()
    """What could not be had, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A job as its parent sees it: what is to be watched, and bytes for the child to read."""

    number: str
    """Tells the jobs of one sender apart, and names the scratch folder."""
    timeout: float
    """Seconds."""
    memory: int
    """Bytes."""
    keeps: bool = False
    """What was compiled is brought in from beside the scratch folder, and left there."""
    times: bool = False
    """Its child will time something: what that takes is worth importing before the fork."""
    job: bytes
    """What `ahead.prepare` has made of it."""

    def pack(self) -> bytes:
        """Write it as it goes over the wire: a line of numbers, then the job."""
        flags = f"{self.keeps:d} {self.times:d}"
        head = f"{self.number} {self.timeout!r} {self.memory} {flags} {len(self.job)}\n"
        return head.encode("ascii") + self.job

    @classmethod
    def unpack(cls, data: bytes, start: int) -> "tuple[Order, int] | None":
        """Read one as it comes over the wire, and where it ends; None while it is not all there."""
        begin = data.find(b"\n", start) + 1
        if not begin:
            return None
        number, timeout, memory, keeps, times, length = data[start:begin].split()
        end = begin + int(length)
        if end > len(data):
            return None
        order = cls(
            number=number.decode("ascii"),
            timeout=float(timeout),
            memory=int(memory),
            keeps=keeps == b"1",
            times=times == b"1",
            job=data[begin:end],
        )
        return order, end
