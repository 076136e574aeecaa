"""Runs jobs on this machine, in children of preloaded parents."""

import selectors
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from wiki_tools.config import Config
from wiki_tools.errors import WorkerError
from wiki_tools.protocol import Job, Outcome, Status, decode, encode
from wiki_tools.runner.parent import Key, Parent, Ticket, sweep
from wiki_tools.worker.ending import Ending, conclude, signal_name
from wiki_tools.worker.order import Order

GRACE = 10.0
"""Seconds beyond a job's own limit after which its parent, which should end it, is ended itself."""


class LocalExecutor:
    """Runs jobs in forked children, each in its own process, folder and limits.

    One parent is started for each set of frameworks when the first job needs it, and kept until
    `close`. A job with pairings runs while nothing else does.
    """

    def __init__(self, config: Config, jobs: int = 2) -> None:
        self._config = config
        self._jobs = max(jobs, 1)
        self._parents: dict[Key, Parent] = {}
        self._selector = selectors.DefaultSelector()
        self._folder = tempfile.TemporaryDirectory(prefix="wiki-", ignore_cleanup_errors=True)
        self._started = 0

    def __enter__(self) -> "LocalExecutor":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the parents that are running."""
        return tuple(parent.process.pid for parent in self._parents.values())

    def close(self) -> None:
        """End every process that was started, running jobs included."""
        for parent in tuple(self._parents.values()):
            self._forget(parent)
            parent.end()
        self._selector.close()
        self._folder.cleanup()

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs and give each outcome as it comes.

        Raises:
            WorkerError: a parent ended with an error of its own.
        """
        waiting = deque(Ticket(job=job) for job in jobs)
        try:
            while waiting or self._running():
                self._hand_out(waiting)
                self._end_overdue()
                for key, events in self._selector.select(self._next_due()):
                    if events & selectors.EVENT_WRITE:
                        key.data.send()
                        self._listen(key.data)
                    if events & selectors.EVENT_READ:
                        yield from self._take_in(key.data, waiting)
        finally:
            for parent in tuple(self._parents.values()):
                if parent.running:  # given up half-way: what still runs serves nobody
                    self._forget(parent)
                    parent.end()

    def _next_due(self) -> float | None:
        """Seconds until a parent will be overdue; None where nothing runs."""
        due = [ticket.due for ticket in self._running()]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _end_overdue(self) -> None:
        """Kill parents that a snippet keeps from watching it; their jobs are told of as theirs."""
        now = time.monotonic()
        for parent in self._parents.values():
            if any(ticket.due <= now for ticket in parent.running.values()):
                parent.process.kill()

    def _running(self) -> list[Ticket]:
        return [t for parent in self._parents.values() for t in parent.running.values()]

    def _hand_out(self, waiting: deque[Ticket]) -> None:
        """Give waiting jobs to parents that are ready, in order, as long as there is room."""
        for key in dict.fromkeys(ticket.key for ticket in waiting):
            if key not in self._parents:
                self._start(key)
        running = self._running()
        for ticket in tuple(waiting):
            if len(running) >= self._jobs or any(t.alone for t in running):
                return
            loading = not all(parent.ready for parent in self._parents.values())
            if ticket.alone and (running or loading):
                return
            if (parent := self._parents[ticket.key]).ready:
                waiting.remove(ticket)
                running.append(ticket)
                self._give(parent, ticket)

    def _start(self, key: Key) -> None:
        self._started += 1
        parent = Parent.start(key, Path(self._folder.name, str(self._started)))
        self._parents[key] = parent
        self._selector.register(parent.wire, selectors.EVENT_READ, parent)

    def _give(self, parent: Parent, ticket: Ticket) -> None:
        self._started += 1
        number = str(self._started)
        parent.running[number] = ticket
        job = ticket.job
        ticket.due = time.monotonic() + job.timeout + GRACE
        text = encode(job).encode("ascii")
        order = Order(number=number, timeout=job.timeout, memory=job.memory, text=text)
        parent.outgoing += order.line()
        parent.send()
        self._listen(parent)

    def _listen(self, parent: Parent) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if parent.outgoing else 0)
        self._selector.modify(parent.wire, events, parent)

    def _take_in(self, parent: Parent, waiting: deque[Ticket]) -> Iterator[Outcome]:
        lines = parent.receive()
        if lines is None:
            yield from self._bury(parent, waiting)
            return
        for line in lines:
            if not parent.ready:
                parent.ready = True
                continue
            ending = decode(Ending, line)
            yield conclude(parent.running.pop(ending.number).job, ending)

    def _bury(self, parent: Parent, waiting: deque[Ticket]) -> Iterator[Outcome]:
        """Deal with a parent that has ended: its jobs run again, alone; then they are to blame."""
        self._forget(parent)
        parent.end()
        sweep(parent.folder)
        code = parent.process.returncode
        if code >= 0 or not parent.ready:
            log = parent.log.read_text("utf-8", "replace")[-3000:].strip()
            names = ", ".join(parent.key[1]) or "no framework"
            raise WorkerError(f"the worker for {names} ended with code {code}: {log}")
        for ticket in parent.running.values():
            ticket.tries += 1
            if ticket.tries == 1:
                waiting.appendleft(ticket)
            else:
                yield _killer(ticket.job, code)
        parent.running.clear()

    def _forget(self, parent: Parent) -> None:
        self._selector.unregister(parent.wire)
        self._parents.pop(parent.key, None)


def _killer(job: Job, code: int) -> Outcome:
    cell = next((c for c in reversed(job.cells) if c.path), None)
    return Outcome(
        snippet=job.snippet,
        status=Status.CRASHED,
        message=f"killed the process that watches it, twice: {signal_name(-code)}",
        path=cell.path if cell else "",
        line=cell.line if cell else 0,
    )
