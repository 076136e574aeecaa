import os
import signal
import threading

import pytest

from wiki_tools import parallel
from wiki_tools.errors import WorkerError
from wiki_tools.parallel import spread


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
def test_without_semaphores_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_start_pool", lambda _work, _workers: None)
    (rows,) = spread(numbers, 40, least=1)
    assert {pid for _, pid in rows} == {os.getpid()}


def test_at_least_one_core_is_there() -> None:
    assert parallel.cores() >= 1
