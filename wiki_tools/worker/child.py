"""Runs one job in this process, which is its own: one job in, one outcome out.

Only what a cell raises is the snippet's doing. Everything else that goes wrong here leaves
`run_job` as an exception of its own, and whoever called it reports a broken worker.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from os import getpid
from time import perf_counter
from typing import Any

from wiki_tools.protocol import Cell, Cells, Job, Outcome, Output, Samples, Status, encode
from wiki_tools.worker import capture, display
from wiki_tools.worker.blame import Failure, explain, is_named, sentence, whereabouts
from wiki_tools.worker.program import (
    Namespace,
    compile_tree,
    hide_folders,
    make_namespace,
    parse_cells,
    run_code,
)
from wiki_tools.worker.state import Interpreter, seed_everything, set_threads

Send = Callable[[str], None]
"""Hands one line of JSON to the parent: first the outcome, then one `Samples` a pairing."""

Timer = Callable[[Job, Callable[[Cells], Namespace]], Iterator[Samples]]

REPORT_CAP = 2 << 20
"""Bytes of an encoded outcome: evidence is committed to git."""

SHOWN = ("setup", "context", "pattern", "drive", "check", "result")
"""Roles whose last expression is shown; imports and fixtures are not the page's own words."""


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


def run_job(job: Job, folder: str, send: Send, watch: Callable[[int], None]) -> None:
    """Run a job's program in this process, then time its pairings, sending each result.

    Args:
        job: what to run.
        folder: the scratch folder, which is the working directory already.
        send: called with the encoded outcome, then with each pairing's samples.
        watch: called with a cell's index before it runs.
    """
    process = getpid()
    timer = _timer(job)
    set_threads(job.threads)
    outcome = run_program(job, folder, watch)
    if getpid() != process:
        return  # a copy that the snippet forked and that ran on to here
    send(_report(outcome))
    if outcome.status is Status.PASSED and timer is not None:
        _time(job, folder, timer, send)


def run_program(job: Job, folder: str, watch: Callable[[int], None]) -> Outcome:
    """Run a job's cells in order until one fails."""
    interpreter = Interpreter.remember(job.cells)
    stdout, both = capture.Sink(), capture.Sink()
    sys.stdout = capture.stream(1, stdout, both)
    sys.stderr = capture.stream(2, both)
    seed_everything(job.seed)
    namespace = make_namespace(
        job.cells, folder=folder, device=job.device, frameworks=job.frameworks
    )
    progress = Progress(job=job)
    failure = None
    started = perf_counter()
    for index, cell in enumerate(job.cells):
        if progress.raised and cell.role in ("drive", "result"):
            continue
        watch(index)
        error, data = _run_cell(cell, namespace, interpreter)
        _keep_output(progress, index, stdout.take(), both.take(), data)
        if error is not None and _expected(progress, cell, error):
            error = None
        if error is not None:
            failure = explain(error, job, index)
            break
        progress.checked += _assertions(cell)
    seconds = perf_counter() - started
    interpreter.restore()
    failure = failure or _unmet_promise(progress)
    return _outcome(progress, failure, seconds)


def _run_cell(
    cell: Cell, namespace: Namespace, interpreter: Interpreter
) -> tuple[BaseException | None, list[dict[str, str]]]:
    """Run one cell; whatever it raises is the snippet's."""
    data: list[dict[str, str]] = []
    values: list[Any] = []
    try:
        (tree,) = parse_cells((cell,), namespace)
        last = _split_value(tree) if cell.role in SHOWN else None
        code = compile_tree(tree, namespace)
        interpreter.lend(lambda: run_code(code, namespace))
        if last is not None:
            shown = compile_tree(last, namespace)
            interpreter.lend(lambda: values.append(run_code(shown, namespace)))
            data.append(display.show_value(values[0]))
        data.extend(display.take_figures())
    except BaseException as error:  # SystemExit and KeyboardInterrupt included
        return error, data
    return None, data


def _split_value(tree: ast.Module) -> ast.Expression | None:
    """Take a trailing expression off a tree, so that its value can be shown."""
    if tree.body and isinstance(last := tree.body[-1], ast.Expr):
        tree.body.pop()
        return ast.Expression(last.value)
    return None


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
    if not wanted or cell.role not in ("pattern", "drive") or not is_named(error, wanted):
        return False
    progress.raised = True
    failure = explain(error, progress.job, progress.job.cells.index(cell))
    progress.checked.append(f"{failure.line}: raises {sentence(error)}")
    return True


def _assertions(cell: Cell) -> list[str]:
    """Name what a check has just asserted."""
    if cell.role != "check":
        return []
    try:
        body = ast.parse(cell.code).body
    except (SyntaxError, ValueError):
        return []
    first = cell.line - 1
    found = [n for n in body if isinstance(n, ast.Assert)]
    return [f"{first + n.lineno}: {ast.unparse(n.test)}" for n in found] or [f"{cell.line}: check"]


def _unmet_promise(progress: Progress) -> Failure | None:
    """Say what the page promised and the program, which reached its end, did not do."""
    job = progress.job
    last = next((i for i in reversed(range(len(job.cells))) if job.cells[i].role == "pattern"), -1)
    path, line = whereabouts(job.cells, last, ())
    message = ""
    if job.raises and not progress.raised:
        message = f"did not raise {job.raises}"
    elif job.prints is not None and not progress.raised:
        wanted = _trimmed(job.prints)
        if wanted in (_trimmed(progress.printed), _trimmed(progress.shown)):
            progress.checked.append(f"{line}: prints {wanted.splitlines()[0] if wanted else ''!r}")
        else:
            seen = _trimmed(progress.printed) or _trimmed(progress.shown)
            message = f"prints {seen[:500]!r}; the page says {wanted[:500]!r}"
    if not message:
        return None
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


def _timer(job: Job) -> Timer | None:
    """Import what times pairings, where there are any, before the snippet runs."""
    if not job.pairings:
        return None
    from wiki_tools.worker.timing import time_pairings

    return time_pairings
