"""A parent that has imported the frameworks, and forks a child for each job.

It only imports: one operation of torch or JAX in this process and it refuses to fork. Orders come
in on a socket, endings go out; what they mean is for whoever is at the other end. It watches its
children: time, memory, what they print, and what they leave behind.
"""

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Container

from wiki_tools.protocol import Cell, Job, encode
from wiki_tools.worker import limits
from wiki_tools.worker.ahead import prepare, restore
from wiki_tools.worker.child import run_job
from wiki_tools.worker.mailbox import Mailbox
from wiki_tools.worker.memory import use_large_pages
from wiki_tools.worker.order import TOGETHER, Order, Ready
from wiki_tools.worker.program import forget_programs
from wiki_tools.worker.sandbox import kernel
from wiki_tools.worker.sandbox.inside import Sandbox
from wiki_tools.worker.scratch import remove_scratch
from wiki_tools.worker.state import is_untouched, prepare_threads, why_touched
from wiki_tools.worker.surroundings import enter_environment
from wiki_tools.worker.task import TRACE_SIGNAL, Task

REHEARSALS = 10
"""Python rewrites a function for the types that it sees once it has run eight times."""
REHEARSED = "total = sum(range(4))\nassert total == 6"
PASSED = b'"status":"passed"'
"""What an outcome says, as the wire spells it, of a snippet that passed."""
TRACE = 3
"""Descriptor that faulthandler writes to."""
TICK = 0.25
"""Seconds between two looks at the memory of the children."""
MANY = 25
"""Forks after which large pages will pay."""
TIMING = "wiki_tools.worker.timing"
"""Imported when the first child needs it: 10 to 50 ms, which most parents do without."""
MODULES = {
    "jax": ("jax", "jax.numpy"),
    "torch.compile": ("torch._dynamo", "torch._inductor.compile_fx"),  # 3 s
}
"""What to import for a framework, where that is not one module of its name."""


_exit = os._exit
"""As it was before a snippet ran."""


class TouchedError(Exception):
    """This process must not fork: a child would lack its threads, or what it has of a device."""


def preload(frameworks: tuple[str, ...], folder: str) -> None:
    """Import what children will need; what is not installed is theirs to miss.

    Args:
        frameworks: what to import.
        folder: where the rehearsal may write.

    Raises:
        TouchedError: one of them does more than that.
    """
    gc.disable()  # of what an import makes, little is garbage, and looking for it takes a tenth
    for name in frameworks:
        try:
            for module in MODULES.get(name, (name,)):
                importlib.import_module(module)
        except Exception:  # a broken package is reported by the snippet that needs it
            traceback.print_exc()
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called")  # JAX, at every fork
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random")  # 12 ms, which numpy puts off until it is used
        prepare_threads()
    if touched := why_touched():
        raise TouchedError(f"after its imports: {touched}")
    rehearse(folder)
    gc.freeze()  # a collection in a child would copy every page of the parent's memory


def rehearse(folder: str) -> None:
    """Run a job that does nothing as a child would, so that what Python keeps is filled already.

    Each child would fill it for itself, and copy the memory that it lies in: 150 pages.
    """
    main, mailbox = sys.modules["__main__"], Mailbox()
    data = prepare(Job(snippet="", cells=(Cell(role="pattern", code=REHEARSED),)), folder)
    with warnings.catch_warnings():
        for _ in range(REHEARSALS):
            job, plan = restore(data)
            enter_environment(job, folder)
            run_job(job, folder, mailbox.send, mailbox.watch, plan)
            forget_programs()
    told = mailbox.take()
    if len(told) != REHEARSALS or not all(PASSED in message for message in told):
        raise RuntimeError(f"a rehearsal did not pass: {told}")
    limits.data_bytes()
    os.unlink(plan.layout.file)  # noqa: PTH108 - as everywhere here
    mailbox.close()
    sys.modules["__main__"] = main


def keep_trace(wire: int) -> int:
    """Have faulthandler write to descriptor 3, which is each child's own; here, to our log.

    Gives the descriptor that `wire` has afterwards.
    """
    if wire == TRACE:
        wire = os.dup(wire)
    os.dup2(2, TRACE)
    faulthandler.enable(TRACE, all_threads=False)
    faulthandler.register(TRACE_SIGNAL, TRACE, all_threads=False)
    return wire


