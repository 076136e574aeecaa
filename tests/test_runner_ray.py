"""Jobs on a cluster: none lost, none twice, whatever becomes of its machines."""

import contextlib
import functools
import importlib.util
import re
import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.reports import CARD, CPU
from tests.support import TESTS, FakeExecutor, make_config, make_outcome
from tests.test_environment import with_card
from tests.test_runner_local import eventually, job
from wiki_tools.config import read_config
from wiki_tools.environment import resolve_versions
from wiki_tools.errors import UsageError, WorkerError
from wiki_tools.pages import read_pages
from wiki_tools.protocol import Environment, Job, Outcome, Pairing, Status, decode, encode
from wiki_tools.runner import Executor
from wiki_tools.runner.cluster import (
    PATIENCE,
    Event,
    Kit,
    Machine,
    Node,
    RayCluster,
    Seat,
    join_cluster,
)
from wiki_tools.runner.local import LocalExecutor
from wiki_tools.runner.ray import SILENCE, RayExecutor
from wiki_tools.runner.stations import LOOK, LOSSES, SETTLE, STARTS
from wiki_tools.runner.verify import Verifier
from wiki_tools.snippets import extract_all

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="needs Ray: pip install 'wiki_tools[ray]'",
)
Answer = Callable[[Seat, list[Job]], Iterable[Outcome]]
A, B, C = (Node(id=name * 6, name=name, cpus=4, gpus=0) for name in "abc")
CARDS = Node(id="cards", name="cards", cpus=8, gpus=2)
PAIRING = Pairing(against="baseline", candidate=(), baseline=())


def machine(environment: Environment = CPU, **versions: str) -> Machine:
    return Machine(environment=environment, versions=dict(resolve_versions(())) | versions)


def answer_all(_seat: Seat, jobs: list[Job]) -> Iterable[Outcome]:
    return map(make_outcome, jobs)


class LostError(Exception):
    """Raised by an answer: the seat goes, with its node or without it."""


@dataclass
class FakeCluster:
    """Machines that are made up; it says one thing at a time, of all seats in turn."""

    alive: list[Node]
    answer: Answer = answer_all
    machines: dict[str, Machine] = field(default_factory=dict)
    """By the name of the node; others are CPUs."""
    with_node: bool = True
    """A seat that is lost takes its node along."""
    clock: float = 0.0
    started: list[Seat] = field(default_factory=list)
    sent: list[tuple[Seat, list[Job]]] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    events: dict[str, deque[Event]] = field(default_factory=dict)
    busy: dict[str, list[Job]] = field(default_factory=dict)

    def nodes(self) -> tuple[Node, ...]:
        return tuple(self.alive)

    def start(self, seat: Seat) -> None:
        self.started.append(seat)
        said = self.machines.get(seat.node.name, machine())
        self.events[seat.name] = deque([Event(seat.name, encode(said)), Event(seat.name)])

    def send(self, seat: Seat, lines: Sequence[str]) -> None:
        assert not self.events[seat.name], "a seat has one batch at a time"
        jobs = [decode(Job, line) for line in lines]
        self.check_alone(seat, jobs)
        self.sent.append((seat, jobs))
        self.events[seat.name].extend(self.said(seat, jobs))

    def check_alone(self, seat: Seat, jobs: list[Job]) -> None:
        self.busy[seat.name] = list(jobs)
        node = [j for s, js in self.busy.items() for j in js if s.startswith(f"{seat.node.id}/")]
        assert len(node) == 1 or not any(j.pairings for j in node)

    def said(self, seat: Seat, jobs: list[Job]) -> Iterator[Event]:
        try:
            for outcome in self.answer(seat, jobs):
                yield Event(seat.name, encode(outcome))
            yield Event(seat.name)
        except LostError:
            yield Event(seat.name, lost="it burns")

    def listen(self, seconds: float) -> Sequence[Event]:
        """The seat that has waited longest speaks next."""
        for name, events in tuple(self.events.items()):
            if events:
                self.events[name] = self.events.pop(name)
                return [self.heard(events.popleft())]
        self.clock += seconds
        return []

    def heard(self, event: Event) -> Event:
        if self.busy.get(event.seat):
            self.busy[event.seat].pop(0)
        if event.text is None:
            self.busy.pop(event.seat, None)
        if event.lost and self.with_node:
            self.alive = [node for node in self.alive if not event.seat.startswith(node.id)]
        return event

    def stop(self, seats: Collection[Seat], patience: float = 0.0) -> None:
        for seat in seats:
            self.stopped.append(seat.name)
            self.busy.pop(seat.name, None)
            del self.events[seat.name]


