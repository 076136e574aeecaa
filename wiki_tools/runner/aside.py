"""Fresh interpreters in a parent's place, for what no process on this machine may fork."""

import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from wiki_tools.config import Config
from wiki_tools.protocol import Outcome
from wiki_tools.runner.fresh import FreshExecutor
from wiki_tools.runner.queue import Key, Ticket

Ended = tuple[str, Outcome | BaseException]
"""A ticket's number, and what became of it."""


@dataclass(slots=True, kw_only=True, eq=False)
class Aside:
    """Looks like a parent to whoever hands out jobs, and starts an interpreter for each."""

    key: Key
    config: Config
    pool: ThreadPoolExecutor
    wire: socket.socket
    """Can be read when a job has ended."""
    bell: socket.socket
    ready: bool = True
    running: dict[str, Ticket] = field(default_factory=dict)
    started: list[FreshExecutor] = field(default_factory=list)
    ended: "SimpleQueue[Ended]" = field(default_factory=SimpleQueue)

    @classmethod
    def start(cls, key: Key, config: Config, jobs: int) -> "Aside":
        """Get ready for jobs, as many at a time as a parent would run."""
        wire, bell = socket.socketpair()
        return cls(key=key, config=config, pool=ThreadPoolExecutor(jobs), wire=wire, bell=bell)

    def give(self, ticket: Ticket) -> None:
        """Start an interpreter for a job; it watches over its time itself."""
        self.running[ticket.number] = ticket
        self.pool.submit(self._run, ticket)

    def _run(self, ticket: Ticket) -> None:
        executor = FreshExecutor(self.config, 1)
        self.started.append(executor)
        ended: Outcome | BaseException
        try:
            (ended,) = executor.run([ticket.job])
        except BaseException as error:  # raised where it is waited for
            ended = error
        self.ended.put((ticket.number, ended))
        with contextlib.suppress(OSError):  # nobody waits any more
            self.bell.send(b".")

    def take(self) -> list[Outcome]:
        """Take in what has become of its jobs."""
        self.wire.recv(1 << 16)
        outcomes: list[Outcome] = []
        with contextlib.suppress(Empty):
            while True:
                number, ended = self.ended.get_nowait()
                del self.running[number]
                if isinstance(ended, BaseException):
                    raise ended
                outcomes.append(ended)
        return outcomes

    def end(self) -> None:
        """End every interpreter."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for executor in self.started:
            executor.close()
        self.wire.close()
        self.bell.close()
