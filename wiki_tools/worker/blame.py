"""Turns what a snippet raised into words: its status, a message and the page's own lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import TypeGuard, TypeVar

from wiki_tools.protocol import Cells, Job, Status
from wiki_tools.worker.absent import text_of, unavailable
from wiki_tools.worker.program import Place, hide_folders, locate

MESSAGE_CAP = 2_000
FRAMES = 20
"""Frames of a traceback that are kept at either end."""


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


E = TypeVar("E", bound=BaseException)


def _is(error: BaseException, kind: type[E]) -> TypeGuard[E]:
    """Whether it is of a kind; to `isinstance` it may be of another that it names."""
    return issubclass(type(error), kind)


def _judge(error: BaseException, job: Job) -> tuple[Status, str]:
    if _is(error, SystemExit):
        return Status.FAILED, f"called sys.exit({_code(error)}) before its last line"
    if _is(error, MemoryError) or "DefaultCPUAllocator: can't allocate" in text_of(error):
        limit = f"{job.memory / (1 << 30):.3g} GiB"
        return Status.FAILED, f"ran out of memory: it may allocate {limit} ({sentence(error)})"
    for each in _chain(error):
        if reason := unavailable(each, from_page=_is_from_page(each)):
            return Status.SKIPPED, reason
    if isinstance(error, EOFError) and text_of(error) == "EOF when reading a line":
        return Status.FAILED, f"{sentence(error)}: it asks for input, and nobody answers"
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        return Status.INCOMPLETE, _unknown_name(error)
    return Status.FAILED, sentence(error)


def _code(error: SystemExit) -> str:
    return "" if error.code is None else repr(error.code)[:80] if _plain(error.code) else "..."


def _plain(value: object) -> bool:
    return type(value) in (int, str, bool)


def _unknown_name(error: NameError) -> str:
    """Say which name nothing provides, and which one was probably meant."""
    import difflib  # most runs end without it

    name, last = str(error.name or ""), error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    known = [*last.tb_frame.f_locals, *last.tb_frame.f_globals] if last is not None else []
    near = difflib.get_close_matches(name, [k for k in known if type(k) is str], 1, 0.75)
    said = f"did you mean {near[0]!r}? Else define" if near else "define"
    return f"nothing provides {name}: {said} it in a setup fence or in snippets/fixtures/wiki.py"


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


def sentence(error: BaseException) -> str:
    """The exception as Python's last line of a traceback, capped."""
    text = str(error.msg) if _is(error, SyntaxError) else hide_folders(text_of(error))
    name = type(error).__name__
    if _is(error, AssertionError) and not text:
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
    if _is(error, SyntaxError) and error.filename and error.lineno:
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
