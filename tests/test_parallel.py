import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from wiki_tools import parallel
from wiki_tools.errors import WorkerError
from wiki_tools.parallel import spread, spreading


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 3)


def numbers(start: int, stop: int) -> list[tuple[int, int]]:
    return [(number, os.getpid()) for number in range(start, stop)]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("count", [2, 3, 100, 1001])
def test_every_item_is_done_once_and_in_order(count: int) -> None:
    rows = [row for rows in spread(numbers, count, least=1) for row in rows]
    assert [number for number, _ in rows] == list(range(count))
    assert os.getpid() not in {pid for _, pid in rows}


@pytest.mark.usefixtures("three")
def test_few_items_are_done_here() -> None:
    (rows,) = spread(numbers, 5, least=6)
    assert {pid for _, pid in rows} == {os.getpid()}


@pytest.mark.usefixtures("three")
def test_children_inherit_what_the_work_refers_to() -> None:
    held = object()  # which cannot be pickled by value
    chunks = spread(lambda start, stop: [id(held)] * (stop - start), 40, least=1)
    assert {value for chunk in chunks for value in chunk} == {id(held)}


@pytest.mark.usefixtures("three")
def test_what_goes_wrong_in_a_child_is_raised_here() -> None:
    def fail(start: int, _stop: int) -> None:
        raise ValueError(start)

    with pytest.raises(ValueError, match="0"):
        list(spread(fail, 30, least=1))


@pytest.mark.usefixtures("three")
def test_beside_another_thread_nothing_is_forked() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        (rows,) = spread(numbers, 40, least=1)
    finally:
        done.set()
        thread.join()
    assert {pid for _, pid in rows} == {os.getpid()}


@pytest.mark.usefixtures("three")
def test_a_killed_child_is_told_in_words() -> None:
    def die(_start: int, _stop: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerError, match="was killed"):
        list(spread(die, 30, least=1))


@pytest.mark.usefixtures("three")
def test_where_no_process_can_be_started_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    (rows,) = spread(numbers, 40, least=1)
    assert {pid for _, pid in rows} == {os.getpid()}


@pytest.mark.usefixtures("three")
def test_large_results_come_back_whole_from_children_that_are_slow_in_turn() -> None:
    def work(start: int, stop: int) -> bytes:
        time.sleep(0.02 * (start % 3))
        return b"%d" % start * 300_000 * (stop - start)

    found = list(spread(work, 48, least=1))
    assert found == [b"%d" % start * 300_000 for start in range(48)]


@pytest.mark.usefixtures("three")
def test_children_go_on_while_nobody_reads_what_they_did(tmp_path: Path) -> None:
    def work(start: int, stop: int) -> bytes:
        (tmp_path / str(start)).touch()
        return bytes(1_000_000 * (stop - start))  # more than a pipe holds

    with spreading(work, 24, least=1) as found:
        patience = time.monotonic() + 20
        while len(list(tmp_path.iterdir())) < 24:
            assert time.monotonic() < patience
            time.sleep(0.01)
        assert [len(data) for data in found] == [1_000_000] * 24


@pytest.mark.usefixtures("three")
def test_a_result_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(ValueError, match="unmarshallable"):
        list(spread(lambda _start, _stop: lambda: None, 30, least=1))


@pytest.mark.usefixtures("three")
def test_who_stops_listening_leaves_no_process() -> None:
    found = spread(numbers, 1000, least=1)
    pids = {pid for _, pid in next(found)}
    found.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


STOPPED = """
import os, sys, time
from wiki_tools import parallel
parallel.cores = lambda: 3
def work(start, stop):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(0.1)
list(parallel.spread(work, 3000, least=1))
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for its processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("together", [True, False])
def test_no_signal_leaves_a_process_or_waits(number: signal.Signals, together: bool) -> None:
    command = [sys.executable, "-c", STOPPED]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    assert run.stdout
    pids = {int(run.stdout.readline()) for _ in range(3)}
    (os.killpg if together else os.kill)(run.pid, number)
    run.communicate(timeout=20)  # which waits for the children too: they hold its pipes
    assert run.returncode
    patience = time.monotonic() + 20
    while any(map(is_running, pids)):
        assert time.monotonic() < patience
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"  # ended; nobody has asked yet how


def test_at_least_one_core_is_there() -> None:
    assert parallel.cores() >= 1
