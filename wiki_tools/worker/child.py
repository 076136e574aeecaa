"""Runs one job in this process, which is its own: one job in, one outcome out.

Only what a cell raises is the snippet's doing. Everything else that goes wrong here leaves
`run_job` as an exception of its own, and whoever called it reports a broken worker.
"""

import contextlib
import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from os import getpid
from time import perf_counter

from wiki_tools.probes.cuda import Cuda
from wiki_tools.probes.texts import agrees
from wiki_tools.protocol import (
    OFF_CARD,
    Cell,
    Cells,
    Job,
    Outcome,
    Output,
    Samples,
    Status,
    encode,
)
from wiki_tools.worker import display, unawaited
from wiki_tools.worker.blame import Failure, explain, is_named, sentence, whereabouts
from wiki_tools.worker.capture import open_streams
from wiki_tools.worker.program import (
    Compiled,
    Namespace,
    Plan,
    compile_next,
    hide_folders,
    make_namespace,
)
from wiki_tools.worker.state import Interpreter, seed_everything, set_threads

Send = Callable[[str], None]
"""Hands one line of JSON to the parent: first the outcome, then one `Samples` a pairing."""

Timer = Callable[[Job, Callable[[Cells], Namespace]], Iterator[Samples]]

PROMISING = ("pattern", "drive")
"""Roles whose cells may raise what the page says."""
REPORT_CAP = 2 << 20
"""Bytes of an encoded outcome: evidence is committed to git."""


@dataclass(slots=True, kw_only=True)
class Progress:
    """How far a program has come."""

    job: Job
    outputs: list[Output] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    printed: str = ""
    """Standard output of the timed cells."""
    shown: str = ""
    """The same with the values of last expressions, as a session shows them."""
    raised: bool = False
    """The exception that `raises` names has been seen."""


def run_job(
    job: Job, folder: str, send: Send, watch: Callable[[int], None], plan: Plan | None = None
) -> None:
    """Run a job's program in this process, then time its pairings, sending each result.

    Args:
        job: what to run.
        folder: the scratch folder, which is the working directory already.
        send: called with the encoded outcome, then with each pairing's samples.
        watch: called with a cell's index before it runs.
        plan: the job's program, where somebody has laid it out for this folder.
    """
    process = getpid()
    timer = _timer(job) if job.pairings else None
    set_threads(job.threads)
    outcome = run_program(job, folder, watch, plan)
    if getpid() != process:
        return  # a copy that the snippet forked and that ran on to here
    send(_report(outcome))
    if outcome.status is Status.PASSED and timer is not None:
        _time(job, folder, timer, send)


def run_program(
    job: Job, folder: str, watch: Callable[[int], None], plan: Plan | None = None
) -> Outcome:
    """Run a job's cells in order until one fails."""
    streams = open_streams()
    interpreter = Interpreter.remember(job.cells)
    sys.stdout, sys.stderr = streams.stdout, streams.stderr
    seed_everything(job.seed)
    namespace = make_namespace(
        job.cells, folder=folder, device=job.device, frameworks=job.frameworks, plan=plan
    )
    compiled = dict(enumerate(plan.compiled)) if plan else {}
    progress = Progress(job=job)
    failure = None
    unawaited.listen()
    started = perf_counter()
    for index, cell in enumerate(job.cells):
        if progress.raised and cell.role in ("drive", "result"):
            continue
        watch(index)
        error, data = _run_cell(index, compiled, namespace, interpreter)
        _keep_output(progress, index, streams.printed.take(), streams.both.take(), data)
        if error is None:
            progress.checked += compiled[index].checked
        elif not _expected(progress, cell, error):
            failure = _beside_promise(explain(error, job, index), job, cell)
            break
    seconds = perf_counter() - started
    interpreter.restore()
    failure = failure or _unmet_promise(progress) or _unawaited(progress, namespace)
    outcome = _outcome(progress, failure, seconds)
    if job.device == "cuda" and Cuda().untouched:
        return replace(outcome, notes=(*outcome.notes, OFF_CARD))
    return outcome


def _run_cell(
    index: int, compiled: dict[int, Compiled], namespace: Namespace, interpreter: Interpreter
) -> tuple[BaseException | None, list[dict[str, str]]]:
    """Run one cell; whatever it raises is the snippet's."""
    data: list[dict[str, str]] = []
    try:
        if index not in compiled:
            compiled[index] = compile_next(index, namespace)
        cell = compiled[index]
        interpreter.lend(cell.code, namespace)
        if cell.shown is not None:
            data.append(display.show_value(interpreter.lend(cell.shown, namespace)))
        if display.PYPLOT in sys.modules:
            data.extend(display.take_figures())
    except BaseException as error:  # SystemExit and KeyboardInterrupt included
        return error, data
    return None, data


