"""Makes an outcome of a child that has ended: what it reported, or how it died."""

import json
import re
import signal
from dataclasses import dataclass, replace

from wiki_tools.protocol import Job, Outcome, Output, Samples, Status, build
from wiki_tools.worker.blame import whereabouts
from wiki_tools.worker.program import Place, plan_program


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What is known of a child that has ended; all of it may be a snippet's invention."""

    number: str
    """The order's."""
    code: int
    """Exit code, or minus the number of the signal that ended it."""
    ended: str
    """Why its parent ended it: `time`, `memory`, `disk`, `processes` or nothing."""
    cell: int
    """Index of the cell that it ran last, -1 before the first."""
    folder: str
    """Its scratch folder."""
    messages: tuple[str, ...]
    """What came with the nonce: an outcome, then samples; or a breakdown."""
    printed: str = ""
    """What was written past Python, by C++ or by other programs."""
    trace: str = ""
    """What faulthandler wrote."""

    @classmethod
    def unpack(cls, data: bytes, start: int, folder: str) -> "tuple[Ending, int] | None":
        """Read one as it comes over the wire, and where it ends; None while it is not all there.

        Args:
            data: what has come.
            start: where in it the ending begins.
            folder: below it lies the child's scratch folder, named as its order.

        Raises:
            ValueError: this is no ending.
        """
        end = data.find(b"\n", start)
        if end < 0:
            return None
        number, code, ended, cell, *lengths = data[start:end].decode("ascii").split(" ")
        texts: list[bytes] = []
        at = end + 1
        for length in map(int, lengths):
            texts.append(data[at : at + length])
            at += length
        if at > len(data):
            return None
        printed, trace, *messages = [text.decode("utf-8", "replace") for text in texts]
        ending = cls(
            number=number,
            code=int(code),
            ended=ended.strip("-"),
            cell=int(cell),
            folder=f"{folder}/{number}",
            messages=tuple(messages),
            printed=printed,
            trace=trace,
        )
        return ending, at


def pack_ending(number: str, code: int, ended: str, cell: int, texts: list[bytes]) -> bytes:
    """Write an ending as it goes over the wire: a line of numbers and lengths, then the texts.

    Args:
        number: the order's.
        code: how the child ended.
        ended: why its parent ended it.
        cell: which it ran last.
        texts: what was printed, the trace, and each message.
    """
    lengths = " ".join([str(len(text)) for text in texts])
    head = f"{number} {code} {ended or '-'} {cell} {lengths}\n"
    return b"".join([head.encode("ascii"), *texts])


HELD = (
    "timeout", "memory", "cpu", "file-size", "disk", "output", "scratch", "environment",
    "descendants",
)  # fmt: skip
"""What holds for every child that was forked, sandbox or not."""
REFUSALS = (
    ("[Errno 13] Permission denied", "filesystem", "a snippet may write only in its own folder"),
    ("[Errno 30] Read-only file", "filesystem", "a snippet may write only in its own folder"),
)
"""What an exception says that the sandbox may have caused, by which property, and what to know."""
FORGED = "reported an outcome that is not its own"
"""A child says once how its program ended; what a snippet says in its place comes on top."""
_FRAME = re.compile(r'^  File "([^"\n]*)", line (\d+) in ', re.MULTILINE)


def conclude(job: Job, ending: Ending, held: tuple[str, ...] = HELD) -> Outcome:
    """Say what became of a job whose child has ended."""
    messages = [_read(message) for message in ending.messages]
    first = messages[0] if messages else None
    if isinstance(first, dict) and "breakdown" in first:
        outcome = _broken(job, ending, str(first["breakdown"]))
    else:
        try:
            outcome = build(Outcome, first)
        except (ValueError, RecursionError):
            outcome = _died(job, ending)
        else:
            outcome = replace(outcome, samples=_samples(job, ending, messages[1:]))
        if any(map(_is_outcome, messages[1:])):
            outcome = _blank(job, ending, Status.CRASHED, FORGED)
    outputs = (*outcome.outputs, *_printed(job, ending))
    message = outcome.message + (_hint(outcome, held) if outcome.status is Status.FAILED else "")
    return replace(
        outcome, message=message, snippet=job.snippet, outputs=outputs, held=held, environment=None
    )


