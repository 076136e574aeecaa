"""The few calls to Ray that its executor makes, behind one seam.

Text crosses it: jobs and outcomes as the lines of `protocol`. What Ray pickles is ours: a `Kit` on
the way out, and on the way back `str` and exceptions of this package's code. No snippet has a hand
in them: it runs in a child of a child of the actor, which reads what it says as JSON. Ray's own
ports ask for no password, though: who reaches them may run anything.
"""

import contextlib
import logging
import os
import socket
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import wiki_tools
from wiki_tools.config import Config
from wiki_tools.environment import describe_environment, resolve_versions, usable_cores
from wiki_tools.errors import UsageError, WikiError
from wiki_tools.protocol import Environment, Job, decode, encode
from wiki_tools.runner import Closing
from wiki_tools.runner.choice import choose_executor

PATIENCE = 10.0
"""Seconds that an actor has to end its processes before it is killed."""
STORE_BYTES = 200 << 20
"""Shared memory of a cluster that is started for one run: only lines of text pass through it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What every machine is given: nothing of the vault need lie there."""

    config: Config
    packages: tuple[str, ...] = ()
    """Whose versions are asked for."""
    modules: dict[str, bytes] = field(default_factory=dict)
    """Files of the vault that jobs import, by their paths from its root."""
    start: str = "auto"
    """How snippets are started there: one of `choice.STARTS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A machine of the cluster that is alive."""

    id: str
    name: str
    """Its host name and the beginning of its id: two nodes may share a machine."""
    cpus: int
    gpus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A place on a node where jobs run, which Ray gives to nobody else meanwhile."""

    name: str
    node: Node
    device: str
    cpus: int
    gpus: int
    jobs: int
    """Snippets at a time; a measurement is alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a seat says of where it is."""

    environment: Environment
    versions: dict[str, str]
    """Of the packages that it was asked for, and of Python."""


class Event(NamedTuple):
    """What was heard of a seat: a line, that it has answered all, or that it was lost."""

    seat: str
    text: str | None = None
    lost: str = ""
    """Why, in words; empty where it was not."""


class Cluster(Protocol):
    """Machines that take and give lines of text."""

    def nodes(self) -> tuple[Node, ...]:
        """List the machines that are alive."""
        ...

    def start(self, seat: Seat) -> None:
        """Take a seat as soon as Ray has it free.

        It then gives one line: what `Machine` it is.
        """
        ...

    def send(self, seat: Seat, lines: Sequence[str]) -> None:
        """Send jobs to a seat that has answered all; it gives one line for each."""
        ...

    def listen(self, seconds: float) -> Sequence[Event]:
        """Give what is heard of the seats, nothing where nothing is for so long."""
        ...

    def stop(self, seats: Collection[Seat], patience: float = 0.0) -> None:
        """Give seats up, with whatever runs there; nothing is heard of them from then on."""
        ...


class Keeper:
    """Lives on a node as Ray's actor and keeps the processes in which jobs run there."""

    def __init__(self, kit: Kit, device: str, jobs: int) -> None:
        self._kit, self._device = kit, device
        self._folder = tempfile.TemporaryDirectory(prefix="wiki-", ignore_cleanup_errors=True)
        self._root = Path(self._folder.name)
        """Stands for the vault's root."""
        for path, data in kit.modules.items():
            file = self._root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        config = replace(kit.config, root=self._root)
        self._executor = choose_executor(config, jobs, kit.start)

    def describe(self) -> Iterator[str]:
        """Say in one line what machine this is, and which versions of packages it has."""
        versions = dict(resolve_versions(self._kit.packages))
        yield encode(Machine(environment=describe_environment(self._device), versions=versions))

    def run(self, lines: Sequence[str]) -> Iterator[str]:
        """Run jobs and give each outcome as it comes."""
        jobs = [self._at_home(decode(Job, line)) for line in lines]
        for outcome in self._executor.run(jobs):
            yield encode(outcome)

    def _at_home(self, job: Job) -> Job:
        """Have a job look for the vault's modules where they lie on this machine."""
        there = self._kit.config.root
        folders = [self._root / Path(folder).relative_to(there) for folder in job.folders]
        return replace(job, folders=tuple(map(str, folders)))

    def close(self) -> None:
        """End every process that was started here, while `run` runs as well."""
        self._executor.close()
        self._folder.cleanup()


