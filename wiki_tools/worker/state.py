"""The interpreter's shared state: what is set before a snippet runs and restored after it."""

import builtins
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """What the worker itself needs to work, as it was before a snippet ran."""

    names: dict[str, Any]
    """Of `builtins`."""
    changed: dict[str, Any] = field(default_factory=dict)
    """What the snippet has made of them."""
    modules: dict[str, Any]
    recursion: int
    stdout: Any
    stderr: Any

    @classmethod
    def remember(cls) -> "Interpreter":
        """Take down the state of now."""
        return cls(
            names=builtins.__dict__.copy(),
            modules=sys.modules.copy(),
            recursion=sys.getrecursionlimit(),
            stdout=sys.stdout,
            stderr=sys.stderr,
        )

    def lend(self, run: Callable[[], None]) -> None:
        """Run the snippet's code with its own changes to `builtins`, and put ours back after it.

        What follows the snippet's code works on names that it did not choose, an `except`
        clause included.
        """
        names, ours, trace, profile = builtins.__dict__, self.names, sys.settrace, sys.setprofile
        names.update(self.changed)
        try:
            run()
        finally:
            trace(None)
            profile(None)
            self.changed.update({k: v for k, v in names.items() if ours.get(k) is not v})
            names.update(ours)

    def restore(self) -> None:
        """Undo what a snippet may have done to the interpreter; its own modules stay."""
        sys.setrecursionlimit(self.recursion)
        for name in self.modules.keys() - sys.modules.keys():
            sys.modules[name] = self.modules[name]
        sys.stdout, sys.stderr = self.stdout, self.stderr
        warnings.simplefilter("ignore")  # a snippet may have made errors of them
        signal.setitimer(signal.ITIMER_REAL, 0)


def seed_everything(seed: int) -> None:
    """Seed every generator that is loaded; a JAX key is explicit in the code."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed)
    if (torch := sys.modules.get("torch")) is not None:
        torch.manual_seed(seed)


def set_threads(count: int) -> None:
    """Have the loaded libraries compute with `count` threads."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(count)
    if "numpy" in sys.modules:
        _set_openblas_threads(count)


def _set_openblas_threads(count: int) -> None:
    """Tell numpy's own OpenBLAS, which reads its environment variable only when it is loaded."""
    import ctypes

    folder = Path(sys.modules["numpy"].__file__ or "").parent.parent / "numpy.libs"
    for file in folder.glob("libscipy_openblas*"):
        library = ctypes.CDLL(str(file))
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
            if hasattr(library, name):
                getattr(library, name)(count)


def is_untouched() -> bool:
    """Say whether this process has one thread: only then may it fork.

    An operation of torch or JAX starts threads, which a forked child lacks and waits for
    (3 of 3 children hung after one). Imports start none.
    """
    try:
        return sum(1 for _ in Path("/proc/self/task").iterdir()) == 1
    except OSError:
        return threading.active_count() == 1
