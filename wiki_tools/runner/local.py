"""Runs jobs on this machine, in children of preloaded parents."""

import selectors
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from wiki_tools.config import Config
from wiki_tools.errors import WorkerError
from wiki_tools.protocol import Job, Outcome, Status
from wiki_tools.runner import Closing, Given, tell_nobody
from wiki_tools.runner.compiled import Compiled
from wiki_tools.runner.early import Early
from wiki_tools.runner.folders import WorkFolder
from wiki_tools.runner.parent import Parent, sweep
from wiki_tools.runner.queue import NEVER, Key, Queue, Ticket
from wiki_tools.worker.ending import signal_name
from wiki_tools.worker.order import REFUSES, TOGETHER

if TYPE_CHECKING:
    from wiki_tools.runner.aside import Aside

REFUSALS = 2
"""How often a parent may say that it must not fork, before fresh interpreters take its place."""
AHEAD = 1
"""How many jobs a parent has in hand beyond those that run, for each of them. Where no other parent
has any to do, it has some more, for which it forks at once."""


class LocalExecutor(Closing):
    """Runs jobs in forked children, each in its own process, folder and limits.

    One parent is started for each set of frameworks when the first job needs it, and kept until
    `close`. A job with pairings runs while nothing else does.
    """

    def __init__(
        self,
        config: Config,
        jobs: int = 2,
        given: Given = tell_nobody,
        compiled: Compiled | None = None,
        early: Early | None = None,
    ) -> None:
        """Get ready.

        Args:
            config: what jobs are held to.
            jobs: how many run at a time.
            given: is told of each job.
            compiled: where what snippets compile is kept, if it is.
            early: a parent that may be needed; the first jobs decide.
        """
        self._early = early or Early()
        self._compiled = compiled
        self._config = config
        self._given = given
        self._jobs = max(jobs, 1)
        self._parents: dict[Key, Parent | Aside] = {}
        self._refused: Counter[Key] = Counter()
        """How often a parent has said that it must not fork."""
        self._selector = selectors.DefaultSelector()
        self._folder = WorkFolder()
        self._started = 0

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the parents that are running."""
        return tuple(parent.process.pid for parent in self._forking())

    def _forking(self) -> list[Parent]:
        return [parent for parent in self._parents.values() if isinstance(parent, Parent)]

    def close(self) -> None:
        """End every process that was started, running jobs included."""
        for parent in tuple(self._parents.values()):
            self._forget(parent)
            parent.end()
        self._selector.close()
        self._folder.remove()

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs, the longest first, and give each outcome as it comes.

        Raises:
            WorkerError: a parent ended with an error of its own.
        """
        queue = Queue.of(jobs)
        try:
            if (early := self._early.take(queue.parents())) is not None:
                self._keep(early)
            self._start_parents(queue)
            self._prepare(queue)
            while queue or self._running():
                self._hand_out(queue)
                self._end_overdue()
                for key, events in self._selector.select(self._next_due()):
                    if events & selectors.EVENT_WRITE:
                        key.data.send()
                        self._listen(key.data)
                    if events & selectors.EVENT_READ:
                        yield from self._take_in(key.data, queue)
        finally:
            for parent in tuple(self._parents.values()):
                if parent.running:  # given up half-way: what still runs serves nobody
                    self._forget(parent)
                    parent.end()

    def _prepare(self, queue: Queue) -> None:
        """Prepare jobs for as long as all parents that there are still import."""
        for ticket in queue.tickets():
            parent = self._parents[ticket.key]
            if self._selector.select(0):
                return
            if isinstance(parent, Parent):
                ticket.prepare(parent.folder)

    def _next_due(self) -> float | None:
        """Seconds until a parent will be overdue; None where nothing runs."""
        due = min((ticket.due for ticket in self._running()), default=NEVER)
        return None if due == NEVER else max(0.0, due - time.monotonic())

    def _end_overdue(self) -> None:
        """Kill parents that a snippet keeps from watching it; their jobs are told of as theirs."""
        now = time.monotonic()
        for parent in self._forking():
            if any(ticket.due <= now for ticket in parent.running.values()):
                parent.process.kill()

    def _running(self) -> list[Ticket]:
        return [t for parent in self._parents.values() for t in parent.running.values()]

    def _hand_out(self, queue: Queue) -> None:
        """Give waiting jobs to parents that are ready, as long as there is room.

        A parent that alone has jobs gets some more in hand, which it starts itself, so that no
        core waits for us.
        """
        running = self._running()
        if any(ticket.alone for ticket in running):
            return
        self._start_parents(queue)
        count = len(running)
        most = self._jobs * (1 + AHEAD) + (TOGETHER if len(queue.together) == 1 else 0)
        while count < most:
            ready = [p.key for p in self._parents.values() if p.ready and self._room(p, count)]
            if (ticket := queue.take(ready)) is None:
                break
            self._give(ticket)
            count += 1
        if count or not queue.alone or queue.together:
            return
        if all(parent.ready for parent in self._parents.values()):  # an import is work, too
            self._give(queue.alone.popleft())

    def _room(self, parent: "Parent | Aside", count: int) -> bool:
        return count < self._jobs or (isinstance(parent, Parent) and count == len(parent.running))

    def _start_parents(self, queue: Queue) -> None:
        for key in queue.parents():
            if key not in self._parents:
                self._start(key)

    def _start(self, key: Key) -> None:
        parent: Parent | Aside
        if self._refused[key] >= REFUSALS:
            from wiki_tools.runner import aside  # a tenth of our start, and seldom needed

            parent = aside.Aside.start(key, self._config, self._jobs)
        else:
            self._started += 1
            folder = self._folder.parent(self._started)
            parent = Parent.start(key, self._config, folder, self._jobs, self._compiled)
        self._keep(parent)

    def _keep(self, parent: "Parent | Aside") -> None:
        self._parents[parent.key] = parent
        self._selector.register(parent.wire, selectors.EVENT_READ, parent)

    def _give(self, ticket: Ticket) -> None:
        parent = self._parents[ticket.key]
        parent.give(ticket)
        self._given(ticket.job)
        if isinstance(parent, Parent) and parent.outgoing:
            self._listen(parent)

    def _listen(self, parent: Parent) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if parent.outgoing else 0)
        self._selector.modify(parent.wire, events, parent)

    def _take_in(self, parent: "Parent | Aside", queue: Queue) -> Iterator[Outcome]:
        outcomes = parent.take()
        if outcomes is None:
            assert isinstance(parent, Parent)
            yield from self._bury(parent, queue)
        else:
            if isinstance(parent, Parent):
                parent.give_back(queue)
            self._hand_out(queue)  # before whoever reads them does something with them
            yield from outcomes

    def _bury(self, parent: Parent, queue: Queue) -> Iterator[Outcome]:
        """Deal with a parent that has ended: its jobs run again, alone; then they are to blame."""
        self._forget(parent)
        parent.end()
        sweep(parent.folder)
        code = parent.code
        if code == REFUSES:
            self._refused[parent.key] += 1 if parent.ready else REFUSALS
        elif code >= 0 or not parent.ready:
            log = parent.log.read_text("utf-8", "replace")[-3000:].strip()
            names = ", ".join(parent.key[1]) or "no framework"
            raise WorkerError(f"the worker for {names} ended with code {code}: {log}")
        suspects = [] if code == REFUSES else parent.suspects()
        for ticket in parent.running.values():
            ticket.due = NEVER
            ticket.tries += ticket in suspects
            if ticket.tries < 2:
                queue.add(ticket)
            else:
                said = f"killed the process that watches it, twice: {signal_name(-code)}"
                yield replace(crashed(ticket.job, said), held=parent.held)
        parent.running.clear()

    def _forget(self, parent: "Parent | Aside") -> None:
        self._selector.unregister(parent.wire)
        self._parents.pop(parent.key, None)


def crashed(job: Job, message: str) -> Outcome:
    """What becomes of a job that took down what ran it, and more than once."""
    cell = next((c for c in reversed(job.cells) if c.path), None)
    return Outcome(
        snippet=job.snippet,
        status=Status.CRASHED,
        message=message,
        path=cell.path if cell else "",
        line=cell.line if cell else 0,
    )
