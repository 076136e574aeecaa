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

from wiki_tools.environment import compiler_name
from wiki_tools.protocol import Outcome
from wiki_tools.runner.queue import NEVER, Key, Ticket
from wiki_tools.worker.ending import Ending, conclude
from wiki_tools.worker.order import READY
from wiki_tools.worker.surroundings import start_environment

PATIENCE = 10.0
"""Seconds that a parent has to end after it was told to."""


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
    ready: bool = False
    running: dict[str, Ticket] = field(default_factory=dict)
    """By their numbers."""
    received: bytes = b""
    outgoing: bytes = b""

    @classmethod
    def start(cls, key: Key, folder: Path, jobs: int) -> "Parent":
        """Start a parent whose children work below `folder`."""
        folder.mkdir()
        log = folder / "log"
        wire, theirs = socket.socketpair()
        device, frameworks = key
        command = [sys.executable, "-P", "-m", "wiki_tools.worker", "--jobs", str(jobs)]
        command += ["--frameworks", ",".join(frameworks), "--folder", str(folder)]
        environment = start_environment(device)
        if "torch.compile" in frameworks and knows_every_instruction(compiler_name()):
            environment["TORCHINDUCTOR_VEC_ISA_OK"] = "1"  # 15 s of test compilations a child
        with log.open("wb") as stream, theirs:
            process = subprocess.Popen(
                [*command, "--socket", str(theirs.fileno())],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is ours to handle
            )
        wire.setblocking(False)
        return cls(key=key, process=process, wire=wire, log=log, folder=folder, jobs=jobs)

    def give(self, ticket: Ticket) -> None:
        """Hand a job over; it runs at once where there is room for it."""
        self.running[ticket.number] = ticket
        self.outgoing += ticket.order(self.folder).pack()
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
            self.ready = bool(found) and line == READY
            self.received = rest if found else line
        outcomes: list[Outcome] = []
        at = 0
        while self.ready and (read := Ending.unpack(self.received, at, str(self.folder))):
            ending, at = read
            outcomes.append(conclude(self.running.pop(ending.number).job, ending))
        self.received = self.received[at:]
        self._set_due()
        return outcomes

    def suspects(self) -> list[Ticket]:
        """Give the jobs that ran, if the parent has ended just now."""
        return list(islice(self.running.values(), self.jobs))

    def end(self) -> None:
        """Have the parent kill its children and end."""
        self.wire.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            sweep(self.folder)


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