class Zygote:
    """The loop around a socket and the running children.

    Whatever it touches between two forks is copied for each child, 3 µs a page of memory: it does
    little, in few functions and with few objects.
    """

    def __init__(self, wire: int, folder: str, sandbox: Sandbox, jobs: int) -> None:
        self._wire = wire
        self._folder = folder
        self._sandbox = sandbox
        self._jobs = jobs
        self._received = b""
        self._orders: deque[Order] = deque()
        self._tasks: dict[int, Task] = {}
        """Every child that there is."""
        self._spares: deque[Task] = deque()
        """Those that wait for room to run in."""
        self._poll = select.epoll()
        self._watched: dict[int, Callable[[], None]] = {}
        """What to do when a descriptor can be read."""
        self._forks = 0
        self._open = True
        self._ticked = 0.0
        self._asked_by = os.getppid()

    def serve(self) -> None:
        """Run jobs until the other end hangs up; leave no process and no folder behind.

        Raises:
            TouchedError: this process must not fork.
        """
        kernel.adopt_orphans()
        self._watch(self._wire, self._receive)
        try:
            ready = Ready(held=self._sandbox.held, refused=self._sandbox.refused)
            self._reply(encode(ready).encode("ascii") + b"\n")
            while self._open:
                for descriptor, _ in self._poll.poll(self._patience()):
                    if (act := self._watched.get(descriptor)) is not None:
                        act()
        finally:
            for task in self._tasks.values():
                task.kill()
            kill_children(())
            self._sandbox.close()
            if not self._open:  # else whoever asked wants to read the log
                self._clear()

    def _watch(self, descriptor: int, act: Callable[[], None]) -> None:
        self._poll.register(descriptor, select.EPOLLIN)
        self._watched[descriptor] = act

    def _unwatch(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        del self._watched[descriptor]

    def _clear(self) -> None:
        """Remove this worker's folder, and the one around it where whoever asked was killed."""
        remove_scratch(self._folder)
        if os.getppid() == self._asked_by:
            return
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(self._folder))  # noqa: PTH106, PTH120 - as everywhere here

    def _patience(self) -> float | None:
        """Seconds until some child has to be looked at, after a look at those that are due."""
        if not self._tasks:
            return None
        now = time.monotonic()
        if now - self._ticked > TICK:
            self._ticked = now
            shared = limits.resident_bytes(os.getpid())
            for task in self._tasks.values():
                task.check_use(shared)
        nearest = TICK
        for task in self._tasks.values():
            task.check_time(now)
            nearest = min(nearest, task.deadline - now)
        return max(nearest, 0.0)

    def _receive(self) -> None:
        try:
            data = os.read(self._wire, 1 << 20)
        except ConnectionResetError:  # hung up without reading all that we said
            data = b""
        if not data:
            self._open = False
            return
        data = self._received + data
        at = 0
        while (read := Order.unpack(data, at)) is not None:
            order, at = read
            self._orders.append(order)
        self._received = data[at:]
        self._start_next()

    def _reply(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._wire, data) :]
        except OSError:  # whoever asked has gone
            self._open = False

    def _start_next(self) -> None:
        """Start what there is room for.

        Raises:
            TouchedError: this process has threads, which a child would lack.
        """
        if self._orders and not is_untouched():
            raise TouchedError("an operation has run in the preloaded parent")
        while len(self._tasks) - len(self._spares) < self._jobs:
            if not self._spares:
                self._fork(TOGETHER if self._sandbox.shields else 1)
            if not self._spares:
                return
            self._begin(self._spares.popleft())

    def _fork(self, most: int) -> None:
        """Fork children for the next orders, one right after another: those that wait are spares.

        What this process touches after a fork, it copies. So it pays to do nothing else between
        two of them: 230 pages of memory a child become 90.
        """
        orders = [self._orders.popleft() for _ in range(min(most, len(self._orders)))]
        if any(order.times for order in orders) and TIMING not in sys.modules:
            importlib.import_module(TIMING)
            gc.freeze()
        tasks = [Task.prepare(o, f"{self._folder}/{o.number}", self._sandbox) for o in orders]
        if self._forks < MANY <= self._forks + len(tasks):
            use_large_pages()
        self._forks += len(tasks)
        parent = os.getpid()
        for task in tasks:
            task.mailbox.share(True)
            task.pid = os.fork()
            if task.pid == 0:
                become_child(task, parent)
            task.mailbox.share(False)
        for task in tasks:
            task.exit = os.pidfd_open(task.pid)
            self._tasks[task.pid] = task
        self._spares += tasks

    def _begin(self, task: Task) -> None:
        task.begin()
        self._watch(task.exit, lambda: self._finish(task))
        self._watch(task.output, task.drain)

    def _finish(self, task: Task) -> None:
        """Take in a child that has ended, and everything that it left."""
        del self._tasks[task.pid]
        self._unwatch(task.exit)
        self._unwatch(task.output)
        task.reap()
        kill_children(self._tasks)
        self._sandbox.sweep(min((each.began for each in self._tasks.values()), default=None))
        task.drain()
        ending = task.ending()
        task.release()
        self._sandbox.release(task.guard)
        self._start_next()
        task.clear()
        if not self._tasks:
            self._sandbox.trim()
        self._reply(ending)


def kill_children(spared: Container[int]) -> None:
    """Kill and reap every child but those; orphans of a killed one become children in turn."""
    end = 0.0
    while stray := [pid for pid in limits.children() if pid not in spared]:
        for pid in stray:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue
        now = time.monotonic()
        end = end or now + 5
        if now > end:
            break


def become_child(task: Task, parent: int) -> None:
    """Turn this forked process into the job's own, run it and end; never returns."""
    code = 70
    try:
        os.setsid()
        if parent != 1:  # process 1 of a namespace takes all others with it
            limits.die_with_parent(parent)
        kernel.adopt_orphans()
        mailbox = task.mailbox
        job, plan = restore(task.order.job)
        enter(task, job)
        run_job(job, task.folder, mailbox.send, mailbox.watch, plan)
        code = 0
    except BaseException:  # said in the mailbox: it is the worker's fault, not the snippet's
        report_breakdown(task.mailbox)
    finally:
        _exit(code)


def enter(task: Task, job: Job) -> None:
    """Take on a job's descriptors, limits and environment; standard input is empty already."""
    os.dup2(task.write_end, 1)
    os.dup2(task.write_end, 2)
    os.dup2(task.trace, TRACE)
    limits.limit(job)
    task.guard.enter()
    os.eventfd_read(task.gate)
    os.closerange(TRACE + 1, 1 << 16)
    enter_environment(job, task.folder)
    gc.enable()


def report_breakdown(mailbox: Mailbox) -> None:
    """Tell the parent that the worker itself broke."""
    text = json.dumps({"breakdown": traceback.format_exc()[-4000:]})
    if mailbox.fits(text):
        mailbox.send(text)
