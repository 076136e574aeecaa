"""Compares what two programs give: a faster wrong answer is never a speedup."""

import random
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

BFLOAT16 = 2.0**-7
"""Its epsilon."""
EXACT = (str, bytes, bool, int, float, complex)


class UncomparableError(Exception):
    """A value of which nobody can say whether it is the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One array, number or text of a result, copied: later calls do not change it."""

    values: Any
    """A NumPy array, or what is compared with `==`."""
    dtype: str
    """`float32`; empty for a Python value, which agrees with every dtype of its kind."""
    device: str
    epsilon: float
    """Of the dtype; 0 where values must be equal."""

    @property
    def is_array(self) -> bool:
        """Numbers rather than text."""
        return hasattr(self.values, "shape")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far two results agree."""

    error: float = 0.0
    """The largest difference over the largest magnitude."""
    tolerance: float = 0.0
    problem: str = ""
    """Why they are not the same result; empty when they are."""


def leaves(value: Any) -> tuple[Leaf, ...]:
    """Take a result apart, nested in any way, and copy its parts.

    Raises:
        UncomparableError: it holds something that is neither numbers nor text.
    """
    return tuple(_leaves(value, 0))


def is_means(value: Any) -> bool:
    """Say whether a value is only what code works with: a module, or a source of random numbers.

    `numpy.copyto(out, x)` looks like a method of an object that it changes.
    """
    kinds = [types.ModuleType, random.Random]
    if (numpy := sys.modules.get("numpy")) is not None:
        kinds += [numpy.random.Generator, numpy.random.RandomState]
    if (torch := sys.modules.get("torch")) is not None:
        kinds.append(torch.Generator)
    return isinstance(value, tuple(kinds))


def compare(
    baseline: Sequence[Leaf], candidate: Sequence[Leaf], coarser: bool = False
) -> Agreement:
    """Say whether two results are the same, within a tolerance of magnitude and dtype.

    The tolerance is `eps ** (2/3)` of the dtype, relative to the largest magnitude: 2e-5 for
    float32, 4% for bfloat16. It lies between `eps`, which reordered sums exceed, and
    `sqrt(eps)`, under which an answer in half the digits would pass.

    Args:
        baseline: what the baseline gave.
        candidate: what the candidate gave.
        coarser: one side computed in half precision. Dtypes may differ, and the coarser one
            decides; where they do not, what was computed in half was widened afterwards.
    """
    baseline, candidate = _aligned(baseline, candidate)
    if len(baseline) != len(candidate):
        counts = f"the baseline gives {len(baseline)}, the candidate {len(candidate)}"
        return Agreement(problem=f"the results differ in number: {counts}")
    worst = Agreement()
    for one, other in zip(baseline, candidate, strict=True):
        found = _compare(one, other, coarser)
        if found.problem:
            return found
        if found.error >= worst.error:
            worst = found
    if not any(_tells(leaf) for leaf in baseline):
        return Agreement(problem="the result is all zeros, so that a wrong one would pass as well")
    return worst


def _aligned(one: Sequence[Leaf], other: Sequence[Leaf]) -> tuple[Sequence[Leaf], Sequence[Leaf]]:
    """Stack many results of one shape, where the other side gives them as one array."""
    if len(one) > len(other) == 1:
        return _stacked(one, other[0]), other
    if len(other) > len(one) == 1:
        return one, _stacked(other, one[0])
    return one, other


def _stacked(parts: Sequence[Leaf], whole: Leaf) -> Sequence[Leaf]:
    first = parts[0]
    alike = all(
        p.is_array and p.values.shape == first.values.shape and p.dtype == first.dtype
        for p in parts
    )
    if not alike or not whole.is_array or whole.values.shape != (len(parts), *first.values.shape):
        return parts
    import numpy as np

    return (replace(first, values=np.stack([p.values for p in parts])),)


def _compare(one: Leaf, other: Leaf, coarser: bool) -> Agreement:
    if one.is_array != other.is_array:
        return Agreement(problem="the results differ in kind")
    if not one.is_array:
        same = one.values == other.values
        told = f"{one.values!r:.40} against {other.values!r:.40}"
        return Agreement(problem="" if same else f"the results differ: {told}")
    if one.values.shape != other.values.shape:
        shapes = f"{one.values.shape} against {other.values.shape}"
        return Agreement(problem=f"the results differ in shape: {shapes}")
    if one.dtype and other.dtype and one.dtype != other.dtype and not coarser:
        return Agreement(problem=f"the results differ in dtype: {one.dtype} against {other.dtype}")
    if one.device and other.device and one.device != other.device:
        return Agreement(
            problem=f"the results lie on different devices: {one.device} against {other.device}"
        )
    if coarser and one.epsilon and one.dtype == other.dtype:
        return _measure(replace(one, epsilon=max(one.epsilon, BFLOAT16)), other)
    return _measure(one, other)


def _measure(one: Leaf, other: Leaf) -> Agreement:
    import numpy as np

    tolerance = max(one.epsilon, other.epsilon) ** (2 / 3)
    if not one.values.size:
        return Agreement(tolerance=tolerance)
    largest = [_largest(leaf.values) for leaf in (one, other)]
    for side, size in zip(("baseline", "candidate"), largest, strict=True):
        if not np.isfinite(size):
            return Agreement(problem=f"the {side}'s result holds values that are not finite")
    magnitude = max(largest)
    with np.errstate(all="ignore"):
        difference = _largest(one.values - other.values)
    error = difference / magnitude if magnitude else 0.0
    if error > tolerance:
        problem = (
            f"the results differ by {error:.2g} of their magnitude; {tolerance:.2g} is allowed"
        )
        return Agreement(error=error, tolerance=tolerance, problem=problem)
    return Agreement(error=error, tolerance=tolerance)


def _largest(values: Any) -> float:
    """Give the largest magnitude, without a copy of the values; not finite where one is not."""
    if values.dtype.kind == "c":
        return float(abs(values).max())
    return max(float(values.max()), -float(values.min()))


def _tells(leaf: Leaf) -> bool:
    """The negative control: zeros in its place must fail."""
    return bool(leaf.values.any()) if leaf.is_array else True


def _leaves(value: Any, depth: int) -> Iterator[Leaf]:
    if depth > 20:
        raise UncomparableError("it is nested too deeply")
    torch, numpy, jax = (sys.modules.get(m) for m in ("torch", "numpy", "jax"))
    if torch and isinstance(value, torch.Tensor):
        yield _torch_leaf(torch, value)
    elif torch and isinstance(value, torch.optim.Optimizer):  # what a step gives are weights
        yield from _leaves([group["params"] for group in value.param_groups], depth + 1)
    elif numpy and isinstance(value, numpy.ndarray | numpy.generic):
        yield _numpy_leaf(numpy.array(value), "cpu")
    elif jax and isinstance(value, jax.Array):
        devices = {d.platform for d in value.devices()}
        yield _numpy_leaf(sys.modules["numpy"].array(value), ",".join(sorted(devices)))
    elif isinstance(value, str | bytes):
        yield Leaf(values=value, dtype="", device="", epsilon=0.0)
    elif isinstance(value, EXACT):
        yield _number_leaf(value)
    elif isinstance(value, Mapping):
        for key in value:
            yield from _leaves(value[key], depth + 1)
    elif isinstance(value, list | tuple):
        yield from _list_leaves(value, depth)
    elif isinstance(value, set | frozenset | range):
        yield Leaf(values=value, dtype="", device="", epsilon=0.0)
    elif value is not None:
        raise UncomparableError(f"a {type(value).__name__} cannot be compared")


def _list_leaves(value: Sequence[Any], depth: int) -> Iterator[Leaf]:
    """Nested lists of numbers, as an interpreted loop makes them, read as one array."""
    if value and _innermost_is_number(value):
        try:
            yield _number_leaf(value)
            return
        except (ValueError, TypeError, OverflowError):
            pass
    for part in value:
        yield from _leaves(part, depth + 1)


def _innermost_is_number(value: Any) -> bool:
    for _ in range(20):
        if not isinstance(value, list | tuple) or not value:
            break
        value = value[0]
    return isinstance(value, int | float | complex)


def _torch_leaf(torch: Any, value: Any) -> Leaf:
    dense = value.detach()
    if dense.layout is not torch.strided:
        dense = dense.to_dense()
    if dense.is_quantized:
        dense = dense.dequantize()
    kind = dense.dtype
    floating = kind.is_floating_point
    wide = torch.float64 if floating else torch.complex128 if kind.is_complex else kind
    values = dense.to("cpu", wide, copy=True).resolve_conj().resolve_neg().numpy()
    epsilon = torch.finfo(kind).eps if floating or kind.is_complex else 0.0
    return Leaf(
        values=_signed(values),
        dtype=str(kind).removeprefix("torch."),
        device=str(value.device.type),
        epsilon=float(epsilon),
    )


def _numpy_leaf(value: Any, device: str) -> Leaf:
    numpy = sys.modules["numpy"]
    name = str(value.dtype)
    if name == "bfloat16" or name.startswith("float8"):  # of ml_dtypes, as JAX has them
        epsilon = float(sys.modules["ml_dtypes"].finfo(value.dtype).eps)
        return Leaf(values=value.astype("float64"), dtype=name, device=device, epsilon=epsilon)
    if value.dtype.kind in "fc":
        epsilon = float(numpy.finfo(value.dtype).eps)
        wide = "float64" if value.dtype.kind == "f" else "complex128"
        return Leaf(values=value.astype(wide), dtype=name, device=device, epsilon=epsilon)
    if value.dtype.kind not in "biu":
        raise UncomparableError(f"an array of {name} cannot be compared")
    return Leaf(values=_signed(value), dtype=name, device=device, epsilon=0.0)


def _number_leaf(value: Any) -> Leaf:
    import numpy

    values = numpy.array(value)
    if values.dtype.kind not in "biufc":
        raise ValueError("no array of numbers")
    epsilon = float(numpy.finfo("float64").eps) if values.dtype.kind in "fc" else 0.0
    return Leaf(values=_signed(values), dtype="", device="", epsilon=epsilon)


def _signed(values: Any) -> Any:
    """Differences of bool and unsigned integers need a type that has a sign."""
    return values.astype("float64") if values.dtype.kind in "bu" else values
