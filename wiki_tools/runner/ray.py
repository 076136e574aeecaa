"""Runs jobs on the machines of a Ray cluster, each of which keeps an executor of its own."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from wiki_tools.environment import resolve_versions
from wiki_tools.protocol import Job, Outcome, decode, encode
from wiki_tools.runner import Given, tell_nobody
from wiki_tools.runner.cluster import Cluster, Event, Seat
from wiki_tools.runner.local import crashed
from wiki_tools.runner.stations import LISTEN, LOSSES, Station, Stations, Ticket

BATCH = 4
"""Jobs that are sent at once, for each that a seat runs at a time."""
SILENCE = 120.0
"""Seconds beyond a job's own limit after which a seat that says nothing is taken for lost."""


class RayExecutor:
    """Runs jobs on every machine of a cluster that is of one kind.

    A seat has all processors of its machine, and where jobs want CUDA one card and its share of
    the processors, so that no other program of Ray's runs beside a measurement; nor does another
    job of this one. Jobs of a machine that was lost run again elsewhere.
    """

    def __init__(
        self,
        cluster: Cluster,
        *,
        device: str = "cpu",
        jobs: int = 0,
        packages: tuple[str, ...] = (),
        tell: Callable[[str], None] = lambda _text: None,
        given: Given = tell_nobody,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take seats on all machines, and wait until it is known what they are.

        Args:
            cluster: to be closed by whoever gives it.
            device: `cpu` or `cuda`.
            jobs: at a time on each seat; 0 is one a processor.
            packages: whose versions may not differ unsaid.
            tell: is told of machines that are lost, left out or different.
            given: is told of each job as it is handed out.
            clock: in seconds.

        Raises:
            UsageError: no machine of the cluster has such a device.
            WorkerError: none of them could be used.
        """
        self._clock, self._given = clock, given
        self._stations = Stations(cluster, device, jobs, tell, clock)
        self._machine = self._stations.settle(packages)
        self.environment = self._machine.environment
        """What kind of machine runs; each outcome names its own."""

    @property
    def cores(self) -> int:
        """Processors that a measurement has to itself, wherever it runs."""
        return min((s.seat.cpus for s in self._stations.taken.values()), default=1)

    @property
    def machines(self) -> int:
        """How many run measurements at once."""
        return len({s.seat.node.id for s in self._stations.taken.values() if s.machine})

    def resolve(self, packages: tuple[str, ...]) -> Mapping[str, str]:
        """Say which versions the machines have of some packages, and of Python."""
        here = resolve_versions(packages)
        return {name: self._machine.versions.get(name, here[name]) for name in here}

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs and give each outcome as it comes, with the machine that it came from.

        Raises:
            WorkerError: no machine is left.
        """
        todo = [Ticket(job=job) for job in jobs]
        waiting = deque(sorted(todo, key=lambda ticket: ticket.alone))
        try:
            while waiting or any(station.hand for station in self._all()):
                self._stations.look()
                self._hand_out(waiting)
                for event in self._stations.cluster.listen(LISTEN):
                    yield from self._take(event, waiting)
                for station in self._all():
                    if station.hand and station.due < self._clock():
                        yield from self._lose(station, "it said nothing for too long", waiting)
        finally:
            self._stations.give_up()

    def _all(self) -> tuple[Station, ...]:
        return tuple(self._stations.taken.values())

    def _hand_out(self, waiting: deque[Ticket]) -> None:
        """Give waiting jobs to the seats that are free, in order."""
        for station in self._all():
            if waiting and station.free and (batch := self._batch(station, waiting)):
                station.hand = {ticket.job.snippet: ticket for ticket in batch}
                station.free = False
                self._wait_for(station)
                for ticket in batch:
                    self._given(ticket.job)
                jobs = [_fitted(ticket.job, station.seat) for ticket in batch]
                self._stations.cluster.send(station.seat, [encode(job) for job in jobs])

    def _batch(self, station: Station, waiting: deque[Ticket]) -> list[Ticket]:
        """Take off the jobs that a seat may have now: one alone, or some of different names."""
        node = station.seat.node.id
        beside = [t for s in self._all() if s.seat.node.id == node for t in s.hand.values()]
        if any(ticket.alone for ticket in beside) or (waiting[0].alone and beside):
            return []
        if waiting[0].alone:
            return [waiting.popleft()]
        share = -(-len(waiting) // len(self._all()))
        batch: dict[str, Ticket] = {}
        while waiting and len(batch) < min(share, BATCH * station.seat.jobs):
            if waiting[0].alone or waiting[0].job.snippet in batch:
                break
            ticket = waiting.popleft()
            batch[ticket.job.snippet] = ticket
        return list(batch.values())

    def _wait_for(self, station: Station) -> None:
        limits = [ticket.job.timeout for ticket in station.hand.values()]
        station.due = self._clock() + max(limits, default=0.0) + SILENCE

    def _take(self, event: Event, waiting: deque[Ticket]) -> Iterator[Outcome]:
        """Read what was heard; of a seat that was given up meanwhile, nothing counts."""
        station = self._stations.taken.get(event.seat)
        if station is None or not station.hand:
            self._stations.greet(event)
            return
        if event.text is None:
            reason = event.lost or "it left jobs without an outcome"
            yield from self._lose(station, reason, waiting)
            return
        try:
            outcome = decode(Outcome, event.text)
            del station.hand[outcome.snippet]
        except (ValueError, KeyError, RecursionError) as error:
            yield from self._lose(station, f"it says what was not asked: {error!r:.200}", waiting)
            return
        self._wait_for(station)
        environment = station.machine.environment if station.machine else None
        yield replace(outcome, environment=environment)

    def _lose(self, station: Station, reason: str, waiting: deque[Ticket]) -> Iterator[Outcome]:
        """Have what a lost seat had in hand run again, first of all; then it is to blame."""
        for ticket in reversed(self._stations.lose(station, reason)):
            if len(ticket.lost) < LOSSES:
                waiting.appendleft(ticket)
            else:
                machines = ", ".join(ticket.lost)
                said = f"the machines that ran it were lost, {LOSSES} times: {machines}"
                yield crashed(ticket.job, said)


def _fitted(job: Job, seat: Seat) -> Job:
    """A measurement for a seat: no more threads than there are processors."""
    return replace(job, threads=max(1, min(job.threads, seat.cpus))) if job.alone else job
