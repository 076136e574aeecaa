"""Takes seats on the machines of a cluster, of one kind, and notices when they are lost."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from wiki_tools.environment import folder_name, resolve_versions
from wiki_tools.errors import UsageError, WorkerError
from wiki_tools.protocol import Job, decode
from wiki_tools.runner.cluster import PATIENCE, Cluster, Event, Machine, Node, Seat

LOSSES = 3
"""Machines that may be lost with a job; then it is taken for the reason."""
STARTS = 3
"""Times that a seat is taken which is lost each time."""
SETTLE = 20.0
"""Seconds that other machines have to come up after the first, before the kind is chosen."""
LOOK = 2.0
"""Seconds between two looks at which machines there are."""
LISTEN = 1.0
"""Seconds to wait for a word from any of them."""
REMIND = 30.0
"""Seconds without any machine after which that is told."""


@dataclass(slots=True, kw_only=True)
class Ticket:
    """A job on its way."""

    job: Job
    lost: list[str] = field(default_factory=list)
    """Machines that were lost while they had it."""

    @property
    def alone(self) -> bool:
        """Nothing may run beside it: it looks at a clock, or machines were lost with it."""
        return self.job.alone or len(self.lost) >= LOSSES - 1


@dataclass(slots=True, kw_only=True)
class Station:
    """A seat that was taken, and the jobs that it has in hand."""

    seat: Seat
    machine: Machine | None = None
    """What it says that it is; None until then."""
    free: bool = False
    """It has answered all."""
    hand: dict[str, Ticket] = field(default_factory=dict)
    """By the names of their snippets."""
    due: float = 0.0
    """When it must have said something, where it has jobs in hand."""

    @property
    def folder(self) -> str:
        """Of the evidence of its kind of machine; empty until that is known."""
        return folder_name(self.machine.environment) if self.machine else ""


class Stations:
    """The seats that were taken, by name.

    Evidence of machines of different kinds would not belong together, so the kind with the most
    room is chosen, and the others are left out by name.
    """

    def __init__(
        self,
        cluster: Cluster,
        device: str,
        jobs: int,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cluster, self.clock = cluster, clock
        self.taken: dict[str, Station] = {}
        self._device, self._jobs, self._tell = device, jobs, tell
        self._lost: Counter[str] = Counter()
        self._others: set[str] = set()
        self._kind = ""
        """The folder of the kind that was chosen; empty until then."""
        self._looked = float("-inf")
        self._reason = ""

    def look(self) -> None:
        """Take seats on machines that are new, or whose seat was lost not too often.

        Raises:
            UsageError: no machine has such a device.
            WorkerError: no machine is left.
        """
        if self.clock() - self._looked < LOOK and self.taken:
            return
        self._looked = self.clock()
        seats = [seat for node in self.cluster.nodes() for seat in self._seats(node)]
        for seat in seats:
            open_ = seat.name not in self.taken and seat.node.id not in self._others
            if open_ and self._lost[seat.name] < STARTS:
                self.taken[seat.name] = Station(seat=seat)
                self.cluster.start(seat)
        if not seats and not self._reason:
            device = "a GPU" if self._device == "cuda" else "a processor to give"
            raise UsageError(f"--device {self._device}: no machine of the cluster has {device}")
        if not self.taken:
            raise WorkerError(f"no machine of the cluster is left to run on: {self._reason}")

    def _seats(self, node: Node) -> list[Seat]:
        """The seats of a machine: one for each card, or one in all."""
        cards = node.gpus if self._device == "cuda" else 0
        count = cards if self._device == "cuda" else min(node.cpus, 1)
        cpus = node.cpus // max(count, 1)
        return [
            Seat(
                name=f"{node.id}/{number}",
                node=node,
                device=self._device,
                cpus=cpus,
                gpus=min(cards, 1),
                jobs=self._jobs or max(cpus, 1),
            )
            for number in range(count)
        ]

    def settle(self, packages: tuple[str, ...]) -> Machine:
        """Wait until it is known what the machines are, and choose the kind with the most room.

        Raises:
            UsageError: no machine of the cluster has such a device.
            WorkerError: none of them could be used.
        """
        began, first = self.clock(), float("inf")
        while True:
            self.look()
            for event in self.cluster.listen(LISTEN):
                self.greet(event)
            now = self.clock()
            known = [station for station in self.taken.values() if station.machine]
            if known and (len(known) == len(self.taken) or now - first > SETTLE):
                break
            first = min(first, now) if known else first
            if not known and now - began > REMIND:
                began = float("inf")
                self._tell("no machine of the cluster is free yet; each is asked for as a whole")
        room: Counter[str] = Counter()
        for station in known:
            room[station.folder] += station.seat.jobs
        self._kind = room.most_common(1)[0][0]
        ours = [station for station in known if station.folder == self._kind]
        for station in known:
            self._admit(station)
        self._compare(ours, packages)
        machine = ours[0].machine
        assert machine is not None
        return machine

    def greet(self, event: Event) -> None:
        """Take in what a seat without jobs says: what it is, that it is free, that it was lost."""
        station = self.taken.get(event.seat)
        if station is None:
            return  # it was given up meanwhile
        if event.lost:
            self.lose(station, event.lost)
        elif event.text is None and station.machine:
            station.free = True
        elif event.text is None or station.machine:
            self.lose(station, "it says what was not asked")
        else:
            try:
                station.machine = decode(Machine, event.text)
            except ValueError as error:
                self.lose(station, f"it does not say what it is: {error}")
            else:
                self._admit(station)

    def _admit(self, station: Station) -> None:
        """Give up a machine of another kind than the one that was chosen."""
        if not self._kind or station.folder == self._kind:
            return
        self._others.add(station.seat.node.id)
        self._drop(station)
        self._tell(
            f"{station.seat.node.name} is left out: it is {station.folder}, "
            f"and this runs on {self._kind}"
        )

    def _compare(self, stations: Iterable[Station], packages: tuple[str, ...]) -> None:
        """Say where versions of packages differ from those here, where pages were read."""
        for name, ours in resolve_versions(packages).items():
            theirs: dict[str, set[str]] = {}
            for station in stations:
                versions = station.machine.versions if station.machine else {}
                theirs.setdefault(versions.get(name, ""), set()).add(station.seat.node.name)
            theirs.pop(ours, None)
            for version, nodes in theirs.items():
                self._tell(
                    f"{', '.join(sorted(nodes))}: {name} is {version or 'missing'} there, "
                    f"and {ours or 'missing'} here"
                )

    def lose(self, station: Station, reason: str) -> list[Ticket]:
        """Give up a seat for good reason, and give the jobs that it had in hand."""
        node, jobs = station.seat.node.name, list(station.hand.values())
        self._drop(station)
        self._lost[station.seat.name] += 1
        self._looked = float("-inf")
        self._reason = f"{node}: {reason}"
        again = f"; {len(jobs)} of its jobs run again" if jobs else ""
        self._tell(f"{node} was lost: {reason}{again}")
        for ticket in jobs:
            ticket.lost.append(node)
        return jobs

    def _drop(self, station: Station) -> None:
        del self.taken[station.seat.name]
        self.cluster.stop([station.seat])

    def give_up(self) -> None:
        """End what still runs for nobody, since whoever asked has gone."""
        busy = [station for station in self.taken.values() if station.hand]
        for station in busy:
            del self.taken[station.seat.name]
        self.cluster.stop([station.seat for station in busy], PATIENCE)
