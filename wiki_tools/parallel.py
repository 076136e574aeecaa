"""Does work on many items on all cores, where there are enough of both."""

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

from wiki_tools.errors import WorkerError

CHUNKS = 8
"""Chunks for each core: the last one to end keeps the others waiting for an eighth."""

Work = Callable[[int, int], Any]
"""Does the items from one index to another, the end left out; what it returns is pickled."""


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Work, count: int, *, least: int) -> Iterator[Any]:
    """Do work on `count` items, chunk by chunk, and give the results in order.

    Below `least` items, on one core or where the system cannot fork, it is done here; so it is
    beside other threads, as those of a server: a fork may inherit a lock that one of them holds,
    and wait for it forever. A forked child inherits all that `work` refers to, so that nothing
    but indices is sent to it.

    Raises:
        WorkerError: a child was killed.
    """
    workers = min(cores(), count)
    alone = hasattr(os, "fork") and threading.active_count() == 1
    if count < least or workers < 2 or not alone:
        yield work(0, count)
        return
    size = max(1, -(-count // (workers * CHUNKS)))
    starts = range(0, count, size)
    pool = _start_pool(work, workers)
    if pool is None:
        yield work(0, count)
        return
    from concurrent.futures import BrokenExecutor

    try:
        yield from pool.map(_do, ((start, min(start + size, count)) for start in starts))
    except BrokenExecutor:
        message = "a process of this command was killed: is there enough memory for two of them?"
        raise WorkerError(message) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _start_pool(work: Work, workers: int) -> Any:
    """A pool whose children are forked; None where the system has no semaphores for it."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    try:
        context = multiprocessing.get_context("fork")
        return ProcessPoolExecutor(workers, context, initializer=_adopt, initargs=(work,))
    except (OSError, ImportError, ValueError):
        return None


_adopted: list[Work] = []
"""In a child: what it was forked to do."""


def _adopt(work: Work) -> None:
    import gc
    import signal

    gc.disable()  # the children live for seconds and make no cycles
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends them without a traceback each
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _adopted[:] = [work]


def _do(chunk: tuple[int, int]) -> Any:
    return _adopted[0](*chunk)
