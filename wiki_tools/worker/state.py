"""The interpreter's shared state: what is set before a snippet runs and restored after it."""

# ruff: noqa: PTH116
# pathlib costs every forked child half a millisecond of page faults.

import builtins
import functools
import os
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wiki_tools.protocol import Cells
from wiki_tools.worker.program import Namespace, run_code


@dataclass(slots=True, kw_only=True)
class Interpreter:
    """What the worker itself needs to work, as it was before a snippet ran."""

    names: dict[str, Any] | None
    """Of `builtins`; None where the snippet does not speak of them. Taking them costs a forked
    child 0.8 ms of page faults, and with `sys.modules` ten times that."""
    recursion: int
    stdout: Any
    stderr: Any
    changed: dict[str, Any] = field(default_factory=dict)
    """What the snippet has made of `names`."""

    @classmethod
    def remember(cls, cells: Cells) -> "Interpreter":
        """Take down the state of now, before `cells` run."""
        spoken_of = any("builtins" in cell.code for cell in cells)
        return cls(
            names=builtins.__dict__.copy() if spoken_of else None,
            recursion=sys.getrecursionlimit(),
            stdout=sys.stdout,
            stderr=sys.stderr,
        )

    def lend(self, code: types.CodeType, namespace: Namespace) -> Any:
        """Run the snippet's code with its own changes to `builtins`, and put ours back after it.

        What follows the snippet's code works on names that it did not choose, an `except`
        clause included.
        """
        names, ours, trace, profile = builtins.__dict__, self.names, sys.settrace, sys.setprofile
        if self.changed:
            names.update(self.changed)
        try:
            return run_code(code, namespace)
        finally:
            trace(None)
            profile(None)
            if ours is not None:
                self.changed.update({k: v for k, v in names.items() if ours.get(k) is not v})
                names.update(ours)

    def restore(self) -> None:
        """Undo what a snippet may have done to the interpreter; its own modules stay."""
        sys.setrecursionlimit(self.recursion)
        sys.stdout, sys.stderr = self.stdout, self.stderr
        warnings.filters = []  # a snippet may have made errors of them
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def seed_everything(seed: int) -> None:
    """Seed every generator that is loaded; a JAX key is explicit in the code."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed)
    if (torch := sys.modules.get("torch")) is not None:
        # torch.manual_seed costs a forked child 19 ms: it looks at every kind of device.
        torch.default_generator.manual_seed(seed)
        if os.environ.get("CUDA_VISIBLE_DEVICES") != "" and "torch.cuda" in sys.modules:
            torch.cuda.manual_seed_all(seed)


def set_threads(count: int) -> None:
    """Have the loaded libraries compute with `count` threads."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != count:
        torch.set_num_threads(count)
    for get, change in prepare_threads() if "numpy" in sys.modules else ():
        if get() != count:
            change(count)


@functools.cache
def prepare_threads() -> tuple[tuple[Callable[[], int], Callable[[int], None]], ...]:
    """Find how to ask and tell numpy's own OpenBLAS, which reads its environment only once."""
    import ctypes
    from pathlib import Path

    numpy = sys.modules.get("numpy")
    found = []
    for file in Path(getattr(numpy, "__file__", "")).parent.parent.glob(OPENBLAS):
        library = ctypes.CDLL(str(file))
        for suffix in ("64_", ""):
            get = getattr(library, f"scipy_openblas_get_num_threads{suffix}", None)
            change = getattr(library, f"scipy_openblas_set_num_threads{suffix}", None)
            if get is not None and change is not None:
                found.append((get, change))
                break
    return tuple(found)


OPENBLAS = "numpy.libs/libscipy_openblas*"


def is_untouched() -> bool:
    """Say whether this process has one thread: only then may it fork.

    An operation of torch or JAX starts threads, which a forked child lacks and waits for
    (3 of 3 children hung after one). Imports start none.
    """
    return os.stat("/proc/self/task").st_nlink == 3  # two and one a thread


def why_touched() -> str:
    """Say what an import has left running that a forked child would lack; empty where nothing."""
    cuda: Any = sys.modules.get("torch.cuda")
    if cuda is not None and cuda.is_initialized():
        return "CUDA is in use"
    bridge: Any = sys.modules.get("jax._src.xla_bridge")
    if bridge is not None and bridge.backends_are_initialized():
        return "a backend of JAX is in use"
    return "" if is_untouched() else "it has threads"