def make_executor(
    cluster: FakeCluster, told: list[str] | None = None, **options: object
) -> RayExecutor:
    tell = told.append if told is not None else lambda _text: None
    return RayExecutor(cluster, tell=tell, clock=lambda: cluster.clock, **options)  # type: ignore[arg-type]


def names(count: int) -> list[Job]:
    return [job("x = 1", name=f"page#{n}") for n in range(count)]


def measured(name: str, threads: int = 1) -> Job:
    return job("x = 1", name=name, pairings=(PAIRING,), threads=threads)


# With machines that are made up


def test_every_job_has_one_outcome_and_every_machine_works() -> None:
    cluster = FakeCluster([A, B])
    seen = [o.snippet for o in make_executor(cluster).run(names(50))]
    assert Counter(seen) == {f"page#{n}": 1 for n in range(50)}
    assert {seat.node.name for seat, _ in cluster.sent} == {"a", "b"}


def test_no_job_is_no_work() -> None:
    cluster = FakeCluster([A])
    assert list(make_executor(cluster).run([])) == []
    assert cluster.sent == []


def test_jobs_of_one_name_are_told_apart() -> None:
    cluster = FakeCluster([A])
    jobs = [job("x = 1"), job("x = 2"), job("x = 3")]
    assert len(list(make_executor(cluster).run(jobs))) == 3
    assert [len(sent) for _, sent in cluster.sent] == [1, 1, 1]


def test_one_executor_runs_again() -> None:
    executor = make_executor(FakeCluster([A, B]))
    for _ in range(3):
        assert len(list(executor.run(names(9)))) == 9


