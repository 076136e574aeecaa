"""The wire between parent and worker; standard library only.

A `Job` goes to a worker as one line of JSON, an `Outcome` comes back as one line of JSON.
Pickles never cross it: what comes back was made beside untrusted code.
"""

import dataclasses
import enum
import json
import types
import typing
from dataclasses import dataclass, field
from typing import Any, TypeVar


class Status(enum.StrEnum):
    """How a snippet's run ended."""

    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One piece of a program, and where it was written."""

    role: str
    """`imports`, `fixture`, `setup`, `context`, `pattern`, `drive`, `check` or `result`."""
    code: str
    path: str = ""
    """The file that holds the text, relative to the vault's root; empty for generated text."""
    line: int = 1
    """The 1-based line of `path` on which `code` begins: tracebacks name it."""
    timed: bool = False
    """Its statements, but not its imports and definitions, are what a pairing times."""


Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two programs that a worker times against each other, interleaved."""

    against: str
    """`baseline`, `pattern` or `ablation:<accelerator>`."""
    candidate: Cells
    baseline: Cells
    off: str = ""
    """A Python expression of the context manager under which the baseline runs."""
    coarser: bool = False
    """`off` changes the dtype, so that results are compared at the coarser one."""
    metric: str = "time"
    """`time` (seconds) or `memory` (peak bytes)."""
    size: str = ""
    """Which point of a sweep, such as `S=512`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One snippet to run, with everything that a worker needs to know."""

    snippet: str
    cells: Cells
    pairings: tuple[Pairing, ...] = ()
    device: str = "cpu"
    frameworks: tuple[str, ...] = ()
    """What the worker's parent has imported before it forks: `torch`, `jax`."""
    threads: int = 1
    timeout: float = 60.0
    """Seconds of wall clock for the whole job."""
    memory: int = 8 << 30
    """Bytes that the child may allocate."""
    budget: float = 2.0
    """Seconds of timing for each pairing, warm-up and compilation apart."""
    raises: str = ""
    """The name of the exception that the pattern must raise."""
    prints: str | None = None
    """What the program's timed cells must print (an `out` fence)."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What a pairing's timing gave; the interval is made of it by whoever reads it."""

    against: str
    size: str = ""
    metric: str = "time"
    baseline: tuple[float, ...] = ()
    """One number a sample: seconds a call (or bytes), in the order of measuring."""
    candidate: tuple[float, ...] = ()
    """Paired with `baseline`: the same index was measured back to back."""
    repeats: tuple[int, int] = (1, 1)
    """Calls in a sample, of baseline and candidate."""
    first_call: tuple[float, float] = (0.0, 0.0)
    """Seconds of the first call of baseline and candidate, compilation included."""
    threads: int = 1
    max_error: float | None = None
    """The largest difference between both results over the largest magnitude."""
    tolerance: float | None = None
    stopped: str = ""
    """Why sampling ended: `narrow` or `budget`."""
    invalid: str = ""
    """Why this is no fair comparison; empty when it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What one cell showed, for the notebook: `data` maps a MIME type to text."""

    cell: int
    """Index into the job's cells."""
    text: str = ""
    """Standard output and standard error, capped."""
    data: dict[str, str] = field(default_factory=dict)
    """The last expression or a figure: `text/plain`, `image/svg+xml`, `image/png` (base64)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a job."""

    snippet: str
    status: Status
    seconds: float = 0.0
    """Wall clock of the program, imports of frameworks apart."""
    message: str = ""
    """Why it is not `passed`, in words that an editor can act on."""
    path: str = ""
    line: int = 0
    """Where in the page it went wrong; 0 where that is nowhere."""
    traceback: str = ""
    """Frames of the page and its fixtures only, under the page's own name and lines."""
    notes: tuple[str, ...] = ()
    """`retargeted` and other things a reader should know."""
    checked: tuple[str, ...] = ()
    """What was asserted: shapes and prints as `line: text`."""
    outputs: tuple[Output, ...] = ()
    samples: tuple[Samples, ...] = ()
    held: tuple[str, ...] = ()
    """Which limits were in force: `timeout`, `memory`, `scratch`, ..."""


T = TypeVar("T")


def encode(value: Any) -> str:
    """Write a value of this module as one line of JSON."""
    return json.dumps(dataclasses.asdict(value), ensure_ascii=True, separators=(",", ":"))


def decode(kind: type[T], text: str | bytes) -> T:
    """Read one line of JSON as `kind`.

    Raises:
        ValueError: the text is not JSON, or not of that shape. The wire is untrusted.
    """
    return build(kind, json.loads(text))


def build(kind: type[T], value: Any) -> T:
    """Make a `kind` of plain JSON values, checking every field's type.

    Raises:
        ValueError: a field is unknown, missing or of another type; the message names it.
    """
    return typing.cast(T, _build(kind, value, kind.__name__))


def _build(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise ValueError(f"{where}: expected an object, not {value!r:.80}")
        hints = typing.get_type_hints(kind)
        unknown = value.keys() - hints.keys()
        if unknown:
            raise ValueError(f"{where}: unknown field {sorted(unknown)[0]!r}")
        fields = {k: _build(hints[k], v, f"{where}.{k}") for k, v in value.items()}
        try:
            return typing.cast(Any, kind)(**fields)
        except TypeError as error:
            raise ValueError(f"{where}: {error}") from None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _build(next(a for a in arguments if a is not type(None)), value, where)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{where}: expected a list, not {value!r:.80}")
        kinds = [arguments[0]] * len(value) if arguments[-1] is ... else list(arguments)
        if len(kinds) != len(value):
            raise ValueError(f"{where}: expected {len(kinds)} items, not {len(value)}")
        return tuple(_build(k, v, f"{where}[{i}]") for i, (k, v) in enumerate(zip(kinds, value, strict=True)))
    if origin is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{where}: expected an object, not {value!r:.80}")
        return {_build(arguments[0], k, where): _build(arguments[1], v, f"{where}.{k}") for k, v in value.items()}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{where}: expected {kind.__name__}, not {value!r:.80}")
    return value
