"""A job that runs in a child, seen from its parent."""

# ruff: noqa: PTH102, PTH104, PTH106, PTH112, PTH114, PTH208
# pathlib costs every forked child half a millisecond of page faults.

import os
import signal
import time
from dataclasses import dataclass, field

from wiki_tools.worker import limits
from wiki_tools.worker.capture import Sink
from wiki_tools.worker.ending import pack_ending
from wiki_tools.worker.mailbox import Mailbox
from wiki_tools.worker.order import Order
from wiki_tools.worker.sandbox.inside import Guard, Sandbox
from wiki_tools.worker.scratch import MANY, is_within, remove_scratch
from wiki_tools.worker.surroundings import COMPILED

TRACE_SIGNAL = signal.SIGRTMAX - 1
"""Has faulthandler write down where a child is, before it is killed."""
DRAUGHTS = 64
"""Reads of a child's output in a row: who writes without end must not keep us from the clock."""
NEVER = float("inf")
GRACE = 0.1
"""Seconds that a child has to write that down."""


@dataclass(slots=True, kw_only=True)
class Task:
    """A running child and all that its parent holds of it."""

    order: Order
    folder: str
    """Scratch: the child's working directory, removed after it."""
    guard: Guard
    """What the child enters."""
    mailbox: Mailbox
    output: int
    """Read end of the pipe that is the child's descriptors 1 and 2."""
    write_end: int
    """Kept open while the child runs, which has its end of the pipe wake nobody."""
    trace: int
    """Anonymous file that faulthandler writes to."""
    gate: int
    """Event that the child waits for before it runs anything."""
    room: tuple[int, int] = (0, 0)
    """Of the disk before the child started: bytes and files."""
    printed: Sink = field(default_factory=Sink)
    pid: int = 0
    exit: int = -1
    """Readable once the child has ended."""
    began: float = NEVER
    """Seconds by the clock on the wall, which files are dated by."""
    deadline: float = NEVER
    asked: bool = False
    """It has been asked where it is."""
    ended: str = ""
    """Why the parent ended it: `time`, `memory`, `disk` or `processes`."""
    code: int = 0
    """Exit code, or minus the number of the signal that ended it."""

    @classmethod
    def prepare(cls, order: Order, folder: str, sandbox: Sandbox) -> "Task":
        """Make what must be there before the fork."""
        os.mkdir(folder, mode=0o700)
        if order.keeps:
            move(folder + COMPILED, f"{folder}/{COMPILED}")
        output, write_end = os.pipe()
        os.set_blocking(output, False)
        trace = os.memfd_create("trace")
        return cls(
            order=order,
            folder=folder,
            guard=sandbox.guard(folder),
            mailbox=Mailbox(),
            output=output,
            write_end=write_end,
            trace=trace,
            gate=os.eventfd(0),
        )

    def begin(self) -> None:
        """Let the child run, and its time with it."""
        self.room = limits.room(self.folder)
        os.eventfd_write(self.gate, 1)
        self.began = time.time()
        self.deadline = time.monotonic() + self.order.timeout

    def check_time(self, now: float) -> None:
        """End the child where it is over time, after it has said where it is."""
        if now < self.deadline:
            return
        if not self.asked:
            self.asked = True
            self.deadline = now + GRACE
            self._signal(TRACE_SIGNAL)
        else:
            self.ended = self.ended or "time"
            self.deadline = now + GRACE
            self.kill()

    def check_use(self, shared: int) -> None:
        """End the child where it and its descendants use more than they may.

        Args:
            shared: bytes of memory that it shares with its parent.
        """
        if self.ended:
            return
        self.ended = limits.overrun(self.pid, self.order.memory, shared)
        if not self.ended and self._fills_disk():
            self.ended = "disk"
        if self.ended:
            self.kill()

    def _fills_disk(self) -> bool:
        """Look into the scratch folder only where the disk has less room than at its start."""
        room, most = limits.room(self.folder), limits.disk_bytes(self.order.memory)
        if self.room[0] - room[0] < most // 4 and self.room[1] - room[1] < MANY // 4:
            return False
        return not is_within(self.folder, most)

    def kill(self) -> None:
        """Kill the child and its process group."""
        self._signal(signal.SIGKILL)
        self._kill_group()

    def _kill_group(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return

    def _signal(self, which: int) -> None:
        try:
            signal.pidfd_send_signal(self.exit, which)
        except ProcessLookupError:
            return

    def drain(self) -> None:
        """Take what the child has written."""
        try:
            for _ in range(DRAUGHTS):
                self.printed.write(os.read(self.output, 1 << 16))
        except BlockingIOError:
            return

    def reap(self) -> None:
        """Take in the ended child and kill what is left of its group."""
        os.close(self.write_end)
        self._kill_group()
        _, status = os.waitpid(self.pid, 0)
        self.code = os.waitstatus_to_exitcode(status)

    def ending(self) -> bytes:
        """Write down what there is to know of the ended child."""
        died = self.code or self.ended  # else nobody asks where it was
        trace = os.pread(self.trace, 1 << 16, 0) if died else b""
        printed = self.printed.take().encode("utf-8", "replace")
        texts = [printed, trace, *self.mailbox.take()]
        return pack_ending(self.order.number, self.code, self.ended, self.mailbox.cell(), texts)

    def release(self) -> None:
        """Give up every descriptor and the memory shared with the child."""
        os.close(self.exit)
        os.close(self.output)
        os.close(self.trace)
        os.close(self.gate)
        self.mailbox.close()

    def clear(self) -> None:
        """Remove the scratch folder; most hold nothing but the program."""
        if self.order.keeps:
            move(f"{self.folder}/{COMPILED}", self.folder + COMPILED)
        try:
            clear_files(self.folder)
            os.rmdir(self.folder)
        except OSError:
            remove_scratch(self.folder)


def move(folder: str, to: str) -> None:
    """Move a folder that need not be there; what took its place stays where it is."""
    if os.path.isdir(folder) and not os.path.islink(folder):
        os.rename(folder, to)


def clear_files(folder: str) -> None:
    """Remove the files of a folder, without following a link that took its place.

    Raises:
        OSError: there is more in it than files.
    """
    inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        for name in os.listdir(inside):
            os.unlink(name, dir_fd=inside)
    finally:
        os.close(inside)
