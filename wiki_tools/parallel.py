"""Does work on many items on all cores, where there are enough of both."""

import contextlib
import marshal
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from wiki_tools.errors import WorkerError

CHUNKS = 8
"""Chunks for each core: the last one to end keeps the others waiting for an eighth."""
_AHEAD = 2
"""Chunks that a child knows of: while one's result is being read it does the next."""
_SIZE = 8
"""Bytes of an index."""

Work = Callable[[int, int], Any]
"""Does the items from one index to another, the end left out; `marshal` has to be able to write
what it returns."""


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

    Python's own pool of processes is not used: it leaves them waiting for ever where this one is
    killed, and may wait for ever itself where Ctrl-C ends them.

    Raises:
        WorkerError: a child was killed.
    """
    with spreading(work, count, least=least) as results:
        yield from results


@contextlib.contextmanager
def spreading(work: Work, count: int, *, least: int) -> Iterator[Iterator[Any]]:
    """Begin what `spread` does: until its results are asked for, this process is free."""
    workers = min(cores(), count)
    alone = hasattr(os, "fork") and threading.active_count() == 1
    if count < least or workers < 2 or not alone:
        yield map(work, (0,), (count,))
        return
    size = max(1, -(-count // (workers * CHUNKS)))
    chunks = [(start, min(start + size, count)) for start in range(0, count, size)]
    crew: list[_Child] = []
    try:
        _hire(crew, work, min(workers, len(chunks)))
        yield _Results(crew, chunks).in_order() if crew else map(work, (0,), (count,))
    finally:
        for child in crew:
            child.end()


class _Child(NamedTuple):
    """A process that does chunks, and ends where nobody asks for more."""

    pid: int
    asks: int
    """Where indices are written to."""
    answers: int

    def ask(self, chunk: tuple[int, int]) -> None:
        try:
            os.write(self.asks, b"".join(index.to_bytes(_SIZE) for index in chunk))
        except BrokenPipeError:
            raise _killed() from None

    def answer(self) -> tuple[bool, Any]:
        """What the first chunk came to that is not answered yet, and whether it came to it."""
        row: tuple[bool, Any] = marshal.loads(
            _read(self.answers, int.from_bytes(_read(self.answers, _SIZE)))
        )
        return row

    def end(self) -> None:
        """End it; it has nothing to save: what it did is here, or not wanted any more."""
        os.close(self.asks)
        os.close(self.answers)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _read(end: int, size: int) -> bytes:
    """Just as many bytes: a pipe gives them piece by piece."""
    pieces = []
    while size:
        piece = os.read(end, min(size, 1 << 20))
        if not piece:
            raise _killed()
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _killed() -> WorkerError:
    message = "a process of this command was killed: is there enough memory for two of them?"
    return WorkerError(message)


class _Results:
    """Asks for each chunk whoever has the least to do."""

    def __init__(self, crew: Sequence[_Child], chunks: Sequence[tuple[int, int]]) -> None:
        """Ask for the first chunks."""
        self._crew, self._count = crew, len(chunks)
        self._todo = iter(enumerate(chunks))
        self._asked: dict[int, list[int]] = {child.pid: [] for child in crew}
        """Chunks that a child was asked for, in that order."""
        self._done: dict[int, tuple[bool, Any]] = {}
        for child in list(crew) * _AHEAD:
            self._ask_next(child)

    def in_order(self) -> Iterator[Any]:
        """What the chunks come to, in their order."""
        import selectors

        with selectors.DefaultSelector() as selector:
            for child in self._crew:
                selector.register(child.answers, selectors.EVENT_READ, child)
            for number in range(self._count):
                while number not in self._done:
                    for key, _ in selector.select():
                        if self._take(key.data):
                            selector.unregister(key.fileobj)
                good, value = self._done.pop(number)
                if not good:
                    import pickle

                    raise pickle.loads(value)
                yield value

    def _take(self, child: _Child) -> bool:
        """Take an answer of a child; says whether it was its last one."""
        mine = self._asked[child.pid]
        self._done[mine.pop(0)] = child.answer()
        self._ask_next(child)
        return not mine

    def _ask_next(self, child: _Child) -> None:
        for number, chunk in self._todo:
            child.ask(chunk)
            self._asked[child.pid].append(number)
            return


def _hire(crew: list[_Child], work: Work, number: int) -> None:
    """Start children, or as many as the system allows.

    Ctrl-C waits meanwhile: every child has to be known, and none may act on it as we do.
    """
    steering = {signal.SIGINT, signal.SIGTERM}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, steering)
    try:
        for _ in range(number):
            crew.append(_start(work, crew, mask))
    except OSError:  # too many processes, or too little memory
        return
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _start(work: Work, others: Sequence[_Child], mask: Iterable[int]) -> _Child:
    """Fork a child; the ends of the others' pipes that it inherits would keep those alive."""
    asks, asks_here = os.pipe()
    answers_here, answers = os.pipe()
    pid = os.fork()
    if pid:
        os.close(asks)
        os.close(answers)
        return _Child(pid, asks_here, answers_here)
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)  # they end it without a traceback
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for end in (asks_here, answers_here, *(end for child in others for end in child[1:])):
            os.close(end)
        _serve(work, asks, answers)
    finally:
        os._exit(1)  # whatever happens, a child does not go on with what its parent does


def _serve(work: Work, asks: int, answers: int) -> None:
    """Do what is asked for until nobody is there to ask."""
    import gc

    gc.disable()  # a child lives for seconds and makes no cycles
    with open(answers, "wb") as stream:
        while len(data := os.read(asks, 2 * _SIZE)) == 2 * _SIZE:
            start, stop = (int.from_bytes(half) for half in (data[:_SIZE], data[_SIZE:]))
            packed = _packed(work, start, stop)
            stream.write(len(packed).to_bytes(_SIZE))
            stream.write(packed)
            stream.flush()


def _packed(work: Work, start: int, stop: int) -> bytes:
    try:
        return marshal.dumps((True, work(start, stop)))
    except Exception as error:
        import pickle  # takes longer to import than it is worth where all goes well

        return marshal.dumps((False, pickle.dumps(error)))
