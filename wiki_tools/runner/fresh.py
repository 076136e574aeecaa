"""Runs jobs in fresh interpreters, for where a parent cannot fork: macOS and Windows."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from wiki_tools.config import Config
from wiki_tools.protocol import Job, Outcome, decode
from wiki_tools.runner import Closing, Given, tell_nobody
from wiki_tools.runner.enclosure import Enclosure, check_held, enclose
from wiki_tools.runner.parent import sweep
from wiki_tools.worker.ending import Ending, conclude
from wiki_tools.worker.order import Ready
from wiki_tools.worker.scratch import remove_scratch
from wiki_tools.worker.surroundings import start_environment

HELD = ("timeout", "output", "scratch", "environment")
"""What holds on every system; what a sandbox adds, the interpreter says."""
START = 2.0
"""Seconds that an interpreter may take before the snippet's own time begins."""
IMPORTS = 30.0
"""The same where it imports a framework."""
ANSWER_CAP = 8 << 20
"""Bytes that are read of what an interpreter answers."""


class FreshExecutor(Closing):
    """Starts an interpreter for each job and kills it when its time is over.

    It costs a second and more where a framework is imported. Descendants that leave both the
    process group and the folder escape it, where neither a sandbox nor a control group holds them.
    """

    def __init__(self, config: Config, jobs: int = 2, given: Given = tell_nobody) -> None:
        self._config = config
        self._given = given
        self._jobs = max(jobs, 1)
        self._running: set[subprocess.Popen[bytes]] = set()

    def close(self) -> None:
        """End every interpreter that still runs."""
        for process in tuple(self._running):
            _kill(process)

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Run jobs and give each outcome as it comes; those that must be alone run at the end."""
        todo = list(jobs)
        together = [job for job in todo if not job.alone]
        pool = ThreadPoolExecutor(self._jobs)
        try:
            for done in as_completed([pool.submit(self._run, job) for job in together]):
                yield done.result()
            for job in todo:
                if job.alone:
                    yield self._run(job)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            self.close()

    def _run(self, job: Job) -> Outcome:
        self._given(job)
        folder = tempfile.mkdtemp(prefix="wiki-")
        enclosure = enclose(self._config, folder, first=False)
        try:
            ending, ready = self._finish(job, folder, enclosure)
        finally:
            enclosure.close()
            enclosure.remove()
            sweep(Path(folder))
            remove_scratch(folder)
        check_held(self._config, ready.held, (*enclosure.refused, *ready.refused))
        return conclude(job, ending, (*HELD, *ready.held))

    def _finish(self, job: Job, folder: str, enclosure: Enclosure) -> tuple[Ending, Ready]:
        nonce = secrets.token_hex(16)
        request = json.dumps({"nonce": nonce, "folder": folder, "job": asdict(job)})
        command = [sys.executable, "-P", "-m", "wiki_tools.worker", "--once", "1"]
        temporary = tempfile.TemporaryFile
        with temporary() as question, temporary() as answer, temporary() as log:
            question.write(request.encode("ascii") + b"\n")
            question.seek(0)
            process = subprocess.Popen(
                [*enclosure.command, *command, *enclosure.options],
                cwd=folder,
                env=start_environment(job.device),
                stdin=question,
                stdout=answer,
                stderr=log,
                start_new_session=True,
                pass_fds=enclosure.doors,
            )
            ended = "" if self._wait(process, job) else "time"
            answer.seek(0)
            data = answer.read(ANSWER_CAP)
            log.seek(0)
            said = log.read(4000).decode("utf-8", "replace")
        mark = f"{nonce} ".encode("ascii")
        lines = [line[len(mark) :] for line in data.splitlines() if line.startswith(mark)]
        code = enclosure.code(process.returncode)
        ready, messages = _read(lines, f"exit code {code} {said}", ended)
        ending = Ending(
            number="",
            code=code,
            ended=ended,
            cell=-1,
            folder=folder,
            messages=messages,
        )
        return ending, ready

    def _wait(self, process: subprocess.Popen[bytes], job: Job) -> bool:
        """Wait for an interpreter to end; False where it had to be killed."""
        self._running.add(process)
        try:
            process.wait(job.timeout + (IMPORTS if job.frameworks else START))
        except subprocess.TimeoutExpired:
            return False
        finally:
            _kill(process)
            process.wait()
            self._running.discard(process)
        return True


def _read(lines: list[bytes], said: str, ended: str) -> tuple[Ready, tuple[str, ...]]:
    """Read what an interpreter answered: what holds, then messages as a child sends them."""
    messages = tuple(line.decode("ascii", "replace") for line in lines)
    try:
        return decode(Ready, messages[0]), messages[1:]
    except (IndexError, ValueError):  # it never came so far as to run the snippet
        nothing = Ready(held=())
    return nothing, messages or (() if ended else (json.dumps({"breakdown": said}),))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and, where there are such, its group."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