def _read(message: str) -> object:
    try:
        return json.loads(message)
    except (ValueError, RecursionError):
        return None


def _hint(outcome: Outcome, held: tuple[str, ...]) -> str:
    """Tell an editor, to whom the program would have run, that the sandbox did not let it."""
    for sign, name, known in REFUSALS:
        if sign in outcome.message and any(each.startswith(f"{name}:") for each in held):
            return f" ({known}, as long as the sandbox holds)"
    return ""


def _is_outcome(message: object) -> bool:
    return isinstance(message, dict) and "status" in message


def _samples(job: Job, ending: Ending, messages: list[object]) -> tuple[Samples, ...]:
    """Read the samples that came; what did not come is invalid, with the reason."""
    found: list[Samples] = []
    for message in messages:
        try:
            found.append(build(Samples, message))
        except ValueError:
            break
    if not messages and not job.pairings:
        return ()
    last = messages[-1] if messages else None
    broken = str(last["breakdown"]) if isinstance(last, dict) and "breakdown" in last else ""
    reason = (
        f"the worker broke while timing: {broken}"
        if broken
        else f"{_death(job, ending)} while timing"
    )
    given = {(s.against, s.size, s.metric) for s in found}
    for p in job.pairings:
        if (p.against, p.size, p.metric) not in given:
            lost = Samples(against=p.against, size=p.size, metric=p.metric)
            found.append(replace(lost, invalid=reason, deaths=1))
    return tuple(found)


def _broken(job: Job, ending: Ending, details: str) -> Outcome:
    message = f"the worker itself broke, which says nothing about the snippet: {details}"
    return _blank(job, ending, Status.CRASHED, message)


def _died(job: Job, ending: Ending) -> Outcome:
    status = Status.TIMED_OUT if ending.ended == "time" else Status.CRASHED
    return _blank(job, ending, status, _death(job, ending))


def _blank(job: Job, ending: Ending, status: Status, message: str) -> Outcome:
    path, line = whereabouts(job.cells, ending.cell, _places(job, ending))
    return Outcome(snippet=job.snippet, status=status, message=message, path=path, line=line)


def _death(job: Job, ending: Ending) -> str:
    """Say in words how a child ended that did not report."""
    if ending.ended == "time":
        return f"did not end within {job.timeout:g} s"
    limit = f"{job.memory / (1 << 30):.3g} GiB"
    if ending.ended == "memory":
        return f"ran out of memory: it may hold {limit}"
    if ending.ended == "disk":
        return f"wrote too much: its folder may hold {job.memory / (4 << 30):.3g} GiB"
    if ending.ended == "processes":
        return "started more processes than one snippet may"
    if ending.code < 0:
        return f"killed by {signal_name(-ending.code)}"
    return f"ended its process with exit code {ending.code} before its last line"


SIGNALS = {
    "SIGSEGV": " (a segmentation fault: it touched memory that is not its own)",
    "SIGABRT": " (it aborted)",
    "SIGKILL": " (by itself, or by a system that had no memory left)",
    "SIGXCPU": " (it used more processor time than its timeout allows)",
}


def signal_name(number: int) -> str:
    """Name a signal, and say what it means where that is not common knowledge."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return name + SIGNALS.get(name, "")


def _places(job: Job, ending: Ending) -> tuple[Place, ...]:
    """Read where the child was, outermost frame first; what faulthandler wrote is only a hint."""
    if not ending.trace:
        return ()
    layout = plan_program(job.cells, ending.folder).layout
    frames = [(m[1], int(m[2][:9])) for m in _FRAME.finditer(ending.trace)]
    found = [layout.locate(line) for file, line in frames if file == layout.file]
    return tuple(place for place in reversed(found) if place is not None)


def _printed(job: Job, ending: Ending) -> tuple[Output, ...]:
    """Show what was written past Python as the last cell's output."""
    cell = min(max(ending.cell, 0), max(len(job.cells) - 1, 0))
    return (Output(cell=cell, text=ending.printed),) if ending.printed else ()
