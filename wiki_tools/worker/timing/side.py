"""One of two programs, built once and called as often as it takes."""

import ast
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import CodeType
from typing import Any
from unittest import mock

from wiki_tools.protocol import Cells
from wiki_tools.worker.program import Namespace, compile_tree, parse_cells, run_code
from wiki_tools.worker.state import prepare_threads, seed_everything, set_threads
from wiki_tools.worker.timing import off
from wiki_tools.worker.timing.device import Device
from wiki_tools.worker.timing.fresh import refresh
from wiki_tools.worker.timing.inputs import (
    Kept,
    UnkeptError,
    changed_inputs,
    holds_promise,
    keep_again,
    keep_inputs,
)
from wiki_tools.worker.timing.results import Leaf, UncomparableError, is_means, leaves
from wiki_tools.worker.timing.settings import Settings, put_settings, take_settings
from wiki_tools.worker.timing.split import (
    REPEATS,
    SAVED,
    WAIT,
    Chunk,
    Split,
    loop,
    split_program,
)

Clock = Callable[[], float]
MakeNamespace = Callable[[Cells], Namespace]


PROCESSOR = time.process_time  # taken before any page's code runs
WATCHED = 3
"""Samples after which threads have to be found idle, until nobody looks any more."""
PAUSE = 5e-3
"""Seconds that they are given for it: in more, what is left of their work would not stand out."""


class UnfairError(Exception):
    """Why two programs cannot be compared, in words for a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a side needs of the outside; tests put a fake one here."""

    make_namespace: MakeNamespace
    clock: Clock
    cpu_clock: Clock
    """Seconds that the processors worked for this process, all threads together, or that it
    queued for one."""
    interruptions: Callable[[], int]
    """Counts how often another program got a processor instead."""
    device: Device
    threads: int
    seed: int
    settings: Settings = ()
    """Those of the process before any page's code ran in it."""

    def count_threads(self) -> int:
        """Ask torch for its threads, else numpy's BLAS; without both, what was asked for."""
        torch = sys.modules.get("torch")
        if torch:
            return int(torch.get_num_threads())
        known = prepare_threads() if "numpy" in sys.modules else ()
        return next((get() for get, _ in known), self.threads)


