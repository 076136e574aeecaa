"""Jobs that wait for a preloaded parent, in the order in which they are to run."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from wiki_tools.protocol import Job
from wiki_tools.worker.ahead import prepare
from wiki_tools.worker.order import Order

Key = tuple[str, tuple[str, ...]]
"""What a parent is made for: a device, and the frameworks that it imports."""

WORTH_IMPORTING = {
    "numpy": ("numpy",),
    "torch._dynamo": ("wiki_tools.probes", "torch.optim", "import optim", "torch.utils.checkpoint"),
    "torch.compile": ("torch.compile",),
}
"""What a parent imports beside the job's frameworks, and texts in a cell that ask for it.

What counts operators, an optimizer and a checkpoint import torch's compiler, which takes a
second, to say that they are not to be compiled.
"""

NEVER = float("inf")

_numbers = count(1)


@dataclass(slots=True, kw_only=True, eq=False)
class Ticket:
    """A job on its way."""

    job: Job
    key: Key
    """The parent that it needs."""
    number: str
    """Tells it apart from others on the wire."""
    prepared: tuple[Path, bytes] | None = None
    """For which folder, and what its child will read."""
    tries: int = 0
    """How many parents have died while it ran, or others may have left it no space."""
    due: float = NEVER
    """When its parent must have told of it, by `time.monotonic`."""

    @property
    def alone(self) -> bool:
        """Nothing may run beside it: it looks at a clock, or others may have harmed it."""
        return self.job.alone or self.tries > 0

    def prepare(self, folder: Path) -> bytes:
        """Make what a child will read that works below a folder, if that has not been done."""
        if self.prepared is None or self.prepared[0] != folder:
            self.prepared = folder, prepare(self.job, f"{folder}/{self.number}")
        return self.prepared[1]

    def order(self, folder: Path, keeps: bool) -> Order:
        """Make what a parent is sent whose children work below a folder."""
        return Order(
            number=self.number,
            timeout=self.job.timeout,
            memory=self.job.memory,
            keeps=keeps,
            times=bool(self.job.pairings),
            job=self.prepare(folder),
        )


def key_of(job: Job) -> Key:
    """Name the parent that a job needs: one that has imported no more than it can use."""
    code = "\n".join(cell.code for cell in job.every_cell)
    if any(pairing.metric == "memory" for pairing in job.pairings):
        code += "\nimport wiki_tools.probes"  # what takes the peak comes from there
    if job.pairings:
        code += "\nimport numpy"  # what compares results: 70 ms a child
    asked = [name for name, signs in WORTH_IMPORTING.items() if any(sign in code for sign in signs)]
    if not job.frameworks:
        extra = [name for name in asked if name == "numpy"]
    else:  # which import numpy themselves
        extra = [name for name in asked[-1:] if name != "numpy" and "torch" in job.frameworks]
    return job.device, (*sorted(job.frameworks), *extra)


def longest_first(ticket: Ticket) -> float:
    """Sort by what a job took the last time; one that nobody knows may take longest of all."""
    return -(ticket.job.expected or NEVER)


@dataclass(slots=True, kw_only=True)
class Queue:
    """What waits: jobs that may run beside others for each parent, and those that may not."""

    together: dict[Key, deque[Ticket]] = field(default_factory=dict)
    alone: deque[Ticket] = field(default_factory=deque)

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "Queue":
        """Line jobs up, the longest first: a long one that starts last keeps one core waiting."""
        queue = cls()
        tickets = (Ticket(job=j, key=key_of(j), number=f"{next(_numbers)}") for j in jobs)
        for ticket in sorted(tickets, key=longest_first):
            queue.add(ticket)
        return queue

    def __bool__(self) -> bool:
        return bool(self.together or self.alone)

    def add(self, ticket: Ticket) -> None:
        """Put a ticket at the end of its line."""
        line = self.alone if ticket.alone else self.together.setdefault(ticket.key, deque())
        line.append(ticket)

    def parents(self) -> list[Key]:
        """Every parent that is needed, the one that takes longest to import first."""
        keys = {*self.together, *(ticket.key for ticket in self.alone)}
        return sorted(keys, key=lambda key: (-len(key[1]), key))

    def tickets(self) -> Iterator[Ticket]:
        """Give all that may run beside others."""
        for line in self.together.values():
            yield from line

    def take(self, keys: Collection[Key]) -> Ticket | None:
        """Take the longest that may run beside others in one of those parents."""
        heads = [line[0] for key, line in self.together.items() if key in keys]
        if not heads:
            return None
        ticket = min(heads, key=longest_first)
        line = self.together[ticket.key]
        line.popleft()
        if not line:
            del self.together[ticket.key]
        return ticket
