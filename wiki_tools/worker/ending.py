"""Makes an outcome of a child that has ended: what it reported, or how it died."""

import json
import os
import re
import signal
from dataclasses import replace

from wiki_tools.protocol import Outcome, Output, Samples, Status, build
from wiki_tools.worker.blame import whereabouts
from wiki_tools.worker.program import Place, plan_layout, program_folder
from wiki_tools.worker.task import Task

HELD = (
    "timeout", "memory", "cpu", "file-size", "output", "scratch", "environment", "descendants",
)  # fmt: skip
"""What holds for every child that was forked."""
_FRAME = re.compile(rb'^  File "([^"\n]*)", line (\d+) in ', re.MULTILINE)


def conclude(task: Task) -> Outcome:
    """Say what became of a job whose child has ended."""
    messages = [_read(message) for message in task.mailbox.take()]
    first = messages[0] if messages else None
    if isinstance(first, dict) and "breakdown" in first:
        return _with_printed(task, _broken(task, str(first["breakdown"])))
    try:
        outcome = replace(build(Outcome, first), snippet=task.job.snippet, held=HELD)
    except ValueError:
        return _with_printed(task, _died(task))
    return _with_printed(task, replace(outcome, samples=_samples(task, messages[1:])))


def _read(message: bytes) -> object:
    try:
        return json.loads(message)
    except (ValueError, RecursionError):
        return None


def _samples(task: Task, messages: list[object]) -> tuple[Samples, ...]:
    """Read the samples that came; what did not come is invalid, with the reason."""
    found: list[Samples] = []
    for message in messages:
        try:
            found.append(build(Samples, message))
        except ValueError:
            break
    if not messages and not task.job.pairings:
        return ()
    last = messages[-1] if messages else None
    broken = str(last["breakdown"]) if isinstance(last, dict) and "breakdown" in last else ""
    reason = (
        f"the worker broke while timing: {broken}" if broken else f"{_death(task)} while timing"
    )
    given = {(s.against, s.size, s.metric) for s in found}
    for p in task.job.pairings:
        if (p.against, p.size, p.metric) not in given:
            found.append(Samples(against=p.against, size=p.size, metric=p.metric, invalid=reason))
    return tuple(found)


def _broken(task: Task, details: str) -> Outcome:
    message = f"the worker itself broke, which says nothing about the snippet: {details}"
    return _blank(task, Status.CRASHED, message)


def _died(task: Task) -> Outcome:
    status = Status.TIMED_OUT if task.ended == "time" else Status.CRASHED
    return _blank(task, status, _death(task))


def _blank(task: Task, status: Status, message: str) -> Outcome:
    cell = task.mailbox.cell()
    path, line = whereabouts(task.job.cells, cell, _places(task))
    return Outcome(
        snippet=task.job.snippet, status=status, message=message, path=path, line=line, held=HELD
    )


def _death(task: Task) -> str:
    """Say in words how a child ended that did not report."""
    if task.ended == "time":
        return f"did not end within {task.job.timeout:g} s"
    limit = f"{task.job.memory / (1 << 30):.3g} GiB"
    if task.ended == "memory":
        return f"ran out of memory: it may hold {limit}"
    if os.WIFSIGNALED(task.status):
        number = os.WTERMSIG(task.status)
        return f"killed by {_signal_name(number)}"
    return f"ended its process with exit code {os.WEXITSTATUS(task.status)} before its last line"


def _signal_name(number: int) -> str:
    meaning = {
        signal.SIGSEGV: " (a segmentation fault: it touched memory that is not its own)",
        signal.SIGABRT: " (it aborted)",
        signal.SIGKILL: " (by itself, or by a system that had no memory left)",
        signal.SIGXCPU: " (it used more processor time than its timeout allows)",
    }
    try:
        return signal.Signals(number).name + meaning.get(signal.Signals(number), "")
    except ValueError:
        return f"signal {number}"


def _places(task: Task) -> tuple[Place, ...]:
    """Read where the child was, outermost frame first; what faulthandler wrote is only a hint."""
    layout, _ = plan_layout(task.job.cells, program_folder(str(task.folder), 0))
    text = os.pread(task.trace, 1 << 16, 0)
    frames = [(m[1].decode("utf-8", "replace"), int(m[2][:9])) for m in _FRAME.finditer(text)]
    found = [layout.locate(line) for file, line in frames if file == layout.file]
    return tuple(place for place in reversed(found) if place is not None)


def _with_printed(task: Task, outcome: Outcome) -> Outcome:
    """Add what was written past Python, by C++ or by other programs, to the last cell's output."""
    text = task.printed.take()
    if not text:
        return outcome
    cell = min(max(task.mailbox.cell(), 0), max(len(task.job.cells) - 1, 0))
    return replace(outcome, outputs=(*outcome.outputs, Output(cell=cell, text=text)))
