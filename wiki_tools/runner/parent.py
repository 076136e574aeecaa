"""A preloaded parent as whoever started it sees it, and the jobs that it has in hand."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from wiki_tools.environment import compiler_name
from wiki_tools.protocol import Job
from wiki_tools.worker.surroundings import start_environment

Key = tuple[str, tuple[str, ...]]
"""What a parent is made for: a device, and the frameworks that it imports."""

WORTH_IMPORTING = (("numpy", "numpy"), ("torch.compile", "torch.compile"))
"""What a parent imports beside the job's frameworks, and the text in a cell that asks for it."""

PATIENCE = 10.0
"""Seconds that a parent has to end after it was told to."""


@dataclass(slots=True, kw_only=True)
class Ticket:
    """A job on its way."""

    job: Job
    tries: int = 0
    due: float = 0.0
    """When its parent must have told of it, by `time.monotonic`."""

    @property
    def key(self) -> Key:
        """The parent that it needs."""
        pairings = self.job.pairings
        cells = [*self.job.cells, *(c for p in pairings for c in (*p.candidate, *p.baseline))]
        extra = [name for name, sign in WORTH_IMPORTING if any(sign in c.code for c in cells)]
        if "torch" not in self.job.frameworks and "torch.compile" in extra:
            extra.remove("torch.compile")
        if self.job.frameworks and "numpy" in extra:
            extra.remove("numpy")  # they import it themselves
        return self.job.device, (*sorted(self.job.frameworks), *extra)

    @property
    def alone(self) -> bool:
        """Nothing may run beside it: it is measured, or its parent died while it ran."""
        return bool(self.job.pairings) or self.tries > 0


@dataclass(slots=True, kw_only=True)
class Parent:
    """A preloaded process and the jobs that it has in hand."""

    key: Key
    process: subprocess.Popen[bytes]
    wire: socket.socket
    log: Path
    folder: Path
    ready: bool = False
    running: dict[str, Ticket] = field(default_factory=dict)
    received: bytes = b""
    outgoing: bytes = b""

    @classmethod
    def start(cls, key: Key, folder: Path) -> "Parent":
        """Start a parent whose children work below `folder`."""
        folder.mkdir()
        log = folder / "log"
        wire, theirs = socket.socketpair()
        device, frameworks = key
        command = [sys.executable, "-P", "-m", "wiki_tools.worker"]
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
        return cls(key=key, process=process, wire=wire, log=log, folder=folder)

    def send(self) -> None:
        """Write what can be written of what is to go out."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            self.outgoing = self.outgoing[self.wire.send(self.outgoing) :]

    def receive(self) -> list[bytes] | None:
        """Read whole lines; None when the parent has hung up."""
        try:
            data = self.wire.recv(1 << 20)
        except BlockingIOError:
            return []
        except ConnectionResetError:
            return None
        if not data:
            return None
        *lines, self.received = (self.received + data).split(b"\n")
        return lines

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