@given(
    st.lists(st.sampled_from(["plain", "measured"]), max_size=30),
    st.integers(1, 4),
    st.sets(st.tuples(st.integers(0, 29), st.integers(0, 3)), max_size=8),
    st.booleans(),
    st.integers(0, 2),
)
def test_nothing_is_lost_and_nothing_is_twice(
    kinds: list[str], machines: int, deaths: set[tuple[int, int]], with_node: bool, cards: int
) -> None:
    """A machine dies the n-th time that a job comes to it; the law holds, or none is left."""
    tries: Counter[str] = Counter()

    def answer(_seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        for each in jobs:
            tries[each.snippet] += 1
            if (int(each.snippet), tries[each.snippet] - 1) in deaths:
                raise LostError
            yield make_outcome(each)

    nodes = [Node(id=f"{n}-", name=str(n), cpus=2, gpus=cards) for n in range(machines)]
    cluster = FakeCluster(nodes, answer, with_node=with_node)
    jobs = [
        measured(str(n)) if kind == "measured" else job("x = 1", name=str(n))
        for n, kind in enumerate(kinds)
    ]
    seen: Counter[str] = Counter()
    fatal: list[str] = []
    try:
        device = "cuda" if cards else "cpu"
        for outcome in make_executor(cluster, device=device).run(jobs):
            seen[outcome.snippet] += 1
            if outcome.status is Status.CRASHED:
                fatal.append(outcome.snippet)
    except WorkerError:
        assert not cluster.alive or not with_node
        assert set(seen.values()) <= {1}
        return
    assert seen == {j.snippet: 1 for j in jobs}
    assert all(tries[name] <= LOSSES for name in fatal)


def test_jobs_of_a_lost_machine_run_again_elsewhere() -> None:
    def answer(seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        yield make_outcome(jobs[0])
        if seat.node is A:
            raise LostError
        yield from map(make_outcome, jobs[1:])

    told: list[str] = []
    cluster = FakeCluster([A, B], answer)
    seen = [o.snippet for o in make_executor(cluster, told).run(names(32))]
    assert sorted(seen) == sorted(j.snippet for j in names(32))
    assert told == ["a was lost: it burns; 15 of its jobs run again"]
    assert cluster.stopped == [f"{A.id}/0"]


def test_a_job_that_costs_machine_after_machine_has_crashed() -> None:
    def answer(_seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        for each in jobs:
            if each.snippet == "page#3":
                raise LostError
            yield make_outcome(each)

    nodes = [replace(A, id=f"{n}-", name=f"n{n}") for n in range(4)]
    seen = {o.snippet: o for o in make_executor(FakeCluster(nodes, answer)).run(names(12))}
    assert [s for s, o in seen.items() if o.status is not Status.PASSED] == ["page#3"]
    assert seen["page#3"].status is Status.CRASHED
    assert f"were lost, {LOSSES} times: n" in seen["page#3"].message
    assert (seen["page#3"].path, seen["page#3"].line) == ("docs/page.md", 10)


def test_a_job_with_which_two_machines_were_lost_runs_alone() -> None:
    def answer(seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        if len(jobs) > 1:
            raise LostError
        yield make_outcome(jobs[0])

    cluster = FakeCluster([A, B, C], answer)
    assert len(list(make_executor(cluster).run(names(4)))) == 4


def test_where_no_machine_is_left_the_machinery_broke() -> None:
    def answer(seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        yield make_outcome(jobs[0])
        raise LostError

    seen = []
    with pytest.raises(WorkerError, match=r"no machine of the cluster is left.*: b: it burns"):
        seen += list(make_executor(FakeCluster([B], answer)).run(names(5)))
    assert seen == []


def test_a_seat_that_dies_alone_is_taken_again_but_not_for_ever() -> None:
    def answer(seat: Seat, jobs: list[Job]) -> Iterator[Outcome]:
        raise LostError
        yield

    cluster = FakeCluster([A, B], answer, with_node=False)
    with pytest.raises(WorkerError):
        list(make_executor(cluster).run(names(40)))
    assert Counter(seat.node.name for seat in cluster.started) == {"a": STARTS, "b": STARTS}


def test_a_seat_that_says_nothing_for_too_long_is_lost() -> None:
    silent: list[str] = []

    class Silent(FakeCluster):
        def said(self, seat: Seat, jobs: list[Job]) -> Iterator[Event]:
            if seat.node is A:
                silent.extend(j.snippet for j in jobs)
                self.alive = [B]
                return iter(())
            return super().said(seat, jobs)

    told: list[str] = []
    cluster = Silent([A, B])
    seen = [o.snippet for o in make_executor(cluster, told).run(names(8))]
    assert sorted(seen) == sorted(j.snippet for j in names(8))
    assert silent
    assert told == [
        f"a was lost: it said nothing for too long; {len(silent)} of its jobs run again"
    ]
    assert cluster.clock >= SILENCE + 10.0


@pytest.mark.parametrize(
    "text", ["", "[", '{"snippet":"page#0"}', '{"snippet":"another","status":"passed"}', "[" * 9999]
)
def test_a_seat_that_says_what_was_not_asked_is_lost(text: str) -> None:
    class Strange(FakeCluster):
        def said(self, seat: Seat, jobs: list[Job]) -> Iterator[Event]:
            return iter([Event(seat.name, text)]) if seat.node is A else super().said(seat, jobs)

    told: list[str] = []
    cluster = Strange([A, B], with_node=False)
    assert len(list(make_executor(cluster, told).run(names(4)))) == 4
    assert all(line.startswith("a was lost: it says what was not asked") for line in told)
    assert told


def test_a_seat_that_ends_too_soon_is_lost() -> None:
    told: list[str] = []
    cluster = FakeCluster(
        [A, B], lambda seat, jobs: [] if seat.node is A else answer_all(seat, jobs)
    )
    assert len(list(make_executor(cluster, told).run(names(4)))) == 4
    assert "it left jobs without an outcome" in told[0]


def test_what_is_given_up_half_way_is_ended() -> None:
    cluster = FakeCluster([A, B])
    executor = make_executor(cluster)
    outcomes = executor.run(names(20))
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    assert sorted(cluster.stopped) == [f"{A.id}/0", f"{B.id}/0"]
    cluster.clock += LOOK
    assert len(list(executor.run(names(20)))) == 20


# Whom jobs have beside them, and where


def test_a_seat_has_its_machine_to_itself() -> None:
    cluster = FakeCluster([A, Node(id="x", name="none", cpus=0, gpus=8)])
    executor = make_executor(cluster)
    assert [(s.cpus, s.gpus, s.jobs, s.device) for s in cluster.started] == [(4, 0, 4, "cpu")]
    assert executor.cores == 4


def test_a_gpu_job_asks_for_a_gpu_and_its_share_of_the_processors() -> None:
    cluster = FakeCluster([A, CARDS], machines={"cards": machine(CARD)})
    executor = make_executor(cluster, device="cuda", jobs=3)
    found = [(s.node.name, s.cpus, s.gpus, s.jobs, s.device) for s in cluster.started]
    assert found == [("cards", 4, 1, 3, "cuda")] * 2
    assert executor.environment == CARD


def test_a_measurement_has_the_machine_to_itself_although_it_has_two_cards() -> None:
    machines = {"cards": machine(CARD)}
    cluster = FakeCluster([CARDS], machines=machines)  # it checks who is beside whom
    jobs = [measured("m1"), *names(20), measured("m2"), measured("m3")]
    seen = [o.snippet for o in make_executor(cluster, device="cuda").run(jobs)]
    assert seen[-3:] == ["m1", "m2", "m3"]
    assert len(seen) == 23


def test_measurements_run_on_all_machines_at_once() -> None:
    cluster = FakeCluster([A, B])
    list(make_executor(cluster).run([measured(str(n)) for n in range(6)]))
    assert Counter(seat.node.name for seat, _ in cluster.sent) == {"a": 3, "b": 3}


def test_noise_is_measured_on_every_machine() -> None:
    cluster = FakeCluster([A, CARDS, B])
    executor = make_executor(cluster)
    assert executor.machines == 3
    list(executor.run([measured("noise")] * executor.machines))
    assert [seat.node.name for seat, _ in cluster.sent] == ["a", "cards", "b"]


def test_each_job_is_told_of_as_it_is_handed_out() -> None:
    given: list[Job] = []
    list(make_executor(FakeCluster([A, B]), given=given.append).run(names(9)))
    assert given == names(9)


def test_a_measurement_takes_no_more_threads_than_its_machine_has() -> None:
    cluster = FakeCluster([A])
    list(make_executor(cluster).run([measured("m", threads=64), job("x = 1", threads=1)]))
    assert {j.snippet: j.threads for _, jobs in cluster.sent for j in jobs} == {
        "m": 4,
        "page#p01": 1,
    }


@pytest.mark.parametrize(
    ("device", "lack"), [("cuda", "has a GPU"), ("cpu", "a processor to give")]
)
def test_a_device_that_no_machine_has_is_told(device: str, lack: str) -> None:
    with pytest.raises(UsageError, match=f"--device {device}: no machine .*{lack}"):
        make_executor(FakeCluster([replace(A, cpus=0)]), device=device)


# Which machines they are


def test_every_outcome_names_its_machine() -> None:
    machines = {name: machine(replace(CPU, system=f"{CPU.system}.{name}")) for name in "ab"}
    cluster = FakeCluster([A, B], machines=machines)
    seen = {o.environment for o in make_executor(cluster).run(names(20))}
    assert seen == {machine.environment for machine in machines.values()}


def test_machines_of_another_kind_are_left_out_by_name() -> None:
    another = machine(replace(CPU, python="3.13.1"))
    told: list[str] = []
    cluster = FakeCluster([A, B, C], machines={"b": another})
    executor = make_executor(cluster, told)
    assert executor.environment == CPU
    assert len(list(executor.run(names(20)))) == 20
    assert {seat.node.name for seat, _ in cluster.sent} == {"a", "c"}
    (line,) = told
    assert line.startswith("b is left out: it is cpu-")
    assert "py3.13" in line


def test_machines_that_come_later_are_taken_if_they_are_of_the_kind() -> None:
    def answer(seat: Seat, jobs: list[Job]) -> Iterable[Outcome]:
        cluster.alive = [A, B, C]
        cluster.clock += LOOK
        return map(make_outcome, jobs)

    told: list[str] = []
    another = machine(replace(CPU, python="3.13.1"))
    cluster = FakeCluster([A], answer, machines={"c": another})
    assert len(list(make_executor(cluster, told).run(names(80)))) == 80
    assert {seat.node.name for seat, _ in cluster.sent} == {"a", "b"}
    assert [line.split(":")[0] for line in told] == ["c is left out"]


def test_a_machine_that_is_busy_is_not_waited_for_for_ever() -> None:
    class Busy(FakeCluster):
        def start(self, seat: Seat) -> None:
            super().start(seat)
            if seat.node is B:
                self.events[seat.name].clear()

    cluster = Busy([A, B])
    executor = make_executor(cluster)
    assert cluster.clock > SETTLE
    assert len(list(executor.run(names(9)))) == 9


def test_waiting_for_any_machine_is_told() -> None:
    class Slow(FakeCluster):
        def listen(self, seconds: float) -> Sequence[Event]:
            self.clock += seconds
            return super().listen(seconds) if self.clock > 100 else []

    told: list[str] = []
    make_executor(Slow([A]), told)
    assert told == ["no machine of the cluster is free yet; each is asked for as a whole"]


def test_other_versions_than_here_are_told_and_decide() -> None:
    here = resolve_versions(("numpy", "nobody"))
    told: list[str] = []
    other = machine(numpy="1.0", nobody="7")
    cluster = FakeCluster([A, B], machines={"a": other, "b": other})
    executor = make_executor(cluster, told, packages=("numpy", "nobody"))
    assert sorted(told) == [
        "a, b: nobody is 7 there, and missing here",
        f"a, b: numpy is 1.0 there, and {here['numpy'] or 'missing'} here",
    ]
    assert executor.resolve(("numpy",)) == {"numpy": "1.0", "python": here["python"]}


# How it is asked for


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from wiki_tools.cli import app

    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    docs = Path(__file__).parent / "wikis" / "minimal"
    with pytest.raises(UsageError, match=r"pip install 'wiki_tools\[ray\]'"):
        CliRunner().invoke(
            app, ["verify", "--docs", str(docs), "--executor", "ray"], catch_exceptions=False
        )


# The law: where jobs run does not change what becomes of them


WIKIS = ("minimal", "failing", "crashing")


def become(executor: Executor) -> dict[str, object]:
    """What an executor makes of every snippet, times and machines apart."""
    found: dict[str, object] = {}
    for wiki in WIKIS:
        config = read_config(TESTS / "wikis" / wiki)
        snippets = extract_all(config, read_pages(config))
        verifier = Verifier(config=config, environment=CPU, folder="local", executor=executor)
        for evidence in verifier.run(snippets):
            trace = re.sub(r"\d+ frames", "frames", evidence.outcome.traceback)  # it varies
            outcome = replace(evidence.outcome, seconds=0.0, held=(), traceback=trace)
            found[f"{wiki}/{evidence.snippet}"] = (evidence.choice, outcome)
    return found


@pytest.fixture(scope="module")
def on_this_machine() -> Iterator[tuple[LocalExecutor, dict[str, object]]]:
    with LocalExecutor(make_config(), jobs=2) as local:
        yield local, become(local)


def test_a_fake_and_a_cluster_make_of_jobs_what_this_machine_does(
    on_this_machine: tuple[LocalExecutor, dict[str, object]],
) -> None:
    local, expected = on_this_machine
    assert {type(value) for value in expected.values()} == {tuple}
    cluster = FakeCluster([A, B], lambda _seat, jobs: list(local.run(jobs)))
    assert become(make_executor(cluster)) == expected
    assert become(FakeExecutor(lambda each: next(local.run([each])))) == expected


# With Ray itself: two nodes on this machine, one of which is killed


@dataclass(frozen=True)
class Nodes:
    """A cluster that was joined; the second node has a card, as far as Ray knows."""

    cluster: RayCluster
    second: str
    """Its id."""
    kill_second: Callable[[], None]
    told: list[str]

    @contextlib.contextmanager
    def executor(self, device: str = "cpu") -> Iterator[RayExecutor]:
        """Makes an executor, and gives its seats to the next one."""
        made = RayExecutor(self.cluster, device=device, tell=self.told.append)
        yield made
        self.cluster.stop([station.seat for station in made._stations.taken.values()], PATIENCE)


def in_hand(executor: RayExecutor, node: str) -> list[str]:
    """What a node has been given and not answered."""
    stations = executor._stations.taken.values()
    return [name for s in stations if s.seat.node.id == node for name in s.hand]


def processes_of(folder: Path) -> list[str]:
    """Command lines of the processes that work in a folder or are told of it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if str(folder) in line or str(folder) in str((entry / "cwd").readlink()):
                found.append(line)
    return found


def with_torch_for_cards(folder: Path) -> Path:
    """A folder whose metadata say, to the nodes' processes, that torch is not built for CPUs."""
    metadata = folder / "packages" / "torch-2.13.0.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0\n")
    return folder / "packages"


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Starts two nodes and joins them; leaves no process and no file, whatever happens."""
    from ray.cluster_utils import Cluster

    folder = Path(tempfile.mkdtemp(prefix="wiki-ray-"))  # a socket's path must be short
    told: list[str] = []
    kit = Kit(config=make_config(), modules={"docs/ours.py": b"x = 1\n"})
    small = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    small |= {"include_log_monitor": False, "no_monitor": True}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("TMPDIR", str(folder))
        with_card(patch, folder, "NVIDIA H200, 9.0, 570.86.15")
        patch.setenv("PYTHONPATH", str(with_torch_for_cards(folder)))
        cluster = Cluster()
        try:
            cluster.add_node(**small)
            second = cluster.add_node(**small, num_gpus=1)
            patch.setenv("RAY_ADDRESS", cluster.address)
            kill = functools.partial(cluster.remove_node, second, allow_graceful=False)
            with join_cluster(kit, told.append) as joined:
                yield Nodes(joined, second.node_id, kill, told)
        finally:
            cluster.shutdown()
            left = eventually(lambda: not processes_of(folder)) or processes_of(folder)
            shutil.rmtree(folder, ignore_errors=True)
    assert left is True


@needs_ray
def test_ray_makes_of_jobs_what_this_machine_does(
    nodes: Nodes, on_this_machine: tuple[LocalExecutor, dict[str, object]]
) -> None:
    _, expected = on_this_machine
    folders = (str(make_config().docs),)
    with nodes.executor() as executor:
        assert become(executor) == expected
        (outcome,) = executor.run([job("from ours import x\nassert x == 1", folders=folders)])
    assert outcome.message == ""
    assert nodes.told == []


@needs_ray
def test_ray_gives_a_card_to_whom_it_asks_one_for(nodes: Nodes) -> None:
    assert sorted((n.cpus, n.gpus) for n in nodes.cluster.nodes()) == [(1, 0), (1, 1)]
    code = 'import os\nassert os.environ["CUDA_VISIBLE_DEVICES"] == "0"'
    with nodes.executor("cuda") as executor:
        (outcome,) = executor.run([job(code, device="cuda")])
    assert outcome.message == ""
    assert outcome.environment is not None
    assert outcome.environment.device_name == "NVIDIA H200"


@needs_ray
def test_a_node_that_is_killed_half_way_loses_nothing_and_repeats_nothing(nodes: Nodes) -> None:
    seen: Counter[str] = Counter()
    jobs = [job("import time\ntime.sleep(0.2)", name=f"page#{n}") for n in range(24)]
    killed = False
    with nodes.executor() as executor:
        for outcome in executor.run(jobs):
            assert outcome.status is Status.PASSED
            assert outcome.environment == executor.environment
            seen[outcome.snippet] += 1
            if seen.total() >= 8 and not killed and len(in_hand(executor, nodes.second)) > 1:
                nodes.kill_second()
                killed = True
    assert seen == {each.snippet: 1 for each in jobs}
    again = re.compile(r"was lost: .*; [1-4] of its jobs run again")
    assert any(again.search(line) for line in nodes.told)