class RayCluster(Closing):
    """A Ray cluster that this process has joined; to be closed."""

    def __init__(self, kit: Kit) -> None:
        import ray

        self._kit = ray.put(kit)
        self._actors: dict[str, Any] = {}
        self._streams: dict[Any, str] = {}
        self._known: set[str] = set()
        """Seats that have said what they are: others may never, and are not waited for."""

    def close(self) -> None:
        """End what was started, a cluster of this run's own included."""
        import ray

        self._end(tuple(self._actors), PATIENCE)
        ray.shutdown()

    def nodes(self) -> tuple[Node, ...]:
        """List the machines that are alive, by name."""
        import ray

        found = [_node(row) for row in ray.nodes() if row["Alive"]]
        return tuple(sorted(found, key=lambda node: node.name))

    def start(self, seat: Seat) -> None:
        """Make an actor on the seat's node, and nowhere else."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor = (
            ray.remote(Keeper)
            .options(
                num_cpus=seat.cpus,
                num_gpus=seat.gpus,
                max_restarts=0,  # a lost seat's jobs are given anew by whoever knows which they are
                max_task_retries=0,
                max_concurrency=2,  # `close` does not wait for `run`
                scheduling_strategy=NodeAffinitySchedulingStrategy(seat.node.id, soft=False),
            )
            .remote(self._kit, seat.device, seat.jobs)
        )
        self._actors[seat.name] = actor
        self._streams[actor.describe.remote()] = seat.name

    def send(self, seat: Seat, lines: Sequence[str]) -> None:
        """Have the seat's actor run jobs; outcomes are streamed back."""
        self._streams[self._actors[seat.name].run.remote(list(lines))] = seat.name

    def listen(self, seconds: float) -> Sequence[Event]:
        """Wait for the next line of any seat."""
        import ray

        if not self._streams:
            return ()
        ready, _ = ray.wait(list(self._streams), num_returns=1, timeout=seconds)
        return [self._next(stream) for stream in ready]

    def _next(self, stream: Any) -> Event:
        import ray

        seat = self._streams[stream]
        try:
            text = ray.get(next(stream))
        except StopIteration:
            del self._streams[stream]
            return Event(seat)
        except ray.exceptions.RayError as error:
            del self._streams[stream]
            return Event(seat, lost=_reason(error))
        self._known.add(seat)
        return Event(seat, text)

    def stop(self, seats: Collection[Seat], patience: float = 0.0) -> None:
        """Kill the actors of seats, those that have the patience to end their processes last."""
        self._end([seat.name for seat in seats if seat.name in self._actors], patience)

    def _end(self, names: Collection[str], patience: float) -> None:
        import ray

        actors = {name: self._actors.pop(name) for name in names}
        self._streams = {s: name for s, name in self._streams.items() if name not in names}
        known = self._known & actors.keys() if patience else set()
        closing = [actors[name].close.remote() for name in known]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=patience)
        for actor in actors.values():
            ray.kill(actor)
        self._known.difference_update(names)


@contextlib.contextmanager
def join_cluster(kit: Kit, tell: Callable[[str], None]) -> Iterator[RayCluster]:
    """Join the cluster that `RAY_ADDRESS` names; where it names none, start one for this run.

    Raises:
        UsageError: Ray is not installed, or no cluster answers.
    """
    try:
        import ray
    except ImportError:
        raise UsageError(
            "--executor ray: Ray is not installed here; pip install 'wiki_tools[ray]'"
        ) from None
    address = os.environ.get("RAY_ADDRESS") or "local"
    _knock(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody was asked
    options: dict[str, Any] = {}
    if address == "local":
        tell("RAY_ADDRESS names no cluster: one is started on this machine, for this run")
        options = {
            "num_cpus": usable_cores(),
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
        }
    package = Path(wiki_tools.__file__).parent
    try:
        ray.init(
            address=address,
            logging_level=logging.ERROR,
            log_to_driver=False,
            runtime_env={"py_modules": [str(package)]},  # the same code everywhere
            **options,
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"RAY_ADDRESS={address}: no cluster could be joined: {error}") from error
    with RayCluster(kit) as cluster:
        yield cluster


def _knock(address: str) -> None:
    """Refuse an address at which nothing answers: Ray itself would try for minutes."""
    if address.startswith("ray://"):
        raise UsageError(
            f"RAY_ADDRESS={address}: Ray's client is not supported; run this on a machine of the "
            "cluster, with RAY_ADDRESS=auto, or by ray job submit"
        )
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        return  # `auto` or `local`, which Ray looks up
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise UsageError(f"RAY_ADDRESS={address}: no cluster answers there: {error}") from error


def _node(row: dict[str, Any]) -> Node:
    resources = row["Resources"]
    return Node(
        id=row["NodeID"],
        name=f"{row['NodeManagerHostname']}/{row['NodeID'][:6]}",
        cpus=int(resources.get("CPU", 0)),
        gpus=int(resources.get("GPU", 0)),
    )


def _reason(error: Exception) -> str:
    """Say in a line why a seat was lost; of its own exceptions without Ray's frames."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, WikiError):
        return str(cause)
    if isinstance(cause, Exception):
        return f"{type(cause).__name__}: {cause}"
    return " ".join(str(error).split())[:300]