class Side:
    """A program with its set-up done, whose timed statements can be called.

    Raises:
        UnfairError: from every method, where the program raises or cannot be timed.
    """

    def __init__(self, name: str, cells: Cells, off: str, machine: Machine, space: int) -> None:
        """Run its set-up and its first call, behind `space` bytes that are left free."""
        self.name = name
        self.machine = machine
        self.cells = cells
        self.spent: list[tuple[float, float]] = []
        """Seconds of each sample, and those of them that were no sleep."""
        self._unwatched = WATCHED
        self._unwaited = 0.0
        """Seconds that threads have worked behind the last statement."""
        self.threads = machine.threads
        self._off = off
        self._kept: tuple[Kept, ...] = ()
        self.settings: Settings = ()
        """As its set-up and first call left them."""
        self._bound: dict[str, Any] = {}
        start, laid = machine.clock(), machine.device.allocations()
        with self.told():
            self._spacer = bytes(space)  # only holds its memory
            self.namespace, self.split = self._lay_out()
            self.first_call = self._build()
        self.built_in = machine.clock() - start
        """Seconds of set-up and first call."""
        self.on_card = machine.device.allocations() > laid
        """Whether it has laid anything into a card's memory."""

    def sample(self, repeats: int, untimed: int = 0) -> float:
        """Time `repeats` calls, in seconds; what they overwrite is restored outside of it.

        Before them some are made that are not timed.
        """
        take = self._apart if self.restores else self._together
        with self.told(), quiet():
            self.prepare()
            with self.off():
                if untimed:
                    take(untimed)
                    self._restore(k for k in self._kept if k.each_call)
                worked = self.machine.cpu_clock()
                seconds = take(repeats)
            self.spent.append((seconds, self.machine.cpu_clock() - worked))
        self.check_threads()
        return seconds

    def prepare(self) -> None:
        """Set everything as the first call found it."""
        put_settings(self.settings)
        self.restore()
        seed_everything(self.machine.seed)

    def restore(self) -> None:
        """Restore its inputs only."""
        self._restore(self._kept)

    @property
    def restores(self) -> bool:
        """Whether inputs must be restored before each call, and not before each sample only."""
        return any(k.each_call for k in self._kept)

    def check_threads(self) -> None:
        """Refuse code that changes their number in a sample, or leaves work to one."""
        self._watch_threads()
        if self.machine.count_threads() != self.threads:
            raise UnfairError(f"the {self.name} changes the number of threads while it runs")

    def run(self, repeats: int) -> None:
        """Only run the timed statements, as often as that."""
        self.namespace[REPEATS] = range(repeats)
        run_code(self._loop, self.namespace)

    def _watch_threads(self) -> None:
        """Refuse a program that goes on working after its last statement, which nobody times."""
        if not self._unwatched or threading.active_count() == 1:
            return
        worked = PROCESSOR()
        time.sleep(PAUSE)
        worked = PROCESSOR() - worked
        if worked < PAUSE / 50:
            self._unwatched -= 1
            return
        self._unwaited += worked
        if self._unwaited > PAUSE / 4:
            told = f"the {self.name} goes on working in a thread after its last statement"
            raise UnfairError(f"{told}: wait there for what it does")

    def copy(self, space: int) -> "Side":
        """Build the same program once more, behind so many bytes."""
        return Side(self.name, self.cells, self._off, self.machine, space)

    def call(self) -> None:
        """Call it once, as in a sample."""
        self.sample(1)

    def peak(self) -> int:
        """Count the bytes at the peak of one call, above what was there before."""
        with self.told(), quiet():
            self.prepare()
            self._forget()
            with self.off():
                return self.machine.device.peak(lambda: self.run(1))

    def _forget(self) -> None:
        """Let go of what the call before has made: freed within a call, it would count as room."""
        for name in self.split.overwritten - self._bound.keys():
            self.namespace.pop(name, None)

    def results(self) -> tuple[tuple[str, ...], Mapping[str, tuple[Leaf, ...]]]:
        """Give the names that hold the last call's results, and copies of what they hold."""
        reason = "the last statement gives no value"
        for names in self.split.results:
            values = {name: self.namespace.get(name) for name in names}
            try:
                with self.told():
                    found = {n: leaves(value) for n, value in values.items() if not is_means(value)}
            except UncomparableError as error:
                reason = str(error)
                continue
            if any(found.values()):
                return tuple(found), found
        raise UnfairError(f"the {self.name}'s result cannot be compared: {reason}")

    def freshen(self, seeds: int = 1) -> bool:
        """Do the set-up again with a seed that is `seeds` on, and take its values for inputs."""
        with self.told(), quiet():
            put_settings(self.machine.settings)
            namespace, split = self._lay_out()
            with self.off():
                self._run_setup(namespace, split, self.machine.seed + seeds)
            self._restore(self._kept)
            self.namespace.update(self._bound)
            fresh = refresh(self.namespace, namespace)
            self._kept = keep_again(self._kept)
        namespace.clear()  # it would be kept, and its inputs with it
        self._bound = {name: self.namespace[name] for name in self._bound}
        self._keep_bound()
        return fresh

    @contextlib.contextmanager
    def off(self) -> Iterator[None]:
        """Enter what turns the accelerator off, where there is such a thing."""
        with self._context():
            yield

    def _context(self) -> AbstractContextManager[Any]:
        if not self._off:
            return contextlib.nullcontext()
        known: dict[str, Any] = {
            m: sys.modules[m] for m in ("torch", "jax", "numpy") if m in sys.modules
        }
        # `off` is a row of our own table of ablations, never a page's text.
        helpers = {"mock": mock, "contextlib": contextlib, "off": off}
        context = eval(self._off, known | helpers)
        assert isinstance(context, AbstractContextManager)
        return context

    def _lay_out(self) -> tuple[Namespace, Split]:
        namespace = self.machine.make_namespace(self.cells)
        return namespace, split_program(self.cells, parse_cells(self.cells, namespace))

    def _build(self) -> float:
        """Run everything once, in order; gives the seconds of the timed statements."""
        set_threads(self.machine.threads)
        put_settings(self.machine.settings)
        if not self.split.timed:
            raise UnfairError(f"the {self.name} has no statement to time, only definitions")
        with quiet(), self.off():
            rest = self._run_setup(self.namespace, self.split, self.machine.seed)
            kept = keep_inputs(self.namespace)
            self._bound = self._present()
            seconds = sum(self._run_chunk(chunk) for chunk in rest)
        self.settings = take_settings()
        self._kept = changed_inputs(kept)
        self._loop = self._compile_loop()
        self.threads = self.machine.count_threads()
        return seconds

    def _run_setup(self, namespace: Namespace, split: Split, seed: int) -> Sequence[Chunk]:
        """Run what stands before the first timed statement; gives the rest."""
        first = next(i for i, chunk in enumerate(split.chunks) if chunk.timed)
        for chunk in split.chunks[:first]:
            seed_everything((seed + chunk.seed) % 2**32)
            run_code(compile_tree(_module(chunk), namespace), namespace)
        seed_everything(self.machine.seed)
        return split.chunks[first:]

    def _run_chunk(self, chunk: Chunk) -> float:
        code = compile_tree(_module(chunk), self.namespace)
        self.machine.device.synchronise()
        start = self.machine.clock()
        run_code(code, self.namespace)
        self._wait()
        self.machine.device.synchronise()
        seconds = self.machine.clock() - start
        if not chunk.timed:
            self._bound |= self._present()
        return seconds if chunk.timed else 0.0

    def _present(self) -> dict[str, Any]:
        """Give the values that timed statements will rebind, as they are now."""
        return {n: self.namespace[n] for n in self.split.overwritten if n in self.namespace}

    def _keep_bound(self) -> None:
        """Put the values that calls begin with where the loop finds them."""
        for name, value in self._bound.items():
            self.namespace[f"{SAVED}_{name}"] = value

    def _compile_loop(self) -> CodeType:
        self._keep_bound()
        self.namespace[WAIT] = wait_for
        waited = [n for names in self.split.results for n in names if n in self.namespace]
        waited = [n for n in waited if holds_promise(self.namespace[n])]
        return compile_tree(loop(self.split.timed, self._bound, waited), self.namespace)

    def _together(self, repeats: int) -> float:
        self.namespace[REPEATS] = range(repeats)
        self.machine.device.flush()
        self.machine.device.synchronise()
        start = self.machine.clock()
        run_code(self._loop, self.namespace)
        self.machine.device.synchronise()
        return self.machine.clock() - start

    def _apart(self, repeats: int) -> float:
        """Time each call by itself, since its inputs must be restored in between."""
        seconds = 0.0
        for call in range(repeats):
            if call:
                self._restore(k for k in self._kept if k.each_call)
            seconds += self._together(1)
        return seconds

    def _restore(self, kept: Iterator[Kept] | Sequence[Kept]) -> None:
        for one in kept:
            one.restore()

    def _wait(self) -> None:
        for names in self.split.results:
            wait_for(*(self.namespace.get(name) for name in names))

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn what the program raises into why there is no comparison."""
        try:
            yield
        except (UnfairError, UncomparableError):
            raise
        except UnkeptError as error:
            raise UnfairError(f"the {self.name} {error}") from error
        except (Exception, SystemExit) as error:
            words = " ".join(str(error).split()) or "no message"
            told = f"the {self.name} raised {type(error).__name__}: {words:.300}"
            raise UnfairError(told) from error


def _module(chunk: Chunk) -> ast.Module:
    return ast.Module(body=list(chunk.statements), type_ignores=[])


def wait_for(*values: Any) -> None:
    """Wait until every array among the values, nested in any way, is computed."""
    for value in values:
        if hasattr(type(value), "block_until_ready"):
            value.block_until_ready()
        elif isinstance(value, list | tuple):
            wait_for(*value)
        elif isinstance(value, dict):
            wait_for(*value.values())


class _Nowhere:
    """Takes what timed code prints: a loop of it would fill the outcome."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop what is printed; the program's own run has shown it."""
    nowhere: Any = _Nowhere()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield
