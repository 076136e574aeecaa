"""Places a piece of code under this machine's own roof.

The roofline model: S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual
Performance Model for Multicore Architectures", Communications of the ACM 52 (2009) 65-76. Both
of its lines are measured here, with torch: an addition in place for the slope, a product of
matrices for the flat part. A copy would make a lower slope: what it overwrites is fetched first,
which nobody counts, so that code which only reads would stand far above the roof.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from wiki_tools.probes.clock import seconds
from wiki_tools.probes.counts import cost, flops, is_jax, need_torch
from wiki_tools.probes.cuda import Cuda
from wiki_tools.probes.operators import elementwise, is_dense, moved, run_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much work the two measurements of a roof are."""

    streamed: int
    """Bytes that the addition reads, and writes."""
    side: int
    """Rows and columns of the product's matrices."""
    calls: int
    """Calls that are timed together."""


PROCESSOR = Size(streamed=64 << 20, side=1024, calls=1)
"""Beyond the caches of most processors."""
CARD = Size(streamed=1 << 30, side=8192, calls=8)
"""What a card does in the time that a launch takes would say nothing of its roof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """What a machine can do at most."""

    bandwidth: float
    """Bytes a second that an addition in place reads and writes."""
    compute: float
    """Operations a second of a product of square matrices."""
    dtype: str = "float32"
    device: str = "cpu"
    threads: int = 1
    """Of the processor, at the time."""

    def __str__(self) -> str:
        """Both lines, for a page that shows them."""
        what = f"{self.dtype} on {self.device}"
        if self.device == "cpu":
            what += f", {self.threads} thread" + "s" * (self.threads > 1)
        lines = f"{self.bandwidth / 1e9:.3g} GB/s, {self.compute / 1e9:.4g} GFLOP/s"
        return f"{what}: {lines}, ridge at {self.ridge:.3g} operations a byte"

    @property
    def ridge(self) -> float:
        """Operations a byte from which on computing is what limits."""
        return self.compute / self.bandwidth

    def at(self, intensity: float) -> float:
        """Operations a second that code of that intensity can reach."""
        return min(self.compute, self.bandwidth * intensity)


def operations(f: Callable[..., Any], *args: Any) -> int:
    """Count the operations of `f(*args)`, those element by element included.

    torch: `flops`, and one for each element that a pointwise operator writes or a reduction
    reads; an exponential counts as one, whatever it costs. What moves, draws or compares counts
    nothing. JAX: XLA's own estimate.

    Raises:
        TypeError: `f` uses neither torch nor JAX, or an operator whose operations are not known,
            such as `linalg_svd`.
    """
    if is_jax(f, args):
        return flops(f, *args)
    return flops(f, *args) + _count("operations", f, args).operations


def bytes_moved(f: Callable[..., Any], *args: Any) -> int:
    """Count the bytes that the operators of `f(*args)` read and write, each input once.

    What really reaches the memory may be less, where a cache holds what the last operator wrote.
    Views move nothing, and a lookup reads what it gives. JAX: XLA's own estimate, after fusion.

    Raises:
        TypeError: `f` uses neither torch nor JAX.
        ValueError: it uses tensors that are not dense.
    """
    if is_jax(f, args):
        return int(cost(f, args).get("bytes accessed", 0))
    return _count("bytes_moved", f, args).moved


def intensity(f: Callable[..., Any], *args: Any) -> float:
    """Give the operations of `f(*args)` for each byte that it moves.

    Raises:
        TypeError: `f` uses neither torch nor JAX.
        ValueError: it moves nothing.
    """
    return _place("intensity", f, args)[0]


def bound(f: Callable[..., Any], *args: Any) -> str:
    """Say what limits `f(*args)` under this machine's roof: `memory` or `compute`.

    The roof is that of the floating-point type of which most is moved.

    Raises:
        TypeError: `f` uses neither torch nor JAX.
        ValueError: it moves nothing.
    """
    found, dtype = _place("bound", f, args)
    return "memory" if found < roof(dtype).ridge else "compute"


def _place(probe: str, f: Callable[..., Any], args: Any) -> tuple[float, str]:
    """Give the intensity of `f(*args)` and the floating-point type of which it moves most."""
    if is_jax(f, args):
        done, size = operations(f, *args), bytes_moved(f, *args)
        dtypes = [str(a.dtype) for a in args if hasattr(a, "dtype")]
    else:
        counted = _count(probe, f, args)
        done, size = flops(f, *args) + counted.operations, counted.moved
        dtypes = [name for name, _ in counted.dtypes.most_common(1)]
    if not size:
        raise ValueError(f"{probe}: no operator reads or writes anything")
    return done / size, dtypes[0].removeprefix("torch.") if dtypes else "float32"


@functools.cache
def roof(dtype: str = "float32") -> Roof:
    """Measure what this machine can do, once a process, on the device that torch would use.

    The number of threads is what it is at the first call. Takes about half a second.

    Args:
        dtype: of the matrices, as torch names it.

    Raises:
        TypeError: torch has no such type of numbers.
    """
    import torch

    kind = getattr(torch, dtype, None)
    if not isinstance(kind, torch.dtype):
        raise TypeError(f"roof: {dtype!r} is no dtype of torch, such as float32 or bfloat16")
    card = Cuda()
    device, size = ("cpu", PROCESSOR) if card.torch is None else ("cuda", CARD)
    stream = torch.zeros(size.streamed // 4, device=device)
    matrix = _numbers(torch, size.side, device).to(kind)
    product = torch.empty_like(matrix)  # fresh memory for each would be timed too
    return Roof(
        bandwidth=2 * size.streamed / _each(size.calls, lambda: stream.add_(1)),
        compute=2 * size.side**3 / _each(size.calls, lambda: torch.mm(matrix, matrix, out=product)),
        dtype=dtype,
        device=device,
        threads=torch.get_num_threads(),
    )


def _numbers(torch: Any, side: int, device: str) -> Any:
    """A square of numbers from -4 to 4: equal ones cost a card less power, so it runs faster."""
    generator = torch.Generator(device).manual_seed(0)
    return torch.rand(side, side, device=device, generator=generator) * 8 - 4


def _each(calls: int, work: Callable[[], object]) -> float:
    """Seconds of one of so many calls in a row."""
    return seconds(lambda: [work() for _ in range(calls)]) / calls


@dataclass(slots=True)
class _Counted:
    """What the operators of a call add up to."""

    operations: int = 0
    """Those element by element."""
    moved: int = 0
    """Bytes."""
    dtypes: Counter[str] = field(default_factory=Counter)
    """Bytes of each floating-point type."""


def _count(probe: str, f: Callable[..., Any], args: Any) -> _Counted:
    need_torch(probe)
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    total = _Counted()

    class Count(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(
            self, func: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            made = run_parts(self, func, args, kwargs)
            if made is not NotImplemented:
                return made
            found = func(*args, **(kwargs or {}))
            read, written = [list(_tensors(torch, v)) for v in ((args, kwargs), found)]
            if not _is_free(torch, func, read, written):
                total.operations += elementwise(torch, func, args, read, written)
                total.moved += moved(func, read, written)
                for each in (*read, *written):
                    if each.is_floating_point():
                        total.dtypes[str(each.dtype)] += each.numel() * each.element_size()
            return found

    with Count():
        f(*args)
    return total


def _is_free(torch: Any, func: Any, read: list[Any], written: list[Any]) -> bool:
    """Whether an operator only makes room, or another view of what is there."""
    if torch.Tag.inplace_view in func.tags:
        return True
    if func._schema.is_mutable:
        return False
    if not all(map(is_dense, (*read, *written))):
        return False
    there = {t.untyped_storage().data_ptr() for t in read}
    made = {t.untyped_storage().data_ptr() for t in written}
    return "empty" in func.overloadpacket.__name__ or bool(written and made <= there)


def _tensors(torch: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _tensors(torch, part)
    elif isinstance(value, dict):
        yield from _tensors(torch, list(value.values()))
