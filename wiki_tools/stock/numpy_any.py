"""What every world shares in NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np

Floats = np.ndarray[Any, Any]


def dtype() -> object:
    """The precision that arrays have by default."""
    return np.float32


def rng() -> np.random.Generator:
    """A random generator."""
    return np.random.default_rng(0)


def params(W1: Floats, W2: Floats) -> dict[str, Floats]:  # noqa: N803
    """The weights of a feed-forward block: W1, b1, W2, b2."""
    return {
        "W1": W1,
        "b1": np.zeros(W1.shape[-1], dtype=np.float32),
        "W2": W2,
        "b2": np.zeros(W2.shape[-1], dtype=np.float32),
    }


def model(W1: Floats, W2: Floats) -> Callable[[Floats], Floats]:  # noqa: N803
    """A feed-forward block as a function of its input."""
    return lambda x: np.maximum(x @ W1, 0) @ W2
