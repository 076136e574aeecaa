"""What code sets for a whole process, and a device then computes by: each side keeps its own.

Without this a baseline would multiply in TF32 because the candidate has asked for it.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

Settings = tuple[tuple[str, Any], ...]
"""Name to value, in the order in which they are put back."""

SWITCHED = {
    "float32_matmul_precision": ("get_float32_matmul_precision", "set_float32_matmul_precision"),
    "grad": ("is_grad_enabled", "set_grad_enabled"),
    "dtype": ("get_default_dtype", "set_default_dtype"),
    "anomaly": ("is_anomaly_enabled", "autograd.set_detect_anomaly"),
    "deterministic": ("are_deterministic_algorithms_enabled", "use_deterministic_algorithms"),
    "flash attention": ("backends.cuda.flash_sdp_enabled", "backends.cuda.enable_flash_sdp"),
    "efficient attention": (
        "backends.cuda.mem_efficient_sdp_enabled",
        "backends.cuda.enable_mem_efficient_sdp",
    ),
    "math attention": ("backends.cuda.math_sdp_enabled", "backends.cuda.enable_math_sdp"),
    "cudnn attention": ("backends.cuda.cudnn_sdp_enabled", "backends.cuda.enable_cudnn_sdp"),
}
"""Settings of torch that one function tells and another one changes."""
ATTRIBUTES = (
    "backends.fp32_precision",
    "backends.cuda.matmul.fp32_precision",
    "backends.cudnn.conv.fp32_precision",
    "backends.cudnn.rnn.fp32_precision",
    "backends.mkldnn.matmul.fp32_precision",
    "backends.cuda.matmul.allow_fp16_reduced_precision_reduction",
    "backends.cuda.matmul.allow_bf16_reduced_precision_reduction",
    "backends.cudnn.benchmark",
    "backends.cudnn.deterministic",
    "backends.opt_einsum.enabled",
    "backends.opt_einsum.strategy",
)
"""Those that are attributes. The first row above changes some of them, so it is put back first."""
JAX = ("jax_enable_x64", "jax_default_matmul_precision", "jax_disable_jit")


Row = tuple[str, Callable[[], Any], Callable[[Any], object]]
"""A setting's name, what tells it and what changes it."""


def take_settings() -> Settings:
    """Note every setting of the frameworks that are loaded."""
    return tuple((name, get()) for name, get, _ in _loaded())


def put_settings(settings: Settings) -> None:
    """Set what differs; what a framework sets that was loaded later is left as it is."""
    wanted = dict(settings)
    for name, get, put in _loaded():
        if name in wanted and get() != wanted[name]:
            put(wanted[name])


def _loaded() -> tuple[Row, ...]:
    return _rows(sys.modules.get("torch"), sys.modules.get("jax"))


@functools.cache  # each sample asks
def _rows(torch: Any, jax: Any) -> tuple[Row, ...]:
    return (*(_torch_rows(torch) if torch else ()), *(_flag(jax, name) for name in JAX if jax))


def _torch_rows(torch: Any) -> Iterator[Row]:
    for name, (get, put) in SWITCHED.items():
        if (known := _find(torch, get)) is not None:
            yield name, known, attrgetter(put)(torch)
    yield "device", torch.get_default_device, _put_device(torch)
    for name in ATTRIBUTES:
        path, _, attribute = name.rpartition(".")
        if hasattr(holder := _find(torch, path), attribute):
            yield _attribute(name, holder, attribute)


def _put_device(torch: Any) -> Callable[[Any], None]:
    """Change the default device; where that is the CPU, none has to be set, which is faster."""

    def put(value: Any) -> None:
        torch.set_default_device(None if value.type == "cpu" else value)

    return put


def _find(torch: Any, path: str) -> Any:
    """What lies at a dotted path; None in a version of torch that has none of it."""
    try:
        return attrgetter(path)(torch)
    except AttributeError:
        return None


def _attribute(name: str, holder: Any, attribute: str) -> Row:
    def put(value: Any) -> None:
        setattr(holder, attribute, value)

    return name, lambda: getattr(holder, attribute), put


def _flag(jax: Any, name: str) -> Row:
    return name, lambda: getattr(jax.config, name), lambda value: jax.config.update(name, value)
