"""A preloaded parent as whoever started it sees it, and the jobs that it has in hand."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from wiki_tools.config import Config
from wiki_tools.protocol import Outcome, Status, decode
from wiki_tools.runner.bytecode import keep_bytecode
from wiki_tools.runner.compiled import Compiled, is_kept, is_lent
from wiki_tools.runner.enclosure import Enclosure, check_held, enclose
from wiki_tools.runner.queue import NEVER, Key, Queue, Ticket
from wiki_tools.worker.ending import HELD, Ending, conclude
from wiki_tools.worker.order import Ready
from wiki_tools.worker.scratch import remove_scratch
from wiki_tools.worker.surroundings import COMPILED, start_environment

PATIENCE = 10.0
"""Seconds that a parent has to end after it was told to."""
NO_SPACE = "[Errno 28]"
"""In the message of what found no space to write to: shared memory is one for all children."""

GRACE = 10.0
"""Seconds beyond a job's own limit after which its parent, which should end it, is ended itself."""


@dataclass(slots=True, kw_only=True)
class Parent:
    """A preloaded process and the jobs that it has in hand."""

    key: Key
    process: subprocess.Popen[bytes]
    wire: socket.socket
    log: Path
    folder: Path
    jobs: int
    """How many of its jobs run at a time; it starts those that it has in hand in their order."""
    config: Config
    enclosure: Enclosure
    compiled: Compiled | None
    """Where what torch.compile and JAX compile is kept for the next run."""
    ready: bool = False
    held: tuple[str, ...] = ()
    """What its children are held to."""
    running: dict[str, Ticket] = field(default_factory=dict)
    """By their numbers."""
    crowded: list[Ticket] = field(default_factory=list)
    """Of jobs that found no space, which another may have taken: alone they are to blame."""
    received: bytes = b""
    outgoing: bytes = b""

    @classmethod
    def start(
        cls, key: Key, config: Config, folder: Path, jobs: int, compiled: Compiled | None
    ) -> "Parent":
        """Start a parent whose children work below `folder`."""
        folder.mkdir()
        log = folder / "log"
        wire, theirs = socket.socketpair()
        device, frameworks = key
        enclosure = enclose(config, str(folder), first=True)
        command = [*enclosure.command, sys.executable, "-P", "-m", "wiki_tools.worker"]
        command += [*enclosure.options, "--jobs", str(jobs)]
        command += ["--frameworks", ",".join(frameworks), "--folder", str(folder)]
        environment = start_environment(device)
        if "torch.compile" in frameworks and _trusts_compiler():
            environment["TORCHINDUCTOR_VEC_ISA_OK"] = "1"  # 15 s of test compilations a child
        with log.open("wb") as stream, theirs:
            process = subprocess.Popen(
                [*command, "--socket", str(theirs.fileno())],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                pass_fds=[theirs.fileno(), *enclosure.doors],
                start_new_session=True,  # Ctrl-C is ours to handle
            )
        enclosure.close()
        wire.setblocking(False)
        keep_bytecode()  # for the next one
        return cls(
            key=key,
            config=config,
            process=process,
            wire=wire,
            log=log,
            folder=folder,
            jobs=jobs,
            enclosure=enclosure,
            compiled=compiled,
        )

    def give(self, ticket: Ticket) -> None:
        """Hand a job over; it runs at once where there is room for it."""
        self.running[ticket.number] = ticket
        keeps = self.compiled is not None and is_kept(ticket.job)
        if self.compiled and is_lent(ticket.job):
            self.compiled.lend(ticket.job, self._lent(ticket))
        self.outgoing += ticket.order(self.folder, keeps).pack()
        self._set_due()
        self.send()

    def _set_due(self) -> None:
        """Say by when those must have ended that run by now."""
        for ticket in islice(self.running.values(), self.jobs):
            if ticket.due == NEVER:
                ticket.due = time.monotonic() + ticket.job.timeout + GRACE

    def send(self) -> None:
        """Write what can be written of what is to go out."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while self.outgoing:
                self.outgoing = self.outgoing[self.wire.send(self.outgoing) :]

    def give_back(self, queue: Queue) -> None:
        """Line jobs up again that others may have left no space."""
        for ticket in self.crowded:
            ticket.tries, ticket.due, ticket.prepared = ticket.tries + 1, NEVER, None
            queue.add(ticket)
        self.crowded.clear()

    def take(self) -> list[Outcome] | None:
        """Take in what has become of its jobs; None when the parent has hung up."""
        try:
            data = self.wire.recv(1 << 20)
        except BlockingIOError:
            return []
        except ConnectionResetError:
            return None
        if not data:
            return None
        self.received += data
        return self._outcomes()

    def _outcomes(self) -> list[Outcome]:
        if not self.ready:
            line, found, rest = self.received.partition(b"\n")
            if found:
                self._greet(line)
            self.received = rest if found else line
        outcomes: list[Outcome] = []
        at = 0
        while self.ready and (read := Ending.unpack(self.received, at, str(self.folder))):
            ending, at = read
            ticket = self.running.pop(ending.number)
            outcome = self._conclude(ticket, ending)
            if NO_SPACE in outcome.message and not ticket.alone:
                self.crowded.append(ticket)
            else:
                outcomes.append(outcome)
        self.received = self.received[at:]
        self._set_due()
        return outcomes

    def _greet(self, line: bytes) -> None:
        """Take in what it says first: that it is ready, and what holds.

        Raises:
            UsageError: a sandbox is required, and there is none.
        """
        ready = decode(Ready, line)
        check_held(self.config, ready.held, (*self.enclosure.refused, *ready.refused))
        self.held = (*HELD, *ready.held)
        self.ready = True

    @property
    def code(self) -> int:
        """How it ended: an exit code, or minus the number of a signal."""
        return self.enclosure.code(self.process.returncode)

    def _conclude(self, ticket: Ticket, ending: Ending) -> Outcome:
        outcome = conclude(ticket.job, ending, self.held)
        if self.compiled and is_kept(ticket.job):
            left = self._lent(ticket)
            if outcome.status is Status.PASSED:
                self.compiled.take(ticket.job, left)
            elif is_lent(ticket.job):
                self.compiled.forget(ticket.job)
            remove_scratch(str(left))
        return outcome

    def _lent(self, ticket: Ticket) -> Path:
        """Where the parent finds, and leaves, what was compiled for a job."""
        return self.folder / f"{ticket.number}{COMPILED}"

    def suspects(self) -> list[Ticket]:
        """Give the jobs that ran, if the parent has ended just now."""
        return list(islice(self.running.values(), self.jobs))

    def give_up(self) -> None:
        """End a parent that was never given a job: it may be in the midst of its imports."""
        self.process.kill()
        self.end()

    def end(self) -> None:
        """Have the parent kill its children and end."""
        self.wire.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            sweep(self.folder)
        self.enclosure.remove()


def _trusts_compiler() -> bool:
    from wiki_tools.environment import compiler_name  # 20 ms, which most parents do without

    return knows_every_instruction(compiler_name())


def knows_every_instruction(compiler: str) -> bool:
    """Say whether a compiler can use all that this processor has, so that none need be tried.

    GCC learnt AMX in 11, AVX512-FP16 in 12 and AMX-FP16 in 13 (https://gcc.gnu.org/releases.html).
    """
    found = re.match(r"g\+\+\S* (\d+)", compiler)
    version = int(found[1]) if found else 0
    if version in (11, 12):
        flags = Path("/proc/cpuinfo").read_text("utf-8", "replace")
        return "amx_fp16" not in flags and (version == 12 or "avx512_fp16" not in flags)
    return version > 12


def sweep(folder: Path) -> None:
    """Kill processes that work below a folder: what a dead parent's children left behind."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (entry / "cwd").readlink().is_relative_to(folder):
                os.kill(int(entry.name), signal.SIGKILL)
