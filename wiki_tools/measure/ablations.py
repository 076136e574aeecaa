"""What turning an accelerator off means: one row each."""

from collections.abc import Iterable
from dataclasses import dataclass

from wiki_tools.measure.signs import USUAL, signs_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """An accelerator, how code shows that it uses it, and what turns it off."""

    name: str
    used_by: tuple[str, ...]
    """Signs that reveal it, as `signs_of` gives them."""
    off: str
    """A Python expression of a context manager.

    It may name `torch`, `jax`, `numpy`, `mock`, `contextlib`, and `off`, the module of the worker
    with what takes more than a patch. The whole baseline is built and called inside it.
    """
    meaning: str
    """What the baseline is, for a reader."""
    prepares: bool = False
    """Naming it only wraps a function or converts an input: that is set-up, its use is timed."""
    converts: bool = False
    """Naming it is work that pays off later or not at all: alone it is held against nothing."""
    coarser: bool = False
    """It changes the dtype, so that results are compared at the coarser one."""


_PLAIN = "lambda function=None, *_, **__: function"
_EAGER = "lambda model=None, **_: model if model is not None else (lambda function: function)"
_OPTIMIZERS = (
    *("ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW"),
    *("Adamax", "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD"),
)

ABLATIONS: tuple[Ablation, ...] = (
    Ablation(
        name="torch.compile",
        used_by=("torch.compile",),
        off=f"mock.patch.object(torch, 'compile', {_EAGER})",
        meaning="the same code without torch.compile",
        prepares=True,
    ),
    Ablation(
        name="torch.compile mode",
        used_by=("torch.compile(mode)", "torch.compile(options)"),
        off="off.forced([torch], 'compile', mode=None, options=None)",
        meaning="the same code compiled in the default mode",
        prepares=True,
    ),
    Ablation(
        name="CUDA graphs",
        used_by=("torch.cuda.make_graphed_callables",),
        off="mock.patch.object(torch.cuda, 'make_graphed_callables', off.itself)",
        meaning="the same code, each kernel launched by itself",
        prepares=True,
    ),
    Ablation(
        name="torch.jit",
        used_by=("torch.jit.script", "torch.jit.trace"),
        off=f"mock.patch.multiple(torch.jit, script={_PLAIN}, trace={_PLAIN})",
        meaning="the same code without torch.jit",
        prepares=True,
    ),
    Ablation(
        name="jax.jit",
        used_by=("jax.jit",),
        off="jax.disable_jit()",
        meaning="the same code without jax.jit",
        prepares=True,
    ),
    Ablation(
        name="autocast",
        used_by=(
            "torch.autocast",
            "torch.amp.autocast",
            "torch.cuda.amp.autocast",
            "torch.cpu.amp.autocast",
        ),
        off="mock.patch.multiple(torch.autocast, __enter__=lambda self: self, "
        "__exit__=lambda self, *error: None)",
        meaning="the same code without autocast",
        coarser=True,
    ),
    Ablation(
        name="scaled_dot_product_attention",
        used_by=("torch.nn.functional.scaled_dot_product_attention",),
        off="off.math_attention(torch)",
        meaning="scaled_dot_product_attention on its math backend",
    ),
    Ablation(
        name="float32 matmul precision",
        used_by=(
            "torch.set_float32_matmul_precision",
            "torch.backends.cuda.matmul.allow_tf32",
            "torch.backends.cuda.matmul.fp32_precision",
        ),
        off="off.full_precision(torch)",
        meaning="the same code with float32 multiplied in float32",
        prepares=True,
        coarser=True,
    ),
    Ablation(
        name="JAX matmul precision",
        used_by=("jax.default_matmul_precision",),
        off="mock.patch.object(jax, 'default_matmul_precision', off.nothing)",
        meaning="the same code at JAX's default precision",
        coarser=True,
    ),
    Ablation(
        name="channels_last",
        used_by=("torch.channels_last", "torch.channels_last_3d"),
        off="mock.patch.multiple(torch, channels_last=torch.contiguous_format, "
        "channels_last_3d=torch.contiguous_format)",
        meaning="the same code without channels_last",
        prepares=True,
    ),
    Ablation(
        name="vmap",
        used_by=("torch.vmap", "torch.func.vmap"),
        off="off.replaced([torch, torch.func], 'vmap', off.torch_loop(torch))",
        meaning="the same code with a Python loop in place of vmap",
        prepares=True,
    ),
    Ablation(
        name="jax.vmap",
        used_by=("jax.vmap",),
        off="mock.patch.object(jax, 'vmap', off.jax_loop(jax))",
        meaning="the same code with a Python loop in place of vmap",
        prepares=True,
    ),
    Ablation(
        name="jax.lax loops",
        used_by=("jax.lax.scan", "jax.lax.fori_loop", "jax.lax.map", "jax.lax.while_loop"),
        off="jax.disable_jit()",
        meaning="the same code with its loop run by Python",
    ),
    Ablation(
        name="fused optimizer",
        used_by=tuple(f"torch.optim.{name}(fused)" for name in _OPTIMIZERS),
        off="off.forced(off.optimizers(torch), '__init__', fused=False)",
        meaning="the same optimizer without its fused kernel",
        prepares=True,
    ),
    Ablation(
        name="foreach optimizer",
        used_by=tuple(f"torch.optim.{name}(foreach)" for name in _OPTIMIZERS),
        off="off.forced(off.optimizers(torch), '__init__', foreach=False)",
        meaning="the same optimizer, one parameter after the other",
        prepares=True,
    ),
    Ablation(
        name="einsum path",
        used_by=("torch.einsum(4)",),
        off="off.setting(torch.backends.opt_einsum, 'enabled', False)",
        meaning="the same einsum from left to right",
    ),
    Ablation(
        name="numpy.einsum path",
        used_by=("numpy.einsum(optimize)",),
        off="off.forced([numpy], 'einsum', optimize=False)",
        meaning="the same einsum as one loop over all indices",
    ),
    Ablation(
        name="checkpoint",
        used_by=("torch.utils.checkpoint.checkpoint",),
        off="mock.patch.object(torch.utils.checkpoint, 'checkpoint', off.plainly)",
        meaning="the same code with all activations kept",
    ),
    Ablation(
        name="pinned memory",
        used_by=(".pin_memory()", "torch.utils.data.DataLoader(pin_memory)"),
        off="off.unpinned(torch)",
        meaning="the same code from pageable memory",
        prepares=True,
        converts=True,
    ),
    Ablation(
        name="inference_mode",
        used_by=("torch.inference_mode",),
        off="mock.patch.object(torch, 'inference_mode', lambda mode=True: "
        "torch.enable_grad()(mode) if callable(mode) else torch.enable_grad())",
        meaning="the same code with gradients recorded",
    ),
    Ablation(
        name="no_grad",
        used_by=("torch.no_grad",),
        off="mock.patch.object(torch, 'no_grad', off.recording(torch))",
        meaning="the same code with gradients recorded",
    ),
    Ablation(
        name="contiguous",
        used_by=(".contiguous()",),
        off="mock.patch.object(torch.Tensor, 'contiguous', off.itself)",
        meaning="the same code on tensors as they lie",
        prepares=True,
        converts=True,
    ),
)
"""In the order in which a claim is held against them: the first that code uses is meant."""


_SIGNS = {sign for row in ABLATIONS for sign in row.used_by}
_TELLING = {sign.partition("(")[0].rpartition(".")[2] for sign in _SIGNS}
_TELLING |= {short for short, name in USUAL.items() if name in _SIGNS}
"""Code without any of these words uses no accelerator: most code need not be walked."""


def find_ablations(codes: Iterable[str]) -> tuple[Ablation, ...]:
    """The accelerators that pieces of one program use, in the table's order.

    Of rows that turn off the same thing in the same way only the first is given.
    """
    codes = tuple(codes)
    if not any(word in code for code in codes for word in _TELLING) and "".join(codes).isascii():
        return ()
    used = signs_of(codes)
    rows = {row.off: row for row in reversed(ABLATIONS) if used.intersection(row.used_by)}
    return tuple(row for row in ABLATIONS if rows.get(row.off) is row)
