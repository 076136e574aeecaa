"""Does work on many items on all cores, where there are enough of both."""

import contextlib
import marshal
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple

from wiki_tools.errors import WorkerError

_CHUNKS = 32
"""Chunks for each core: the last one to end keeps the others waiting for a 32nd of the time."""
_MOST = 32
"""Children at most."""
_ALL = 256
"""Chunks at most: they fit into the smallest pipe that Linux makes, of 4 KiB."""
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
def spreading(work: Work, count: int, *, least: int, busy: bool = False) -> Iterator[Iterator[Any]]:
    """Begin what `spread` does: until its results are asked for, this process is free.

    Where it will be as `busy` as its children, there is one less of them: each takes a copy of
    all that it looks at, since looking counts references.
    """
    workers = min(cores() - busy, count, _MOST)
    alone = hasattr(os, "fork") and threading.active_count() == 1
    if count < least or workers < 2 - busy or not alone:
        yield map(work, (0,), (count,))
        return
    size = -(-count // min(workers * _CHUNKS, _ALL))
    chunks = [(start, min(start + size, count)) for start in range(0, count, size)]
    crew: list[_Child] = []
    try:
        _hire(crew, work, chunks, min(workers, len(chunks)))
        yield _in_order(crew, chunks) if crew else map(work, (0,), (count,))
    finally:
        for child in crew:
            child.end()


class _Child(NamedTuple):
    """A process that does chunks until there are none left."""

    pid: int
    answers: int
    """Where its results are read from."""

    def answer(self) -> tuple[int, bool, Any] | None:
        """Where a chunk begins, whether it came to something, and to what; None at the end."""
        start, size = (int.from_bytes(_read(self.answers, _SIZE)) for _ in range(2))
        return (start, *marshal.loads(_read(self.answers, size))) if size else None

    def end(self) -> None:
        """End it; it has nothing to save: what it did is here, or not wanted any more."""
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


def _in_order(crew: Sequence[_Child], chunks: Sequence[tuple[int, int]]) -> Iterator[Any]:
    """What the chunks come to, in their order."""
    import selectors

    done: dict[int, tuple[bool, Any]] = {}
    with selectors.DefaultSelector() as selector:
        for child in crew:
            selector.register(child.answers, selectors.EVENT_READ, child)
        for start, _ in chunks:
            while start not in done:
                for key, _ in selector.select():
                    answer = key.data.answer()
                    if answer is None:
                        selector.unregister(key.fileobj)
                    else:
                        done[answer[0]] = answer[1:]
            good, value = done.pop(start)
            if not good:
                import pickle

                raise pickle.loads(value)
            yield value


def _hire(crew: list[_Child], work: Work, chunks: Sequence[tuple[int, int]], number: int) -> None:
    """Start children, or as many as the system allows; whoever is free takes the next chunk.

    Ctrl-C waits meanwhile: every child has to be known, and none may act on it as we do.
    """
    tasks, end = os.pipe()
    os.write(end, b"".join(index.to_bytes(_SIZE) for chunk in chunks for index in chunk))
    os.close(end)
    steering = {signal.SIGINT, signal.SIGTERM}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, steering)
    try:
        for _ in range(number):
            crew.append(_start(work, tasks, crew, mask))
    except OSError:  # too many processes, or too little memory
        return
    finally:
        os.close(tasks)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _start(work: Work, tasks: int, others: Sequence[_Child], mask: Iterable[int]) -> _Child:
    """Fork a child; the ends of the others' pipes that it inherits would keep those alive."""
    answers_here, answers = os.pipe()
    pid = os.fork()
    if pid:
        os.close(answers)
        return _Child(pid, answers_here)
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)  # they end it without a traceback
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for end in (answers_here, *(child.answers for child in others)):
            os.close(end)
        _serve(work, tasks, answers)
    finally:
        os._exit(1)  # whatever happens, a child does not go on with what its parent does


def _serve(work: Work, tasks: int, answers: int) -> None:
    """Do chunks until there are none left."""
    import gc

    gc.disable()  # a child lives for seconds and makes no cycles
    ready: SimpleQueue[tuple[bytes, bytes]] = SimpleQueue()
    sender = threading.Thread(target=_send, args=(answers, ready))
    sender.start()
    while data := os.read(tasks, 2 * _SIZE):
        begin, end = data[:_SIZE], data[_SIZE:]
        ready.put((begin, _packed(work, int.from_bytes(begin), int.from_bytes(end))))
    ready.put((bytes(_SIZE), b""))
    sender.join()


def _send(answers: int, ready: "SimpleQueue[tuple[bytes, bytes]]") -> None:
    """Send what is ready, up to what is empty, while more is done: who reads it may be busy."""
    try:
        with open(answers, "wb") as stream:
            packed = b"?"
            while packed:
                begin, packed = ready.get()
                stream.write(begin + len(packed).to_bytes(_SIZE))
                stream.write(packed)
                stream.flush()
    except BrokenPipeError:  # nobody is there any more
        os._exit(1)


def _packed(work: Work, start: int, stop: int) -> bytes:
    try:
        return marshal.dumps((True, work(start, stop)))
    except Exception as error:
        import pickle  # takes longer to import than it is worth where all goes well

        return marshal.dumps((False, pickle.dumps(error)))