def _keep_output(
    progress: Progress, index: int, printed: str, text: str, data: list[dict[str, str]]
) -> None:
    value = next((d["text/plain"] for d in data if "text/plain" in d), "")
    if progress.job.cells[index].timed:
        progress.printed += printed
        progress.shown += printed + value
    text = hide_folders(text)
    if text or any(data):
        first, *rest = data or [{}]
        progress.outputs.append(Output(cell=index, text=text, data=first))
        progress.outputs += [Output(cell=index, data=each) for each in rest if each]


def _expected(progress: Progress, cell: Cell, error: BaseException) -> bool:
    """Say whether this is the exception that the pattern must raise, and note that it came."""
    wanted = progress.job.raises
    if not wanted or cell.role not in PROMISING or not is_named(error, wanted):
        return False
    progress.raised = True
    failure = explain(error, progress.job, progress.job.cells.index(cell))
    progress.checked.append(f"{failure.line}: raises {sentence(error)}")
    return True


def _beside_promise(failure: Failure, job: Job, cell: Cell) -> Failure:
    """Name what should have been raised where something else was."""
    if not job.raises or failure.status is not Status.FAILED or cell.role not in PROMISING:
        return failure
    return replace(failure, message=f"{failure.message}; the page says {job.raises}")


def _unmet_promise(progress: Progress) -> Failure | None:
    """Say what the page promised and the program, which reached its end, did not do."""
    job = progress.job
    if progress.raised or not (job.raises or job.prints is not None):
        return None
    last = next((i for i in reversed(range(len(job.cells))) if job.cells[i].role == "pattern"), -1)
    path, line = whereabouts(job.cells, last, ())
    message = ""
    if job.raises:
        message = f"did not raise {job.raises}"
    elif job.prints is not None:
        wanted = _trimmed(job.prints)
        if any(agrees(wanted, text) for text in (progress.printed, progress.shown)):
            progress.checked.append(f"{line}: prints {wanted.splitlines()[0] if wanted else ''!r}")
        else:
            seen = _trimmed(progress.printed) or _trimmed(progress.shown)
            message = f"prints {seen[:500]!r}; the page says {wanted[:500]!r}"
    if not message:
        return None
    return Failure(status=Status.FAILED, message=message, path=path, line=line, traceback="")


def _unawaited(progress: Progress, namespace: Namespace) -> Failure | None:
    """Say which coroutine was made and did not run."""
    if not (name := unawaited.find_unawaited(namespace)):
        return None
    message = f"coroutine {name!r} was never awaited: what it holds did not run"
    path, line = whereabouts(progress.job.cells, -1, ())
    return Failure(status=Status.FAILED, message=message, path=path, line=line, traceback="")


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")).lstrip("\n")


def _outcome(progress: Progress, failure: Failure | None, seconds: float) -> Outcome:
    return Outcome(
        snippet=progress.job.snippet,
        status=failure.status if failure else Status.PASSED,
        seconds=seconds,
        message=failure.message if failure else "",
        path=failure.path if failure else "",
        line=failure.line if failure else 0,
        traceback=failure.traceback if failure else "",
        checked=tuple(progress.checked),
        outputs=tuple(progress.outputs),
    )


def _report(outcome: Outcome) -> str:
    """Encode an outcome, without its outputs where they are too much."""
    text = encode(outcome)
    if len(text) <= REPORT_CAP:
        return text
    note = f"outputs were not kept: {len(text):,} bytes"
    return encode(replace(outcome, outputs=(), notes=(*outcome.notes, note)))


def _time(job: Job, folder: str, timer: Timer, send: Send) -> None:
    def fresh(cells: Cells) -> Namespace:
        return make_namespace(cells, folder=folder, device=job.device, frameworks=job.frameworks)

    for samples in timer(job, fresh):
        send(encode(samples))


def _timer(job: Job) -> Timer:
    """Import what times pairings, and set and note what holds for all, before the snippet runs."""
    from wiki_tools.worker.timing import time_pairings
    from wiki_tools.worker.timing.heap import keep_what_is_freed
    from wiki_tools.worker.timing.settings import take_settings

    for name in job.frameworks:
        with contextlib.suppress(ImportError):  # whoever needs it says so
            importlib.import_module(name)
    keep_what_is_freed()
    return functools.partial(time_pairings, settings=take_settings())
