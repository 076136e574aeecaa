"""The wire between parent and worker; standard library only.

A `Job` goes to a worker as `worker.ahead` writes it, or as one line of JSON; an `Outcome` comes
back as one line of JSON. Pickles never cross it: what comes back was made beside untrusted code.
"""

import dataclasses
import enum
import functools
import json
import re
import types
import typing
from collections.abc import Callable, Iterable
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

    @property
    def words(self) -> str:
        """As people write it."""
        return self.value.replace("_", " ")


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

_TIMER = re.compile(r"\b(?:seconds|roof|bound)\(")
"""Calls of `wiki_tools.probes` that look at a clock."""


def times_itself(cells: Cells) -> bool:
    """Whether a program times something by itself, so that others beside it would be in its way."""
    text = "\n".join(cell.code for cell in cells)
    return "wiki_tools.probes" in text and bool(_TIMER.search(text))


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
    budget: float = 0.4
    """Seconds of timing for each pairing, warm-up and compilation apart."""
    raises: str = ""
    """The name of the exception that the pattern must raise."""
    prints: str | None = None
    """What the program's timed cells must print (an `out` fence)."""
    seed: int = 0
    fewest: int = 6
    """Pairs of samples that each pairing gets even beyond its budget; 6 have an interval."""
    again: bool = False
    """An earlier round has timed what its pairings compile."""
    checks: bool = True
    """Results are compared on inputs never seen as well."""
    expected: float = 0.0
    """Seconds that it took the last time, for whoever decides on an order; 0 where nobody knows."""
    folders: tuple[str, ...] = ()
    """Where the vault's own modules lie that the cells import; looked in after all others."""

    @property
    def every_cell(self) -> Cells:
        """All of its code, each side's of each pairing as well."""
        sides = (side for p in self.pairings for side in (p.candidate, p.baseline))
        return (*self.cells, *(cell for side in sides for cell in side))

    @property
    def alone(self) -> bool:
        """Nothing may run beside it: it is measured, or times itself."""
        return bool(self.pairings) or times_itself(self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a card was like while something was timed on it; what nothing tells is empty or 0."""

    timer: str = ""
    """`clock`: real time between two waits for the whole card."""
    on_card: tuple[bool, bool] = (False, False)
    """Whether baseline and candidate have anything in the card's memory."""
    cache: int = 0
    """Bytes of its level-2 cache."""
    flushed: int = 0
    """Bytes that were overwritten before each sample, to drive inputs out of the cache."""
    copies: int = 1
    """Copies of each side, called in turn within a sample."""
    held: int = 0
    """Bytes that all copies of both sides hold: where half of it is more than the cache, no call
    found there what the call of the same copy before it had left."""
    settings: tuple[dict[str, str], dict[str, str]] = field(default_factory=lambda: ({}, {}))
    """The precision that baseline and candidate asked for, such as TF32."""
    attention: tuple[str, str] = ("", "")
    """What `scaled_dot_product_attention` ran as: `flash`, `efficient`, `cudnn` or `math`."""
    clocks: dict[str, str] = field(default_factory=dict)
    """What nvidia-smi said of clocks, heat and power, by its own names, as the baseline ran on."""


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
    rounds: tuple[int, ...] = ()
    """How many of the pairs each round gave, in their order, where there is more than one: a
    process of its own, after all other comparisons had their turn."""
    planned: int = 0
    """How many rounds there were to be; with fewer, the measurement is not finished."""
    repeats: tuple[int, int] = (1, 1)
    """Calls in a sample, of baseline and candidate."""
    first_call: tuple[float, float] = (0.0, 0.0)
    """Seconds of the first call of baseline and candidate, compilation included."""
    threads: int = 1
    max_error: float | None = None
    """The largest difference between both results over the largest magnitude."""
    tolerance: float | None = None
    fresh: bool | None = None
    """Results were compared on inputs that no call had seen, too; None where nobody noted it."""
    stopped: str = ""
    """Why sampling ended: `narrow` or `budget`."""
    interrupted: int = 0
    """Samples that were taken again or set aside: another program ran in the midst of them."""
    busy: float = 0.0
    """Cores that other programs used meanwhile, beyond those that were left free."""
    floor: float = 0.0
    """The share by which identical code differed in the same run; 0 where nobody looked."""
    conditions: Conditions | None = None
    """Of the card; None where the job is for a CPU."""
    deaths: int = 0
    """Rounds that gave nothing since their process ended; the first after others is taken again."""
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
class Environment:
    """Device, driver, library versions, processor and operating system."""

    device: str
    """`cpu` or `cuda`."""
    device_name: str
    """`NVIDIA H200`; for a CPU its model's name."""
    capability: str = ""
    """CUDA compute capability, such as `9.0`."""
    driver: str = ""
    processor: str
    instructions: tuple[str, ...] = ()
    """The processor's sets of instructions for arithmetic, as its system names them: `avx2`."""
    cores: int
    system: str
    """`Linux 6.18`, for instance."""
    python: str
    torch: str = ""
    jax: str = ""
    numpy: str = ""
    compiler: str = ""
    """The C++ compiler that torch.compile would use; empty where there is none."""


OFF_CARD = "off-card"
"""Note of an outcome: it was to run on a card and has used only the processor beside it."""


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
    """`retargeted`, `off-card` and other things a reader should know."""
    checked: tuple[str, ...] = ()
    """What was asserted: shapes and prints as `line: text`."""
    outputs: tuple[Output, ...] = ()
    samples: tuple[Samples, ...] = ()
    held: tuple[str, ...] = ()
    """Which limits were in force: those of `PROPERTIES`, many with the mechanism that held them,
    such as `network:bubblewrap`."""
    environment: Environment | None = None
    """Of the worker, said by whoever runs it and never by a snippet; None is the asker's own."""


PROPERTIES = {
    "timeout": "It is killed when its time is over.",
    "memory": "It is killed, or refused more, at the memory that one snippet may have.",
    "cpu": "It may use the processor for as long as all cores could within its timeout.",
    "file-size": "It may not write a file of more than 1 GiB.",
    "disk": "It is killed when its folder holds more than a quarter of that memory.",
    "output": "What it prints is kept up to 64 KiB a cell.",
    "scratch": "Its working, home and temporary folder is its own, and removed after it.",
    "environment": "It sees no variable but those that programs need, so no token.",
    "descendants": "What it starts ends with it.",
    "processes": "It may start only so many processes and threads.",
    "filesystem": "It can write nowhere but in its own folder.",
    "network": "It reaches no other machine.",
    "signals": "It can signal and trace no process but its own.",
    "privileges": "It has no superuser's privileges beyond owning files.",
}
"""What can hold of a child; `Outcome.held` names what did."""


def not_held(held: Iterable[str]) -> tuple[str, ...]:
    """Name the properties that did not hold."""
    names = {each.partition(":")[0] for each in held}
    return tuple(name for name in PROPERTIES if name not in names)


T = TypeVar("T")


def encode(value: Any) -> str:
    """Write a value of this module as one line of JSON."""
    return "".join(_write(value, 0))


def fields_of(value: Any) -> dict[str, Any]:
    """Give the fields of a dataclass with slots.

    `dataclasses.asdict` copies them deeply, for ten times as long.
    """
    return {name: getattr(value, name) for name in value.__slots__}


_encoder = json.JSONEncoder(default=fields_of, ensure_ascii=True, separators=(",", ":"))


def _writer() -> Callable[[Any, int], Iterable[str]]:
    """Make what writes values: in C, which calls nothing that a snippet may have replaced."""
    inner = vars(json.encoder)
    make = inner["c_make_encoder"]
    if make is None:
        return lambda value, _indent: _encoder.encode(value)
    text = inner["c_encode_basestring_ascii"]
    writer: Callable[[Any, int], Iterable[str]]
    writer = make(None, fields_of, text, None, ":", ",", False, False, True)
    return writer


_write = _writer()


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


_hints = functools.cache(typing.get_type_hints)  # 50 µs a call, and a job is many values


def _build(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _record(kind, _expect(dict, value, where), where)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):  # here always: something or None
        return None if value is None else _build(arguments[0], value, where)
    if origin is tuple:
        return _items(arguments, _expect(list, value, where), where)
    if origin is dict:
        pairs = _expect(dict, value, where).items()
        return {k: _build(arguments[1], v, f"{where}.{k}") for k, v in pairs}
    if issubclass(kind, enum.Enum):
        return kind(value)
    if kind is float and type(value) is int:
        return float(value)
    return _expect(kind, value, where)


_hints = functools.cache(typing.get_type_hints)


def _record(kind: Any, value: dict[str, Any], where: str) -> Any:
    hints = _hints(kind)
    unknown = value.keys() - hints.keys()
    if unknown:
        raise ValueError(f"{where}: unknown field {min(unknown)!r}")
    try:
        return kind(**{k: _build(hints[k], v, f"{where}.{k}") for k, v in value.items()})
    except TypeError as error:  # a field without a default is missing
        raise ValueError(f"{where}: {error}") from None


def _items(kinds: tuple[Any, ...], values: list[Any], where: str) -> tuple[Any, ...]:
    if kinds[-1] is ...:
        kinds = kinds[:1] * len(values)
    if len(kinds) != len(values):
        raise ValueError(f"{where}: expected {len(kinds)} items, not {len(values)}")
    pairs = zip(kinds, values, strict=True)
    return tuple(_build(k, v, f"{where}[{i}]") for i, (k, v) in enumerate(pairs))


def _expect(kind: type[T], value: Any, where: str) -> T:
    if type(value) is not kind:  # a bool is an int to isinstance, and no line number
        names: dict[type, str] = {dict: "an object", list: "a list"}
        raise ValueError(f"{where}: expected {names.get(kind, kind.__name__)}, not {value!r:.80}")
    return value
