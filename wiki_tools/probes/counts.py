"""Counts operations, calls, memory and error."""

import contextlib
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

from wiki_tools.probes.cuda import Cuda
from wiki_tools.probes.operators import is_known, name_of, refusal, run_parts

MATMULS = (
    "mm", "bmm", "addmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "vdot", "_int_mm",
    "_scaled_mm", "dot_general",
)  # fmt: skip
"""What `calls(f, "matmul")` counts: every product of matrices, whatever computes it."""


def flops(f: Callable[..., Any], *args: Any) -> int:
    """Count the floating-point operations of `f(*args)`; a multiply-add counts as two.

    torch: `torch.utils.flop_counter.FlopCounterMode`, which counts matrix products,
    convolutions and attention, and nothing that works element by element
    (https://docs.pytorch.org/docs/stable/utils.html). JAX: XLA's own estimate,
    `jax.stages.Compiled.cost_analysis`, of the compiled function
    (https://docs.jax.dev/en/latest/aot.html).

    Raises:
        TypeError: `f` uses neither torch nor JAX, or an operator whose operations are not known,
            such as `linalg_svd`: it is never taken for 0.
    """
    if is_jax(f, args):
        return int(cost(f, args).get("flops", 0))
    need_torch("flops")
    from torch.utils.flop_counter import FlopCounterMode

    counter = FlopCounterMode(display=False, custom_mapping=_formulas())
    with counter, _noted() as unknown:
        f(*args)
    if unknown:
        raise refusal("flops", unknown)
    return int(counter.get_total_flops())


