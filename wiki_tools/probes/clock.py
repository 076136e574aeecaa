"""Times a piece of code for a picture of it; verdicts come from paired measurements alone."""

import sys
import time
from collections.abc import Callable
from typing import Any

from wiki_tools.probes.cuda import Cuda

TRIES = 5
"""Calls that are timed at least."""
SPENT = 0.1
"""Seconds after which no more calls are timed than that."""
MOST = 200
"""Calls that are timed at most."""


def seconds(f: Callable[..., Any], *args: Any) -> float:
    """Give the seconds of the fastest of a few calls of `f(*args)`, after one that is not timed.

    What gets in the way only ever adds, so the fastest is what compares with a roof. For a plot
    on a page: `wiki verify` runs code that times itself alone, with the threads of a measurement,
    but nothing is interleaved and no interval is known. No claim is judged by it.
    """
    card = Cuda()
    _finish(card, f(*args))
    fastest, spent, calls = float("inf"), 0.0, 0
    while calls < TRIES or (spent < SPENT and calls < MOST):
        start = time.perf_counter()
        _finish(card, f(*args))
        took = time.perf_counter() - start
        fastest, spent, calls = min(fastest, took), spent + took, calls + 1
    return fastest


def _finish(card: Cuda, value: object) -> None:
    """Wait for what works in the background: a card, and JAX on any device."""
    card.synchronise()
    jax: Any = sys.modules.get("jax")
    if jax is not None:
        jax.block_until_ready(value)
