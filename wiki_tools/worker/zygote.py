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
import random
import selectors
import shutil
import signal
import socket
import sys
import time
import traceback
import warnings

from wiki_tools.protocol import Cell, Job, Outcome, Output, Status, decode, encode
from wiki_tools.worker import limits
from wiki_tools.worker.child import run_job
from wiki_tools.worker.mailbox import Mailbox
from wiki_tools.worker.order import Order
from wiki_tools.worker.state import is_untouched, prepare_threads
from wiki_tools.worker.surroundings import enter_environment
from wiki_tools.worker.task import TRACE_SIGNAL, Task

TICK = 0.25
"""Seconds between two looks at the memory of the children."""
MODULES = {
    "jax": ("jax", "jax.numpy"),
    "torch.compile": ("torch._dynamo", "torch._inductor.compile_fx"),  # 3 s
}
"""What to import for a framework, where that is not one module of its name."""
READY = '{"ready":true}'


def preload(frameworks: tuple[str, ...]) -> None:
    """Import what children will need; what is not installed is theirs to miss."""
    for name in frameworks:
        try:
            for module in MODULES.get(name, (name,)):
                importlib.import_module(module)
        except Exception:  # a broken package is reported by the snippet that needs it
            traceback.print_exc()
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called")  # JAX, at every fork
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
    rehearse()
    gc.collect()
    gc.freeze()  # a collection in a child would copy every page of the parent's memory
    gc.disable()


def rehearse() -> None:
    """Fill the caches that each child would have to fill for itself: 0.5 ms a child."""
    random.seed(0)
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random")  # 12 ms, which numpy puts off until it is used
        prepare_threads()
    decode(Job, encode(Job(snippet="", cells=(Cell(role="", code=""),), prints="")))
    shown = Output(cell=0, data={"": ""})
    decode(Outcome, encode(Outcome(snippet="", status=Status.PASSED, outputs=(shown,))))


class Zygote:
    """The loop around a socket and the running children."""

    def __init__(self, wire: socket.socket, folder: str) -> None:
        self._wire = wire
        self._folder = folder
        self._received = b""
        self._tasks: dict[int, Task] = {}
        self._selector = selectors.DefaultSelector()
        self._count = 0
        self._open = True
        self._ticked = 0.0
        self._asked_by = os.getppid()

    def serve(self) -> None:
        """Run jobs until the other end hangs up; leave no process and no folder behind."""
        limits.adopt_orphans()
        self._selector.register(self._wire, selectors.EVENT_READ, self._receive)
        try:
            self._reply(READY)
            while self._open:
                for key, _ in self._selector.select(self._patience()):
                    key.data()
                self._check_limits()
        finally:
            for task in self._tasks.values():
                task.kill()
            kill_children(())
            if not self._open:  # else whoever asked wants to read the log
                self._clear()

    def _clear(self) -> None:
        """Remove this worker's folder, and the one around it where whoever asked was killed."""
        shutil.rmtree(self._folder, ignore_errors=True)
        if os.getppid() == self._asked_by:
            return
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(self._folder))  # noqa: PTH106, PTH120 - as everywhere here

    def _patience(self) -> float | None:
        if not self._tasks:
            return None
        nearest = min(task.deadline for task in self._tasks.values())
        return min(max(nearest - time.monotonic(), 0.0), TICK)

    def _receive(self) -> None:
        data = self._wire.recv(1 << 20)
        if not data:
            self._open = False
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            self.start(Order.read(line))

    def _reply(self, text: str) -> None:
        try:
            self._wire.sendall(text.encode("ascii") + b"\n")
        except OSError:  # whoever asked has gone
            self._open = False

    def start(self, order: Order) -> None:
        """Fork a child for an order.

        Raises:
            RuntimeError: this process has threads, which a child would lack.
        """
        if not is_untouched():
            raise RuntimeError("an operation has run in the preloaded parent: it must not fork")
        self._count += 1
        task = Task.prepare(order, f"{self._folder}/{self._count}")
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            for other in self._tasks.values():
                other.mailbox.close()
            become_child(task, parent)
        task.begin(pid)
        self._tasks[pid] = task
        self._selector.register(task.exit, selectors.EVENT_READ, lambda: self._finish(task))
        self._selector.register(task.output, selectors.EVENT_READ, lambda: self._drain(task))

    def _drain(self, task: Task) -> None:
        if task.pid in self._tasks and not task.drain():  # it may have ended in the same round
            self._selector.unregister(task.output)

    def _check_limits(self) -> None:
        now = time.monotonic()
        for task in self._tasks.values():
            task.check_time(now)
        if now - self._ticked > TICK:
            self._ticked = now
            shared = limits.resident_bytes(os.getpid())
            for task in self._tasks.values():
                task.check_memory(shared)

    def _finish(self, task: Task) -> None:
        """Take in a child that has ended, and everything that it left."""
        del self._tasks[task.pid]
        self._selector.unregister(task.exit)
        if task.output in self._selector.get_map():
            self._selector.unregister(task.output)
        task.reap()
        kill_children(tuple(self._tasks))
        task.drain()
        ending = task.ending()
        task.close()
        self._reply(encode(ending))


def kill_children(spared: tuple[int, ...]) -> None:
    """Kill and reap every child but those; orphans of a killed one become children in turn."""
    end = time.monotonic() + 5
    while stray := [pid for pid in limits.children() if pid not in spared]:
        for pid in stray:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue
        if time.monotonic() > end:
            break


def become_child(task: Task, parent: int) -> None:
    """Turn this forked process into the job's own, run it and end; never returns."""
    code = 70
    try:
        os.setsid()
        limits.die_with_parent(parent)
        limits.adopt_orphans()
        mailbox, job = task.mailbox, decode(Job, task.order.text)
        enter(task, job)
        run_job(job, task.folder, mailbox.send, mailbox.watch)
        code = 0
    except BaseException:  # said in the mailbox: it is the worker's fault, not the snippet's
        report_breakdown(task.mailbox)
    finally:
        os._exit(code)


def enter(task: Task, job: Job) -> None:
    """Take on a job's descriptors, limits and environment."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(task.write_end, 1)
    os.dup2(task.write_end, 2)
    os.dup2(task.trace, 3)
    os.closerange(4, 1 << 16)
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
    faulthandler.enable(3, all_threads=False)
    faulthandler.register(TRACE_SIGNAL, 3, all_threads=False)
    limits.limit(job)
    enter_environment(job, task.folder)
    gc.enable()


def report_breakdown(mailbox: Mailbox) -> None:
    """Tell the parent that the worker itself broke."""
    text = json.dumps({"breakdown": traceback.format_exc()[-4000:]})
    if mailbox.fits(text):
        mailbox.send(text)