@contextlib.contextmanager
def _noted() -> Iterator[set[str]]:
    """Note the operators that are called and whose operations nobody knows."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils.flop_counter import flop_registry

    counted = {*flop_registry, *_formulas()}
    unknown: set[str] = set()

    class Note(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(
            self, func: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func.overloadpacket not in counted:
                made = run_parts(self, func, args, kwargs)
                if made is not NotImplemented:
                    return made
            if not is_known(torch, func, counted):
                unknown.add(name_of(func))
            return func(*args, **(kwargs or {}))

    with Note():
        yield unknown


def _formulas() -> dict[Any, Callable[..., int]]:
    """What torch's own table lacks: products with a vector, and attention as a CPU computes it."""
    import torch
    from torch.utils.flop_counter import sdpa_backward_flop_count, sdpa_flop_count

    def attention(query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
        return int(sdpa_flop_count(query, key, value))

    def backward(gradient: Any, query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
        return int(sdpa_backward_flop_count(gradient, query, key, value))

    def product(left: Any, *_: Any, **__: Any) -> int:
        return int(2 * math.prod(left))

    def added(_: Any, left: Any, *__: Any, **___: Any) -> int:
        return product(left)

    aten = torch.ops.aten
    return {
        aten._scaled_dot_product_flash_attention_for_cpu: attention,
        aten._scaled_dot_product_flash_attention_for_cpu_backward: backward,
        aten.mv: product,
        aten.dot: product,
        aten.vdot: product,
        aten.addmv: added,
        aten._int_mm: lambda left, right, *_, **__: int(2 * math.prod(left) * right[-1]),
    }


def calls(f: Callable[..., Any], name: str, *args: Any) -> int:
    """Count how often `f(*args)` calls an operator, such as `mm`, `bmm` or `softmax`.

    torch: operators as the dispatcher sees them, so `A @ B` is one `mm` and `nn.Linear` one
    `addmm`; where no such operator exists, calls of the torch function of that name.
    JAX: primitives of the traced function. `matmul` counts every product of matrices.

    Raises:
        TypeError: `f` uses neither torch nor JAX.
    """
    if is_jax(f, args):
        import jax

        return _count_primitives(jax.make_jaxpr(f)(*args).jaxpr, _wanted(name))
    need_torch("calls")
    operators, functions = _torch_calls(f, args)
    found = sum(operators.get(each, 0) for each in _wanted(name))
    return found or functions.get(name, 0)


def _wanted(name: str) -> tuple[str, ...]:
    return MATMULS if name == "matmul" else (name.removeprefix("aten::").removeprefix("aten."),)


def _torch_calls(f: Callable[..., Any], args: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Count operators and torch functions by base name.

    https://docs.pytorch.org/docs/stable/notes/extending.html#extending-all-torch-api-with-modes
    """
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    operators: dict[str, int] = {}
    functions: dict[str, int] = {}

    class Dispatch(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(
            self, func: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            name = func.overloadpacket.__name__
            operators[name] = operators.get(name, 0) + 1
            return func(*args, **(kwargs or {}))

    class Function(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            name = getattr(func, "__name__", "")
            functions[name] = functions.get(name, 0) + 1
            return func(*args, **(kwargs or {}))

    with Function(), Dispatch():
        f(*args)
    return operators, functions


def _count_primitives(jaxpr: Any, names: tuple[str, ...]) -> int:
    count = 0
    for equation in jaxpr.eqns:
        count += equation.primitive.name in names
        for value in equation.params.values():
            for inner in value if isinstance(value, (list, tuple)) else (value,):
                inner = getattr(inner, "jaxpr", inner)  # noqa: PLW2901 - a closed one holds it
                count += _count_primitives(inner, names) if hasattr(inner, "eqns") else 0
    return count


def growth(cost: Callable[[int], float], *sizes: int) -> float:
    """Give the exponent with which `cost(size)` grows: about 2 where it is quadratic.

    The slope of the line that fits the logarithms best. Small sizes have other costs as well,
    such as a bias or a buffer, so that it comes near the exponent from moderate sizes on.

    Args:
        cost: gives what a size costs, such as `lambda n: flops(work, *inputs(n))`.
        *sizes: two or more, different from each other.

    Raises:
        ValueError: there are fewer than two sizes, or one of them costs nothing.
    """
    if len(set(sizes)) < 2 or min(sizes) <= 0:
        raise ValueError("growth: takes two different sizes or more, all above 0")
    costs = [float(cost(size)) for size in sizes]
    if not all(math.isfinite(each) and each > 0 for each in costs):
        raise ValueError(f"growth: no logarithm of costs {costs}; nothing may be counted there")
    across, up = [math.log(size) for size in sizes], [math.log(each) for each in costs]
    middle, height = sum(across) / len(across), sum(up) / len(up)
    spread = sum((x - middle) ** 2 for x in across)
    return sum((x - middle) * (y - height) for x, y in zip(across, up, strict=True)) / spread


def peak_memory(f: Callable[..., Any], *args: Any) -> int:
    """Give the most bytes that `f(*args)` holds at once beyond what was held before.

    CUDA: `torch.cuda.max_memory_allocated`. torch on a CPU: the allocations that
    `torch.profiler` records (https://docs.pytorch.org/docs/stable/profiler.html). JAX:
    temporaries and results of the compiled function, `Compiled.memory_analysis`. Anything
    else, numpy among it: `tracemalloc`, Python's own objects included.
    """
    if is_jax(f, args):
        sizes = compiled(f, args).memory_analysis()
        return int(sizes.temp_size_in_bytes + sizes.output_size_in_bytes)
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return _traced_peak(f, args)
    card = Cuda()
    if card.torch is not None:
        return card.peak(lambda: f(*args))
    return _profiled_peak(f, args) or _traced_peak(f, args)


def _profiled_peak(f: Callable[..., Any], args: Any) -> int:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        f(*args)
    events = [e for e in recorded.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda e: int(e.start_ns())):
        held += event.nbytes()
        peak = max(peak, held)
    return int(peak)


def _traced_peak(f: Callable[..., Any], args: Any) -> int:
    import tracemalloc

    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        f(*args)
        return max(tracemalloc.get_traced_memory()[1] - before, 0)
    finally:
        if not running:
            tracemalloc.stop()


def max_error(a: Any, b: Any) -> float:
    """Give the largest absolute difference between two results, in double precision.

    Two NaN in the same place are equal; a NaN against a number is infinitely wrong.

    Raises:
        ValueError: the shapes differ.
    """
    import numpy as np

    left, right = _as_array(a), _as_array(b)
    if left.shape != right.shape:
        raise ValueError(f"max_error: shapes differ, {left.shape} and {right.shape}")
    if not left.size:
        return 0.0
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.where(same, 0.0, np.abs(left - right))
    return float(np.where(np.isnan(difference), np.inf, difference).max())


def _as_array(value: Any) -> Any:
    import numpy as np

    if (torch := sys.modules.get("torch")) is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value.to(torch.complex128 if value.is_complex() else torch.float64).numpy()
    array = np.asarray(value)
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def is_jax(f: Callable[..., Any], args: Any) -> bool:
    """Say whether a call is JAX's: a jitted function, or one that is given JAX arrays."""
    jax: Any = sys.modules.get("jax")
    if jax is None:
        return False
    return hasattr(f, "lower") or any(
        isinstance(leaf, jax.Array) for leaf in jax.tree_util.tree_leaves(args)
    )


def compiled(f: Any, args: Any) -> Any:
    """Compile a call ahead of time, as `jax.stages.Compiled`."""
    import jax

    return (f if hasattr(f, "lower") else jax.jit(f)).lower(*args).compile()


def cost(f: Any, args: Any) -> dict[str, float]:
    """Give XLA's estimate of a call: `flops`, `bytes accessed` and others by name."""
    found = compiled(f, args).cost_analysis()
    return dict((found[0] if isinstance(found, list) else found) or {})


def need_torch(probe: str) -> None:
    """Refuse code that neither torch nor JAX computes.

    Raises:
        TypeError: torch is not imported.
    """
    if "torch" not in sys.modules:
        raise TypeError(f"{probe} counts what torch and JAX compute; this code imports neither")
