"""Turns what a snippet raised into words: its status, a message and the page's own lines."""

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

from wiki_tools.protocol import Cells, Job, Status
from wiki_tools.worker.program import Place, hide_folders, locate

MESSAGE_CAP = 2_000
FRAMES = 20
"""Frames of a traceback that are kept at either end."""

UNAVAILABLE = (
    ("No working C++ compiler found", "torch.compile needs a C++ compiler and none was found"),
    ("Cannot find a working triton installation", "torch.compile on a GPU needs triton"),
    ("Torch not compiled with CUDA enabled", "needs a CUDA device"),
    ("Found no NVIDIA driver", "needs a CUDA device"),
    ("No CUDA GPUs are available", "needs a CUDA device"),
    ("0 active drivers", "needs a CUDA device"),
)
"""What an exception says where the machine lacks something, not the page; why it is skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a program did not reach its end."""

    status: Status
    message: str
    path: str
    line: int
    traceback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A frame of the page or of its fixtures."""

    place: Place
    function: str


def explain(error: BaseException, job: Job, cell: int) -> Failure:
    """Say what an exception means that cell number `cell` raised."""
    frames = tuple(_frames(error))
    status, message = _judge(error, job)
    path, line = whereabouts(job.cells, cell, tuple(f.place for f in frames))
    return Failure(
        status=status,
        message=message,
        path=path,
        line=line,
        traceback=_traceback(job, frames, error),
    )


def whereabouts(cells: Cells, cell: int, places: tuple[Place, ...]) -> tuple[str, int]:
    """Find the line to blame: the deepest frame's on the page, else the cell's or the pattern's."""
    page = next((c.path for c in reversed(cells) if c.role == "pattern" and c.path), "")
    for wanted in (lambda p: p.path == page, lambda p: bool(p.path)):
        for place in reversed(places):
            if place.path and wanted(place):
                return place.path, place.line
    if 0 <= cell < len(cells) and cells[cell].path:
        return cells[cell].path, cells[cell].line
    pattern = next((c for c in reversed(cells) if c.path), None)
    return (pattern.path, pattern.line) if pattern else ("", 0)


def _judge(error: BaseException, job: Job) -> tuple[Status, str]:
    if isinstance(error, SystemExit):
        return Status.FAILED, f"called sys.exit({_code(error)}) before its last line"
    if isinstance(error, MemoryError) or "DefaultCPUAllocator: can't allocate" in text_of(error):
        limit = f"{job.memory / (1 << 30):.3g} GiB"
        return Status.FAILED, f"ran out of memory: it may allocate {limit} ({sentence(error)})"
    if (reason := _unavailable(error)) is not None:
        return Status.SKIPPED, reason
    return Status.FAILED, sentence(error)


def _code(error: SystemExit) -> str:
    return "" if error.code is None else repr(error.code)[:80] if _plain(error.code) else "..."


def _plain(value: object) -> bool:
    return type(value) in (int, str, bool)


def _unavailable(error: BaseException) -> str | None:
    for each in _chain(error):
        if type(each) is ModuleNotFoundError and (name := _missing_module(each)):
            return f"needs {name}, which is not installed"
        text = "" if _is_from_page(each) else text_of(each)
        for sign, reason in UNAVAILABLE:
            if sign in text:
                return reason
    return None


def _missing_module(error: ModuleNotFoundError) -> str:
    """Name the package that is not installed; empty where it is, and only a part of it is not."""
    name = str(error.name or "").partition(".")[0]
    if not name or name in sys.stdlib_module_names:
        return ""
    try:
        return "" if importlib.util.find_spec(name) else name
    except (ImportError, ValueError, AttributeError):
        return name


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < FRAMES:
        seen.add(id(current))
        yield current
        implied = None if _is_from_page(current) else current.__context__
        current = current.__cause__ or implied


def _is_from_page(error: BaseException) -> bool:
    """Whether the page's own line raised it: then its words, and what it handled, are the page's.

    `except ImportError: y = 1 / 0` fails for the division, not for what is not installed.
    """
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and locate(last.tb_frame.f_code.co_filename, last.tb_lineno) is not None


def text_of(error: BaseException) -> str:
    """The exception's own text; its `__str__` is the snippet's and may do anything."""
    try:
        return str(str(error))
    except BaseException as second:  # the snippet's code, and only its text is wanted
        return f"<its text raised {type(second).__name__}>"


def sentence(error: BaseException) -> str:
    """The exception as Python's last line of a traceback, capped."""
    text = str(error.msg) if isinstance(error, SyntaxError) else hide_folders(text_of(error))
    name = type(error).__name__
    if isinstance(error, AssertionError) and not text:
        text = "the assertion does not hold"
    whole = f"{name}: {text}" if text else name
    return whole if len(whole) <= MESSAGE_CAP else f"{whole[:MESSAGE_CAP]}…"


def is_named(error: BaseException, name: str) -> bool:
    """Say whether an exception is of the named class or of one below it."""
    short = name.rpartition(".")[2]
    if "." in name and name.partition(".")[0] not in ("builtins",):
        return any(f"{t.__module__}.{t.__qualname__}".endswith(name) for t in type(error).__mro__)
    return any(t.__name__ == short for t in type(error).__mro__)


def _frames(error: BaseException) -> Iterator[Frame]:
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        if (place := locate(error.filename, error.lineno)) is not None:
            yield Frame(place=place, function="<module>")
        return
    tb: TracebackType | None = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if (place := locate(code.co_filename, tb.tb_lineno)) is not None:
            yield Frame(place=place, function=code.co_name)
        tb = tb.tb_next


def _traceback(job: Job, frames: tuple[Frame, ...], error: BaseException) -> str:
    lines = ["Traceback (most recent call last):"]
    kept: tuple[Frame | None, ...] = frames
    if len(frames) > 2 * FRAMES:
        kept = (*frames[:FRAMES], None, *frames[-FRAMES:])
    for frame in kept:
        lines += _frame_lines(job, frame) if frame else [f"  … {len(frames) - 2 * FRAMES} frames …"]
    return "\n".join([*lines, sentence(error)])


def _frame_lines(job: Job, frame: Frame) -> list[str]:
    place, cell = frame.place, job.cells[frame.place.cell]
    name = place.path or f"<{cell.role}>"
    head = f'  File "{name}", line {place.line}, in {frame.function}'
    rows = cell.code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [head, f"    {rows[place.line - cell.line].strip()}"]
